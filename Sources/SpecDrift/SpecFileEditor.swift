import SpecDiagnostics
import SpecImport
import SpecSyntax

/// Edits the types in one file of a spec.
struct SpecFileEditor {
    private struct Place {
        let node: YAMLNode
        /// The mapping around it, and its entry there; nil in a list.
        let owner: (mapping: YAMLNode, index: Int)?
    }

    private let source: SourceFile
    private let root: YAMLNode?
    private var places: [Place] = []
    private var editor: MappingEditor

    /// The changed text.
    var bytes: [UInt8] { editor.edits.result }

    init(_ source: SourceFile) {
        self.source = source
        editor = MappingEditor(source.bytes)
        var bag = DiagnosticBag()
        root = YAMLReader.read(source, into: &bag)
        if let root { add(root, nil) }
    }

    private mutating func add(_ node: YAMLNode, _ owner: (YAMLNode, Int)?) {
        places.append(Place(node: node, owner: owner))
        if node.isAlias { return }
        for item in node.items { add(item, nil) }
        for (index, entry) in node.entries.enumerated() { add(entry.value, (node, index)) }
    }

    /// The smallest node around a span; nil for one that other places use, too.
    private func place(of span: Span) -> Place? {
        places.filter { $0.node.span.start <= span.start && span.end <= $0.node.span.end }
            .min { $0.node.span.end - $0.node.span.start < $1.node.span.end - $1.node.span.start }
            .flatMap { $0.node.isAlias ? nil : $0 }
    }

    /// The mapping with an entry whose key is there.
    private func entry(at key: Span) -> (mapping: YAMLNode, index: Int, entry: YAMLEntry)? {
        for place in places where place.node.kind == .mapping && !place.node.isAlias {
            if let index = place.node.entries.firstIndex(where: { $0.key.span == key }) {
                return (place.node, index, place.node.entries[index])
            }
        }
        return nil
    }

    private func text(of span: Span) -> String { source.text(of: span) }

    // MARK: Types

    /// Marks a type as one that may be missing, or as one that may be null.
    ///
    /// - Returns: The new type; nil if it has no form for that.
    mutating func mark(_ type: TypeSyntax, isOptional: Bool) -> String? {
        guard let place = place(of: type.span) else { return nil }
        let word = isOptional ? "optional" : "nullable"
        let sign = isOptional ? "?" : " | null"
        let flag = DraftEntry(word, .word("true"))
        let owner = place.owner.map { $0.mapping.entries[$0.index].key.text }
        let isPart = owner.map { ["type", "fields", "enum", "one-of"].contains($0) } ?? false
        switch place.node.kind {
        case .scalar:
            if case .union = type.form, isOptional {
                return isPart ? addFlag(flag, place.owner) : lengthen(place, flag)
            }
            // A flag of the long form stands elsewhere.
            let mark = type.optional.flatMap { $0.end <= place.node.span.end ? $0.end : nil }
            let end = isOptional ? type.span.end : max(type.span.end, mark ?? 0)
            editor.edits.insert(sign, at: Int(end))
            let isMissing = isOptional || mark != nil
            let isNull = !isOptional || type.nullable != nil
            return text(of: type.span) + (isMissing ? "?" : "") + (isNull ? " | null" : "")
        case .sequence, .mapping:
            if isPart { return addFlag(flag, place.owner) }
            let long: Set<String> = ["type", "fields", "enum", "one-of", "const", "with"]
            if place.node.entries.contains(where: { long.contains($0.key.text) }) {
                return addFlag(flag, (place.node, place.node.entries.count - 1))
            }
            return wrap(place, type, flag)
        }
    }

    private mutating func addFlag(
        _ flag: DraftEntry, _ owner: (mapping: YAMLNode, index: Int)?
    ) -> String? {
        guard let owner else { return nil }
        editor.change(owner.mapping, removing: [], adding: [(owner.index, flag)])
        return "\(flag.key): true"
    }

    /// Writes a type in its long form.
    private mutating func wrap(_ place: Place, _ type: TypeSyntax, _ flag: DraftEntry) -> String? {
        if case .object = type.form {
            guard let owner = place.owner,
                editor.lengthen(owner.mapping.entries[owner.index], as: .map([flag]))
            else { return nil }
            // The flag is set in the next round, when there is a place for it.
            return ""
        }
        let (start, end) = (Int(place.node.span.start), Int(place.node.span.end))
        guard start < end, [UInt8(ascii: "["), UInt8(ascii: "{")].contains(source.bytes[start])
        else { return nil }
        editor.edits.insert("{ type: ", at: start)
        editor.edits.insert(", \(flag.key): true }", at: end)
        return "{ type: \(text(of: place.node.span)), \(flag.key): true }"
    }

    /// Writes the type of an entry in the long form.
    private mutating func lengthen(_ place: Place, _ addition: DraftEntry) -> String? {
        guard let owner = place.owner else { return nil }
        let entry = owner.mapping.entries[owner.index]
        let inFlow = editor.isFlow(owner.mapping)
        guard editor.canChange(entry, inFlow: inFlow) else { return nil }
        let long = DraftValue.map([DraftEntry("type", .type(place.node.text)), addition])
        editor.replace(entry, by: long, inFlow: inFlow)
        return YAMLPrinter.line(long)
    }

    /// Writes another name of a type.
    ///
    /// - Parameter isBare: Whether the rules and the form of the old type go, which do not apply to the
    ///   new one.
    mutating func rename(_ type: TypeSyntax, to name: String, isBare: Bool = false) -> String? {
        guard let place = place(of: type.span), place.node.kind == .scalar else { return nil }
        var end = type.span.end
        var sign = ""
        if isBare {
            // Null is a value of `json`.
            let ends = [type.optional?.end, type.nullable?.end].compactMap(\.self)
            end = max(end, ends.filter { $0 <= place.node.span.end }.max() ?? end)
            sign = type.optional.map { $0.end <= place.node.span.end } == true ? "?" : ""
            if let owner = place.owner, owner.mapping.entries[owner.index].key.text == "type" {
                let gone = owner.mapping.entries.indices.filter {
                    !Self.lasting.contains(owner.mapping.entries[$0].key.text)
                }
                editor.change(owner.mapping, removing: Set(gone), adding: [])
            }
        }
        editor.edits.replace(Int(type.span.start)..<Int(end), by: name + sign)
        return name + sign
    }

    /// The keys beside a type that say nothing about its values.
    private static let lasting: Set<String> = [
        "type", "doc", "link", "deprecated", "key", "swift", "optional", "sensitive", "at", "only",
    ]

    /// Lets a scalar be a text or a number: `from: either`.
    mutating func acceptBothForms(_ type: TypeSyntax) -> String? {
        guard let place = place(of: type.span), place.node.kind == .scalar, let owner = place.owner,
            type.attributes.from == nil
        else { return nil }
        let entry = owner.mapping.entries[owner.index]
        let from = DraftEntry("from", .text("either"))
        if entry.key.text == "type", owner.mapping.entries.count > 1 {
            editor.change(owner.mapping, removing: [], adding: [(owner.index, from)])
        } else {
            guard place.node.text.hasPrefix(text(of: type.span)), lengthen(place, from) != nil else {
                return nil
            }
        }
        return "from: either"
    }

    // MARK: Entries

    /// Removes the entry with a key.
    mutating func removeEntry(_ key: Span) -> String? {
        guard let (mapping, index, entry) = entry(at: key) else { return nil }
        editor.change(mapping, removing: [index], adding: [])
        return "no `\(entry.key.text)`"
    }

    /// Writes another value of the entry with a key.
    mutating func replaceValue(of key: Span, by value: DraftValue) -> String? {
        guard let (mapping, _, entry) = entry(at: key) else { return nil }
        var entryToChange = entry
        var inFlow = editor.isFlow(mapping)
        // The long form of a rule.
        if entry.value.kind == .mapping {
            guard let inner = entry.value.entries.first(where: { $0.key.text == "value" }) else {
                return nil
            }
            (entryToChange, inFlow) = (inner, editor.isFlow(entry.value))
        }
        editor.replace(entryToChange, by: value, inFlow: inFlow)
        return "\(entry.key.text): \(YAMLPrinter.line(value))"
    }

    /// Adds values to an enumeration.
    mutating func addCases(
        _ values: [DraftValue], named names: [String], behind last: EnumerationCaseSyntax
    ) -> Bool {
        if let name = last.name, let (mapping, index, _) = entry(at: name.span) {
            editor.change(
                mapping, removing: [],
                adding: zip(names, values).map { (index, DraftEntry($0, $1)) })
            return true
        }
        let span = last.value.span
        guard
            let list = places.first(where: { place in
                place.node.items.contains { $0.span == span }
            })?.node, !list.isAlias
        else { return false }
        let texts = values.map(YAMLPrinter.line)
        if source.bytes[Int(list.span.start)] == UInt8(ascii: "[") {
            editor.edits.insert(texts.map { ", " + $0 }.joined(), at: Int(span.end))
            return true
        }
        let start = editor.lines.start(of: Int(span.start))
        let mark = String(decoding: source.bytes[start..<Int(span.start)], as: UTF8.self)
        editor.edits.insert(
            texts.map { "\n" + mark + $0 }.joined(), at: editor.lines.end(of: Int(span.end)))
        return true
    }

    /// Adds a field behind another one, and models that its type names.
    mutating func add(_ field: DraftEntry, behind key: Span, models: [DraftEntry]) -> String? {
        guard let (mapping, index, _) = entry(at: key), let root else { return nil }
        editor.change(mapping, removing: [], adding: [(index, field)])
        if !models.isEmpty {
            if let known = root.value(of: "models"), !known.entries.isEmpty {
                let last = known.entries.count - 1
                editor.change(
                    known, removing: [], adding: models.map { (last, $0) }, isSpaced: true)
            } else {
                var printer = YAMLPrinter()
                printer.print([DraftEntry("models", .block(models))])
                let isOpen = source.bytes.last != 0x0A
                editor.edits.insert(
                    (isOpen ? "\n" : "") + "\n" + printer.text, at: source.bytes.count)
            }
        }
        return "new: \(YAMLPrinter.line(field.value))"
    }

    /// A type of YAML without its quotes.
    static func word(_ type: String) -> String {
        guard case .text(let text)? = entries("type: " + type)["type"] else { return type }
        return text
    }

    /// The entries of a text.
    static func entries(_ text: String) -> [DraftEntry] {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let source = sources.add(path: "", text: text)
        guard let root = YAMLReader.read(source, into: &bag) else { return [] }
        return root.entries.map { DraftEntry($0.key.text, DraftValue($0.value)) }
    }
}
