import SpecSemantics
import SpecSyntax

/// The rules that a type may have.
enum RuleFamily {
    case text, integer, fraction, list, map, other

    init(_ kind: SchemaDescription.Kind) {
        switch kind {
        case .object: self = .map
        case .array: self = .list
        case .string: self = .text
        case .integer: self = .integer
        case .number: self = .fraction
        case .boolean: self = .other
        }
    }

    func accepts(_ key: String) -> Bool {
        switch self {
        case .text: ["minLength", "maxLength", "pattern"].contains(key)
        case .integer, .fraction:
            ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].contains(
                key)
        case .list: ["minItems", "maxItems", "uniqueItems"].contains(key)
        case .map: ["minProperties", "maxProperties"].contains(key)
        case .other: false
        }
    }
}

extension TypeTranslator {
    // MARK: Texts

    private static let formats: Set<String> = [
        "email", "hostname", "ipv4", "ipv6", "json-pointer", "time",
    ]

    func string(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        let rules = rules(schema, .text)
        switch parts.format {
        case "date-time", "datetime": return plain("Date", schema: schema, rules: rules)
        case "date-time-local":
            return plain(
                "Date", schema: schema, rules: rules,
                attributes: [DraftEntry("as", .text("local-date-time"))])
        case "date":
            return plain(
                "Date", schema: schema, rules: rules, attributes: [DraftEntry("as", .text("date"))])
        case "uuid": return plain("uuid", schema: schema, rules: rules)
        case "byte", "base64": return plain("bytes", schema: schema, rules: rules)
        case "uri", "url":
            let samples = parts.examples + [parts.defaultValue].compactMap(\.self)
            let isURL = samples.allSatisfy { URLSyntaxCheck.problem(of: $0.text) == nil }
            if !isURL { lose(.format, "uri, whose example is none", at: schema.span) }
            if isURL, rules.isEmpty { return .named("url") }
            return .named("string", (isURL ? [DraftEntry("format", .text("uri"))] : []) + rules)
        case "int-or-string":
            return DraftType(
                .union(
                    DraftUnion(
                        alternatives: ["int", "string"].map { .init(name: nil, type: .named($0)) }))
            )
        case "binary":
            lose(.format, "binary in JSON", at: schema.span)
            return .named("string", rules)
        case let format? where Self.formats.contains(format):
            return .named("string", [DraftEntry("format", .text(format))] + rules)
        case nil, "password", "string", "": return .named("string", rules)
        case let format?:
            lose(.format, format, at: schema.span)
            return .named("string", rules)
        }
    }

    /// A type whose values have no rules.
    private func plain(
        _ name: String, schema: SchemaDescription, rules: [DraftEntry],
        attributes: [DraftEntry] = []
    ) -> DraftType {
        if !rules.isEmpty { lose(.rule, rules.map(\.key).joined(separator: ", "), at: schema.span) }
        return .named(name, attributes)
    }

    // MARK: Numbers

    /// Formats of integers, which some descriptions write beside `type: number`.
    static let integerFormats: Set<String> = [
        "int32", "int64", "integer", "int", "long", "uint64", "uint32", "uint",
    ]

    func integer(_ schema: SchemaDescription) -> DraftType {
        switch schema.parts.format {
        case "int32":
            return .named("int32", rules(schema, .integer, in: Int(Int32.min)...Int(Int32.max)))
        case "uint64", "uint32", "uint":
            return .named(
                "uint", rules(schema, .integer).filter { $0 != DraftEntry("min", .word("0")) })
        case "unixtime", "unix-time", "unix", "timestamp":
            return plain(
                "Date", schema: schema, rules: rules(schema, .integer),
                attributes: [DraftEntry("as", .text("unix"))])
        default:
            checkFormat(schema, known: Self.integerFormats)
            return .named("int", rules(schema, .integer))
        }
    }

    func checkFormat(_ schema: SchemaDescription, known: Set<String>) {
        guard let format = schema.parts.format, !known.contains(format) else { return }
        lose(.format, format, at: schema.span)
    }

    // MARK: Rules

    /// The rules of a schema as attributes. Those that its type does not have are losses.
    func rules(
        _ schema: SchemaDescription, _ family: RuleFamily,
        in range: ClosedRange<Int> = Int.min...Int.max
    ) -> [DraftEntry] {
        var entries: [DraftEntry] = []
        let all = schema.parts.rules
        for (key, node) in all {
            guard family.accepts(key) else {
                lose(.strayRule, key, at: node.span)
                continue
            }
            if let entry = rule(key, node: node, all: all, family: family, range: range),
                entries[entry.key] == nil
            {
                entries.append(entry)
            }
        }
        return consistent(entries, schema)
    }

    private func rule(
        _ key: String, node: YAMLNode, all: [(key: String, node: YAMLNode)],
        family: RuleFamily, range: ClosedRange<Int>
    ) -> DraftEntry? {
        let flag = { (key: String) in all.first { $0.key == key }?.node.boolean == true }
        switch key {
        case "minLength": return count("min-length", node, least: 1)
        case "maxLength": return count("max-length", node)
        case "minItems": return count("min-items", node, least: 1)
        case "maxItems": return count("max-items", node)
        case "minProperties": return count("min-keys", node, least: 1)
        case "maxProperties": return count("max-keys", node)
        case "uniqueItems": return node.boolean == true ? .flag("unique") : nil
        case "pattern": return pattern(node)
        case "minimum":
            return number(
                flag("exclusiveMinimum") ? "above" : "min", node: node, family: family, range: range
            )
        case "maximum":
            return number(
                flag("exclusiveMaximum") ? "below" : "max", node: node, family: family, range: range
            )
        case "exclusiveMinimum" where node.boolean == nil:
            return number("above", node: node, family: family, range: range)
        case "exclusiveMaximum" where node.boolean == nil:
            return number("below", node: node, family: family, range: range)
        case "multipleOf":
            if node.double == 1, case .integer = family { return nil }
            return number("multiple-of", node: node, family: family, range: 1...Int.max)
        default: return nil
        }
    }

    private func count(_ key: String, _ node: YAMLNode, least: Int = 0) -> DraftEntry? {
        guard let count = whole(node), count >= 0 else {
            lose(.bound, node.text, at: node.span)
            return nil
        }
        return count < least ? nil : DraftEntry(key, .word("\(count)"))
    }

    private func whole(_ node: YAMLNode) -> Int? {
        node.integer ?? node.double.flatMap { Int(exactly: $0) }
    }

    private func number(
        _ key: String, node: YAMLNode, family: RuleFamily, range: ClosedRange<Int>
    ) -> DraftEntry? {
        if case .integer = family {
            if let value = whole(node), range.contains(value) {
                return DraftEntry(key, .word("\(value)"))
            }
        } else if let text = node.numberText, let value = node.double, value.isFinite,
            value == 0 || value.isNormal, key != "multiple-of" || value > 0
        {
            return DraftEntry(key, .word(text))
        }
        lose(.bound, node.text, at: node.span)
        return nil
    }

    private func pattern(_ node: YAMLNode) -> DraftEntry? {
        var text = node.text
        if let match = text.wholeMatch(of: #/\/(\^.*|.*\$)\/([a-z]*)/#) {
            text = Self.isChanged(match.1, by: match.2) ? "" : String(match.1)
        }
        if text.isEmpty || (try? PatternCompiler.compile(text)) == nil {
            lose(.pattern, String(node.text.prefix(200)), at: node.span)
            return nil
        }
        return DraftEntry("pattern", .text(text))
    }

    /// Whether flags behind a pattern in slashes change what it matches (ECMAScript, 22.2.6.4).
    private static func isChanged(_ pattern: Substring, by flags: Substring) -> Bool {
        let plain = pattern.replacing(#/\\./#, with: "")
        return flags.contains { flag in
            switch flag {
            case "i": plain.contains(where: \.isLetter)
            case "s": plain.contains(".")
            case "m": true
            default: false
            }
        }
    }

    /// The rules without bounds that no value can obey together.
    private func consistent(_ entries: [DraftEntry], _ schema: SchemaDescription) -> [DraftEntry] {
        let value = { (keys: [String]) -> Double? in
            for key in keys {
                if case .word(let text)? = entries[key], let value = Double(text) { return value }
            }
            return nil
        }
        let pairs = [
            (["min", "above"], ["max", "below"]), (["min-length"], ["max-length"]),
            (["min-items"], ["max-items"]), (["min-keys"], ["max-keys"]),
        ]
        var entries = entries
        for (low, high) in pairs {
            guard let least = value(low), let most = value(high) else { continue }
            let isOpen = entries["above"] != nil || entries["below"] != nil
            if least > most || isOpen && least >= most {
                lose(.bound, "\(least) to \(most)", at: schema.span)
                entries.removeAll { (low + high).contains($0.key) }
            }
        }
        return entries
    }

    // MARK: Enumerations

    func enumeration(
        _ values: [(value: YAMLNode, name: String?, doc: String?)], _ schema: SchemaDescription
    ) -> DraftType {
        let kinds = schema.parts.kinds
        for (key, node) in schema.parts.rules { lose(.rule, key, at: node.span) }
        let isText = { (node: YAMLNode) in
            node.kind == .scalar
                && (kinds == [.string] || !node.isPlain
                    || node.numberText == nil && node.boolean == nil)
        }
        var seen: Set<String> = []
        let values = values.filter { seen.insert($0.value.text).inserted }
        let nodes = values.map(\.value)
        if values.isEmpty { return .named("string") }
        if nodes.allSatisfy({ $0.boolean != nil && $0.isPlain }), kinds != [.string] {
            return nodes.count == 1
                ? DraftType(.constant(.word(nodes[0].boolean == true ? "true" : "false")))
                : .named("bool")
        }
        if nodes.allSatisfy({ whole($0) != nil && $0.isPlain }), kinds != [.string] {
            return choice(
                values.map { ("\(whole($0.value) ?? 0)", $0.name, $0.doc) }, isInteger: true)
        }
        if nodes.allSatisfy(isText) {
            if let odd = nodes.first(where: { $0.text.contains("$token.") }) {
                lose(.credential, odd.text, at: odd.span)
                return .named("string")
            }
            return choice(values.map { ($0.value.text, $0.name, $0.doc) }, isInteger: false)
        }
        if nodes.allSatisfy({ $0.numberText != nil }) {
            return .named(
                "double", [DraftEntry("in", .list(nodes.map { .word($0.numberText ?? "0") }))])
        }
        lose(.mixed, at: schema.span)
        return .json
    }

    private func choice(
        _ values: [(text: String, name: String?, doc: String?)], isInteger: Bool
    ) -> DraftType {
        if values.count == 1 {
            return DraftType(.constant(isInteger ? .word(values[0].text) : .text(values[0].text)))
        }
        var taken: Set<String> = []
        let cases = values.map { value in
            let source = isInteger && !value.text.hasPrefix("-") ? "value\(value.text)" : value.text
            let derived = source.isEmpty ? "empty" : namer.lowerCamel(source)
            let wanted = value.name.flatMap(namer.lowerCamel) ?? derived ?? Self.spelled(source)
            let name = unique(wanted, source: source, taken: &taken)
            return DraftEnumeration.Value(
                name: name == derived ? nil : name, value: value.text,
                doc: value.doc.flatMap(\.oneLine))
        }
        return DraftType(.enumeration(DraftEnumeration(values: named(cases), isInteger: isInteger)))
    }

    /// The name, with its signs as words or a number behind it if it is taken.
    private func unique(_ wanted: String, source: String, taken: inout Set<String>) -> String {
        if taken.insert(wanted).inserted { return wanted }
        let signs = SwiftNamer.spellingSigns(in: source).flatMap(namer.lowerCamel)
        if let signs, taken.insert(signs).inserted { return signs }
        return wanted.unique { taken.insert($0).inserted }
    }

    /// If one value has a name, the others have theirs beside them, too.
    private func named(_ values: [DraftEnumeration.Value]) -> [DraftEnumeration.Value] {
        guard values.contains(where: { $0.name != nil || $0.doc != nil }) else { return values }
        return values.map { value in
            var value = value
            value.name =
                value.name ?? Self.caseName(value.value, namer) ?? namer.lowerCamel(value.value)
            return value
        }
    }

    /// The name of a value that cannot be its own; nil if it can.
    static func caseName(_ text: String, _ namer: SwiftNamer) -> String? {
        if text.isEmpty { return "empty" }
        return namer.lowerCamel(text) == nil ? spelled(text) : nil
    }

    /// A name for a value without letters and digits.
    private static func spelled(_ text: String) -> String {
        let words: [Character: String] = [
            "/": "slash", "_": "underscore", "*": "all", "-": "dash", "+": "plus", ".": "dot",
            "<": "less", ">": "greater", "=": "equal", "!": "not", "~": "tilde", "%": "percent",
            "&": "and", "|": "or", "?": "unknown", "#": "hash", ",": "comma", " ": "space",
        ]
        let names = text.prefix(10).map { words[$0] ?? "sign" }
        return names[0]
            + names.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
