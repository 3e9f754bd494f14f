import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Translates operations to methods.
final class OperationTranslator {
    let types: TypeTranslator
    let schemas: SchemaReader
    let settings: SettingsTranslator

    init(_ types: TypeTranslator, _ settings: SettingsTranslator) {
        self.types = types
        self.settings = settings
        schemas = types.schemas
    }

    func lose(_ kind: ImportReport.Kind, _ detail: String = "", at span: Span) {
        types.lose(kind, detail, at: span)
    }

    /// The method of an operation; nil if it cannot be sent.
    func method(_ operation: OperationDescription, named name: String) -> DraftMethod? {
        guard operation.verb != "trace" else {
            lose(.verb, "TRACE \(operation.path)", at: operation.span)
            return nil
        }
        let path = PathTemplate(operation.path)
        if path.isCorrected { lose(.path, operation.path, at: operation.span) }
        var method = DraftMethod(name, verb: operation.verb, path: path.text)
        method.origin = operation.span
        method.documentation = documentation(operation)
        addParameters(of: operation, path, to: &method)
        if let body = operation.body { add(body, of: operation, to: &method) }
        addReplies(of: operation, to: &method)
        method.settings += settings.entries(of: operation)
        return method
    }

    private func documentation(_ operation: OperationDescription) -> [DraftEntry] {
        let summary = operation.summary?.cleaned ?? ""
        let description = operation.description?.cleaned ?? ""
        let isRepeated =
            summary.isEmpty || description.hasPrefix(summary)
            || description.isEmpty
        let doc =
            isRepeated
            ? (description.isEmpty ? summary : description) : "\(summary)\n\n\(description)"
        var entries = [DraftEntry("doc", text: doc)].compactMap(\.self)
        if let link = operation.link, TypeTranslator.isLink(link) {
            entries.append(DraftEntry("link", .text(link)))
        }
        if operation.isDeprecated { entries.append(.flag("deprecated")) }
        return entries
    }

    // MARK: Parameters

    private func addParameters(
        of operation: OperationDescription, _ path: PathTemplate, to method: inout DraftMethod
    ) {
        var sections: [String: [DraftField]] = [:]
        var seen: Set<String> = []
        for parameter in operation.parameters {
            let name =
                parameter.location == "path" ? path.names[parameter.name] ?? "" : parameter.name
            let key = parameter.location == "header" ? name.lowercased() : name
            guard !settings.security.isToken(parameter, of: operation),
                isSendable(parameter, name)
            else { continue }
            guard seen.insert("\(parameter.location) \(key)").inserted else {
                lose(.repeatedParameter, parameter.name, at: parameter.node.span)
                continue
            }
            for field in fields(parameter, named: name) {
                sections[
                    parameter.location == "header" ? "headers" : parameter.location, default: []
                ]
                .append(field)
            }
        }
        // Without an entry, a placeholder that is the whole path would be an address.
        let isWhole = path.order.count == 1 && path.text == "{\(path.order[0])}"
        sections["path"] = path.order.compactMap { name in
            let field = sections["path"]?.first { $0.name == name }
            let plain = DraftType.named("string")
            return isWhole || field.map { $0.type != plain } == true
                ? field ?? DraftField(name, plain) : nil
        }
        if isWhole { noteWhole(&sections["path", default: []]) }
        for (name, value) in path.constants
        where sections["query"]?.contains(where: { $0.name == name }) != true {
            sections["query", default: []].append(
                DraftField(name, DraftType(.constant(.text(value)))))
        }
        for name in ["path", "query", "headers"] {
            if let fields = sections[name], !fields.isEmpty {
                method.sections.append((name, fields))
            }
        }
    }

    /// A segment that is called like an address needs a note that it is none.
    private func noteWhole(_ fields: inout [DraftField]) {
        for index in fields.indices where fields[index].type.attributes.isEmpty {
            types.addDoc("One segment of the path.", to: &fields[index].type)
        }
    }

    private func isSendable(_ parameter: ParameterDescription, _ name: String) -> Bool {
        switch parameter.location {
        case "path", "query": return !name.isEmpty && name.utf8.count <= 200
        case "header":
            let key = name.lowercased()
            // They are described elsewhere (OpenAPI 3.1, section 4.8.12).
            if ["accept", "content-type", "authorization"].contains(key) { return false }
            let own: Set<String> = [
                "content-length", "host", "connection", "transfer-encoding", "te", "trailer",
                "upgrade", "keep-alive",
            ]
            if !own.contains(key), HeaderName.isValid(name) { return true }
            lose(.ownHeader, name, at: parameter.node.span)
            return false
        default:
            lose(.cookie, name, at: parameter.node.span)
            return false
        }
    }

    /// A parameter, or one for each property of an object that is sent in this way.
    private func fields(_ parameter: ParameterDescription, named name: String) -> [DraftField] {
        let schema = parameter.schema
        let flat = schemas.facts(schema).object
        if let flat, !parameter.isJSON, parameter.location == "query",
            parameter.style != "deepObject",
            parameter.explodes != false
        {
            return flat.properties.map { key, schema in
                let isRequired = parameter.isRequired && flat.required.contains(key)
                return self.field(key, schema, isRequired: isRequired, in: "query")
            }
        }
        var field = field(
            name, schema, isRequired: parameter.isRequired || parameter.location == "path",
            in: parameter.location, style: parameter.isJSON ? "json" : parameter.style,
            explodes: parameter.explodes, doc: parameter.description, examples: parameter.examples)
        if parameter.isDeprecated, field.type.attributes["deprecated"] == nil {
            field.type.attributes.append(.flag("deprecated"))
        }
        return [field]
    }

    /// A parameter in any section.
    func field(
        _ name: String, _ schema: SchemaDescription, isRequired: Bool, in section: String,
        style: String? = nil, explodes: Bool? = nil, doc: String? = nil, examples: [YAMLNode] = []
    ) -> DraftField {
        var type =
            section == "json"
            ? types.type(schema)
            : textType(schema, in: section, style: style, explodes: explodes)
        type.isOptional = !isRequired
        if case .constant = type.form, !isRequired || type.isNullable { type = types.chosen(type) }
        addDefault(to: &type, schema, in: section)
        types.addNotes(to: &type, schema, doc: doc, examples: examples)
        return DraftField(name, type)
    }

    private func addDefault(
        to type: inout DraftType, _ schema: SchemaDescription, in section: String
    ) {
        let target = schemas.target(schema)
        guard let node = schema.parts.defaultValue ?? target?.parts.defaultValue, !node.isNull
        else { return }
        let definition = schema.reference == nil ? type : target.map { types.type($0) } ?? type
        guard type.isOptional, section != "path", let value = types.value(node, of: definition)
        else {
            return lose(.sentDefault, String(TypeTranslator.shown(node).prefix(80)), at: node.span)
        }
        type.attributes.append(DraftEntry("server-default", value))
    }
}

/// A path as a spec writes it.
struct PathTemplate {
    private(set) var text = ""
    /// The placeholders, in order.
    private(set) var order: [String] = []
    /// The placeholders, by their names in the description.
    private(set) var names: [String: String] = [:]
    /// The query that the path has, as some descriptions tell operations apart.
    private(set) var constants: [(name: String, value: String)] = []
    /// Whether the path has something that a spec cannot say.
    private(set) var isCorrected = false

    init(_ path: String) {
        let trimmed = path.trimmed
        var plain = trimmed.prefix { $0 != "?" && $0 != "#" }
        isCorrected = plain.count != trimmed.count || trimmed.count != path.count
        readQuery(trimmed.dropFirst(plain.count))
        while plain.first == "/" { plain.removeFirst() }
        var segments: [String] = []
        for segment in plain.split(separator: "/", omittingEmptySubsequences: false) {
            if [".", ".."].contains(segment) {
                isCorrected = true
            } else {
                segments.append(self.segment(segment))
            }
        }
        text = segments.joined(separator: "/")
    }

    private mutating func readQuery(_ text: Substring) {
        guard text.first == "?" else { return }
        let items = text.dropFirst().prefix { $0 != "#" }.split(separator: "&")
        let pairs = items.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        guard pairs.allSatisfy({ $0.count == 2 && !$0[1].contains("{") && !$0[1].contains("$") })
        else { return }
        constants = pairs.map { ($0[0], $0[1]) }
        isCorrected = false
    }

    private mutating func segment(_ segment: Substring) -> String {
        var result = segment.first == ":" ? "%3A" : ""
        var rest = segment.first == ":" ? segment.dropFirst() : segment
        while let open = rest.firstIndex(of: "{") {
            result += Self.plain(rest[..<open])
            guard let close = rest[open...].firstIndex(of: "}") else {
                isCorrected = true
                rest = rest[rest.index(after: open)...]
                continue
            }
            result += "{" + placeholder(String(rest[rest.index(after: open)..<close])) + "}"
            rest = rest[rest.index(after: close)...]
        }
        return result + Self.plain(rest)
    }

    private mutating func placeholder(_ name: String) -> String {
        let isFine =
            !name.isEmpty
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
                    || $0 == 0x2D
            } && name.contains(where: \.isLetter)
        let plain = SwiftNamer().lowerCamel(name.filter { $0.isASCII }) ?? "value"
        let base = isFine ? name : plain.first == "_" ? "value" + plain.dropFirst() : plain
        var (unique, number) = (base, 2)
        while order.contains(unique) {
            unique = "\(base)\(number)"
            number += 1
        }
        if names[name] == nil { names[name] = unique }
        order.append(unique)
        return unique
    }

    private static func plain(_ text: Substring) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "}" }))
    }
}

/// Names of header fields (RFC 9110 §5.1).
enum HeaderName {
    static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                    || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }
}
