import SpecDiagnostics
import SpecIR

/// Reads nodes. Each function reports a mismatch and returns `nil`.
extension Parser {
    /// Visits the entries of a mapping; `visit` returns whether it accepts the key.
    mutating func visit(
        _ node: YAMLNode, as schema: MappingSchema, help: String? = nil,
        _ visit: (inout Parser, String, YAMLEntry) -> Bool
    ) {
        trace?.add(node, schema)
        for entry in entries(node, of: schema.name, help: help) {
            let key = entry.key.text
            if !visit(&self, key, entry) { reportUnknown(entry, of: node, in: schema) }
        }
    }

    /// The entries of a mapping whose keys are names that the author chooses.
    ///
    /// - Parameter help: The help for any other node.
    mutating func entries(
        _ node: YAMLNode, of name: String, help: String? = nil
    ) -> [YAMLEntry] {
        if node.kind == .mapping { return node.entries }
        if !node.isNull { reportKind(node, expected: "a mapping for \(name)", help: help) }
        return []
    }

    /// The items of a list; a single value counts as a list of one.
    mutating func items(_ node: YAMLNode) -> [YAMLNode] {
        node.kind == .sequence ? node.items : [node]
    }

    /// A text that is not empty.
    mutating func text(_ node: YAMLNode, expecting what: String) -> Located<String>? {
        guard node.kind == .scalar, !node.isNull, !node.text.isEmpty else {
            reportKind(node, expected: what)
            return nil
        }
        return Located(node.text, at: node.span)
    }

    /// Texts that are not empty; nil if all items are invalid.
    mutating func texts(_ node: YAMLNode, expecting what: String) -> Located<[Located<String>]>? {
        let items = items(node)
        let texts = items.compactMap { text($0, expecting: what) }
        // A list with only invalid items is not reported as empty.
        return texts.isEmpty && !items.isEmpty ? nil : Located(texts, at: node.span)
    }

    /// One of some words.
    ///
    /// - Parameters:
    ///   - form: A mapping that is also allowed, shown in the message.
    ///   - advice: The help for words that are not allowed.
    mutating func word(
        _ node: YAMLNode, expecting what: String, among words: [String], or form: String? = nil,
        advice: [String: String] = [:]
    ) -> Located<String>? {
        trace?.add(words, at: node.span)
        guard let text = text(node, expecting: what) else { return nil }
        if words.contains(text.value) { return text }
        reportWord(text, expecting: what, among: words, or: form, help: advice[text.value])
        return nil
    }

    /// One of the words of an enumeration.
    ///
    /// - Parameters:
    ///   - form: A mapping that is also allowed, shown in the message.
    ///   - advice: The help for words that are not allowed.
    mutating func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ node: YAMLNode, expecting what: String, or form: String? = nil,
        advice: [String: String] = [:]
    ) -> Located<Word>? {
        word(node, expecting: what, among: Array(Word.allCases), or: form, advice: advice)
    }

    /// One of some words of an enumeration.
    mutating func word<Word: RawRepresentable<String> & Sendable>(
        _ node: YAMLNode, expecting what: String, among words: [Word], or form: String? = nil,
        advice: [String: String] = [:]
    ) -> Located<Word>? {
        word(node, expecting: what, among: words.map(\.rawValue), or: form, advice: advice)
            .flatMap { text in Word(rawValue: text.value).map { Located($0, at: text.span) } }
    }

    /// Reports a word that is none of those allowed.
    mutating func reportWord(
        _ text: Located<String>, expecting what: String, among words: [String],
        or form: String? = nil, help: String? = nil
    ) {
        let list = (words + (form.map { [$0] } ?? [])).map { "`\($0)`" }.joined(separator: ", ")
        let near = bag.isFull ? nil : didYouMean(text.value, among: words)
        bag.report(
            .notAllowed, "`\(text.value)` is not \(what)", at: text.span,
            label: "expected one of \(list)", help: help ?? near)
    }

    /// `true` or `false`.
    mutating func flag(_ node: YAMLNode, for what: String) -> Bool? {
        trace?.add(["true", "false"], at: node.span)
        if let value = node.boolean { return value }
        let isQuoted = node.isQuoted && ["true", "false"].contains(node.text)
        reportKind(
            node, expected: "`true` or `false` for \(what)",
            help: isQuoted ? "remove the quotes" : nil)
        return nil
    }

    /// An integer of at least `minimum`.
    mutating func integer(
        _ node: YAMLNode, expecting what: String, atLeast minimum: Int, help: String? = nil
    ) -> Located<Int>? {
        let most = Quantity.maximumCount
        guard let value = node.integer, (minimum...most).contains(value) else {
            if let number = node.double, number > Double(most) {
                reportKind(node, expected: "\(what), an integer from \(minimum) to \(most)")
                return nil
            }
            let isQuoted = node.isQuoted && Int(node.text).map { $0 >= minimum } == true
            reportKind(
                node, expected: "\(what), an integer of at least \(minimum)",
                help: isQuoted ? "remove the quotes" : help)
            return nil
        }
        return Located(value, at: node.span)
    }

    /// A key path, `a.b.c`; `none` is the empty path.
    ///
    /// - Parameters:
    ///   - isKey: Whether it is a key of the spec itself, where a list is not possible.
    ///   - listHelp: The help for a step into a list.
    mutating func keyPath(
        _ node: YAMLNode, expecting what: String, isKey: Bool = false, listHelp: String? = nil
    ) -> Located<[String]>? {
        if node.kind == .sequence {
            let parts = node.items.compactMap { text($0, expecting: "a key")?.value }
            return Located(parts, at: node.span)
        }
        guard let text = text(node, expecting: what) else { return nil }
        if node.isPlain, text.value == "none" { return Located([], at: text.span) }
        return keyPath(text.value[...], of: text, in: node, isKey: isKey, listHelp: listHelp)
    }

    /// Key paths that are tried in order, `a.b | c`.
    mutating func keyPaths(_ node: YAMLNode, expecting what: String) -> Located<[[String]]>? {
        guard node.kind == .scalar, node.text.contains("|") else {
            return keyPath(node, expecting: what).map {
                Located($0.value.isEmpty ? [] : [$0.value], at: $0.span)
            }
        }
        guard let text = text(node, expecting: what) else { return nil }
        let paths = text.value.split(separator: "|", omittingEmptySubsequences: false)
            .compactMap { part in
                let path = part.drop { $0 == " " }
                let end = path.lastIndex { $0 != " " }.map { path.index(after: $0) }
                return keyPath(path[..<(end ?? path.startIndex)], of: text, in: node)
            }
        return Located(paths.map(\.value), at: text.span)
    }

    /// A key path that is a part of a text.
    private mutating func keyPath(
        _ path: Substring, of text: Located<String>, in node: YAMLNode, isKey: Bool = false,
        listHelp: String? = nil
    ) -> Located<[String]>? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        if let empty = parts.first(where: \.isEmpty) {
            let place = text.value.utf8Range(empty.startIndex..<empty.endIndex)
            bag.report(
                .badKeyPath, "`\(path)` is not a key path", at: node.place(ofText: place),
                label: "expected a key",
                help: isKey
                    ? "keys are joined by single dots: `a.b`"
                    : "write a key that holds a dot as an item of a list: `[\"a.b\", c]`")
            return nil
        }
        for part in parts {
            guard let index = Self.listIndex(in: part, isKey: isKey) else { continue }
            let place = text.value.utf8Range(index.startIndex..<index.endIndex)
            bag.report(
                .badKeyPath,
                "a key path goes through objects only, and `\(index)` leads into a list",
                at: node.place(ofText: place),
                help: (listHelp ?? "end the path at the list")
                    + (isKey
                        ? ""
                        : "; a key that reads so itself is written as an item of a list: "
                            + "`[\"\(part)\"]`"))
            break
        }
        return Located(parts.map(String.init), at: text.span)
    }

    /// `unwrap`: a path to a single value.
    mutating func unwrap(_ node: YAMLNode) -> Located<[PathStep]>? {
        let path = path(node, expecting: "a path")
        guard let path, let step = path.value.first(where: { $0 == .each || $0 == .first }) else {
            return path
        }
        bag.report(
            .badKeyPath, "`unwrap` leads to one value, and `\([step].shown)` is any of a list",
            at: path.span, help: "write an index, as in `items[0]`, or end the path at the list")
        return nil
    }

    /// Reads a path that may go through lists: `errors[0]`, `items[-1].text`, `errors[*].detail`,
    /// `items[?].text`, or a list of keys and indices.
    mutating func path(_ node: YAMLNode, expecting what: String) -> Located<[PathStep]>? {
        if node.kind == .sequence {
            let steps = node.items.compactMap { item -> PathStep? in
                if let index = item.integer { return .index(index) }
                return text(item, expecting: "a key or an index").map { .key($0.value) }
            }
            return Located(steps, at: node.span)
        }
        guard let text = text(node, expecting: what) else { return nil }
        if node.isPlain, text.value == "none" { return Located([], at: text.span) }
        var steps: [PathStep] = []
        for part in text.value.split(separator: ".", omittingEmptySubsequences: false) {
            guard let parsed = Self.steps(part) else {
                let place = text.value.utf8Range(part.startIndex..<part.endIndex)
                bag.report(
                    .badKeyPath, "`\(text.value)` is not a path", at: node.place(ofText: place),
                    label: "expected a key",
                    help:
                        "write keys and indices: `errors`, `items[-1].text`, `errors[*]`; a key "
                        + "with a dot or a bracket is an item of a list: `[\"a.b\", 0]`")
                return nil
            }
            steps += parsed
        }
        return Located(steps, at: text.span)
    }

    /// The steps of a key with indices, `errors[0][*]`; `nil` if it is malformed.
    private static func steps(_ text: Substring) -> [PathStep]? {
        let key = text.prefix { $0 != "[" }
        if !key.isEmpty, key.allSatisfy(\.isWholeNumber) { return nil }
        var steps: [PathStep] = key.isEmpty ? [] : [.key(String(key))]
        var rest = text[key.endIndex...]
        while !rest.isEmpty {
            guard rest.first == "[", let close = rest.firstIndex(of: "]") else { return nil }
            let index = rest[..<close].dropFirst()
            if index == "*" || index == "?" {
                steps.append(index == "*" ? .each : .first)
            } else if index.allSatisfy(\.isASCII), !index.hasPrefix("+"), let number = Int(index) {
                steps.append(.index(number))
            } else {
                return nil
            }
            rest = rest[close...].dropFirst()
        }
        return steps.isEmpty ? nil : steps
    }

    /// A list index in a key: `[0]`, `[*]` or `[]`; also `0`, where a list could name such a key.
    private static func listIndex(in key: Substring, isKey: Bool) -> Substring? {
        if !isKey, key.allSatisfy(\.isWholeNumber) { return key }
        guard let open = key.firstIndex(of: "["),
            let close = key[open...].firstIndex(of: "]")
        else { return nil }
        let index = key[open..<close].dropFirst()
        let number = index.hasPrefix("-") ? index.dropFirst() : index
        return index == "*" || number.allSatisfy(\.isNumber) ? key[open...close] : nil
    }

    /// Reports a node of the wrong kind.
    mutating func reportKind(_ node: YAMLNode, expected: String, help: String? = nil) {
        bag.report(
            .wrongKind, "expected \(expected), found \(node.kindName)", at: node.span, help: help)
    }

    /// Reports a key that is unknown or not supported yet.
    private mutating func reportUnknown(
        _ entry: YAMLEntry, of node: YAMLNode, in schema: MappingSchema
    ) {
        let key = entry.key
        let name = key.text
        if schema.planned.contains(name) {
            bag.report(
                .notSupported, "`\(name)` is not supported in \(schema.name) yet", at: key.span,
                help: MappingSchema.alternatives[name].map { "until then, \($0)" }
                    ?? "remove it; unsupported keys are never ignored")
            return
        }
        bag.report(
            .unknownKey, "unknown key `\(name)` in \(schema.name)", at: key.span,
            help: bag.isFull ? nil : helpForUnknown(entry, of: node, in: schema))
    }

    private func helpForUnknown(
        _ entry: YAMLEntry, of node: YAMLNode, in schema: MappingSchema
    ) -> String {
        let near = nearest(to: entry.key.text, among: schema.keys + schema.more).map {
            "did you mean `\(RuleName(key: $0)?.rawValue ?? $0)`?"
        }
        return helpAfterComma(entry) ?? schema.advice[entry.key.text]
            ?? helpToIndent(entry, in: node, schema) ?? near
            ?? schema.hint ?? parameterHelp(entry, schema)
            ?? "known keys: \(schema.keys.sorted().joined(separator: ", "))"
    }

    /// The help for a value in a method that is meant to be sent, such as `v: 5.21`.
    private func parameterHelp(_ entry: YAMLEntry, _ schema: MappingSchema) -> String? {
        let (name, value) = (entry.key.text, entry.value)
        guard schema.hasParameters, value.kind == .scalar, !value.isNull, !value.text.isEmpty,
            value.text.utf8.count <= 60, !value.text.contains(where: { "\"`\n\\".contains($0) }),
            name.utf8.count <= 40,
            name.utf8.allSatisfy({ $0.isNamePart || $0 == UInt8(ascii: "-") })
        else { return nil }
        let isType = value.isPlain && TypeNames.scalars.contains(value.text)
        let section = name.contains("-") && name.first?.isUppercase == true ? "headers" : "query"
        let type = isType ? value.text : "{ const: \"\(value.text)\" }"
        return "what a method sends has a place: `\(section): { \(name): \(type) }`"
    }

    /// The help for an unknown key behind an empty section, whose entries are not indented.
    private func helpToIndent(
        _ entry: YAMLEntry, in node: YAMLNode, _ schema: MappingSchema
    ) -> String? {
        // Looking back from many unknown keys would be slow.
        guard bag.errorCount < 100 else { return nil }
        let before = node.entries.prefix { $0.key.span != entry.key.span }
        guard let section = before.last(where: { schema.sections.contains($0.key.text) }),
            section.value.isNull
        else { return nil }
        return "indent it further than `\(section.key.text):`"
    }

    /// The help for an entry of `{ … }` without a colon, because a comma splits an unquoted text.
    func helpAfterComma(_ entry: YAMLEntry) -> String? {
        let rest = bytes.dropFirst(Int(entry.key.span.end))
        let next = rest.first { $0 != UInt8(ascii: " ") }
        guard entry.value.isNull, entry.value.text.isEmpty,
            next == UInt8(ascii: "}") || next == UInt8(ascii: ",")
        else { return nil }
        return "an entry is `key: value`; inside `{ }`, a text with a comma needs quotes: "
            + "`{ doc: \"Yes, really.\" }`"
    }

    /// Reports that two keys exclude each other.
    mutating func reportConflict(_ second: Located<String>, with first: Located<String>) {
        bag.report(
            .conflict, "`\(second.value)` cannot be combined with `\(first.value)`",
            at: second.span,
            notes: [Diagnostic.Note("`\(first.value)` is here", at: first.span)],
            help: "keep one of them")
    }
}

extension YAMLNode {
    /// The node in a message.
    var kindName: String {
        switch kind {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar: isNull ? "nothing" : text.isEmpty ? "an empty text" : "`\(text.prefix(40))`"
        }
    }

    /// Whether it is a text in quotes.
    var isQuoted: Bool { kind == .scalar && !isPlain }

    /// The text with its span.
    var located: Located<String> { Located(text, at: span) }
}
