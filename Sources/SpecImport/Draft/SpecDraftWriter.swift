import SpecIR
import SpecSyntax

/// Writes a draft as the files of a spec.
public struct SpecDraftWriter {
    /// Names and texts of the files of a draft.
    public static func files(_ draft: SpecDraft) -> [(name: String, text: String)] {
        let head = [
            DraftEntry("telex", .word("1")), DraftEntry("api", .text(draft.api)),
        ]
        return [("api.yaml", text(head + draft.settings))]
            + draft.groups.map { ("\($0.name).yaml", text(entries($0))) }
    }

    /// The number of bytes of entries in a file.
    static func size(of entries: [DraftEntry]) -> Int { text(entries).utf8.count }

    /// A type as text, by which types are put in an order.
    static func line(_ type: DraftType) -> String { YAMLPrinter.line(type.value) }

    /// The text of a file.
    static func text(_ entries: [DraftEntry]) -> String {
        var printer = YAMLPrinter()
        printer.print(entries)
        return printer.text
    }

    private static func entries(_ group: DraftGroup) -> [DraftEntry] {
        var entries = group.documentation
        let methods = group.methods.map {
            DraftEntry("\(group.name).\($0.name)", .map(self.entries($0)))
        }
        let models = group.models.map(\.entry)
        if !methods.isEmpty { entries.append(DraftEntry("methods", .block(methods))) }
        if !models.isEmpty { entries.append(DraftEntry("models", .block(models))) }
        return entries
    }

    /// The verb with the path; nil for a procedure call.
    private static func verb(_ method: DraftMethod) -> DraftEntry? {
        guard !method.verb.isEmpty else { return nil }
        let verb = HTTPVerb(rawValue: method.verb)
        return verb.isKey
            ? DraftEntry(method.verb, .text(method.path))
            : DraftEntry("method", .text("\(verb.name) \(method.path)"))
    }

    /// The entries of a method.
    static func entries(_ method: DraftMethod) -> [DraftEntry] {
        let last = ["pages", "errors", "examples"]
        var entries = [verb(method)].compactMap(\.self) + method.documentation
        entries += method.settings.filter { !last.contains($0.key) }
        for section in method.sections {
            entries.append(DraftEntry(section.name, .map(section.fields.map(\.entry))))
        }
        if let body = method.body { entries.append(DraftEntry("body", body.value)) }
        if method.returns.count == 1, method.returns[0].status == nil {
            entries.append(DraftEntry("returns", method.returns[0].type.value))
        } else if !method.returns.isEmpty {
            let cases = method.returns.map { DraftEntry("\($0.status ?? 200)", $0.type.value) }
            entries.append(DraftEntry("returns", .map(cases)))
        }
        if !method.replyHeaders.isEmpty {
            entries.append(DraftEntry("reply-headers", .map(method.replyHeaders.map(\.entry))))
        }
        entries += method.settings.filter { last.contains($0.key) }
        if let last = entries.indices.last, !method.proposals.isEmpty {
            // A comment at the end would belong to the next method.
            entries[last].comments += method.proposals
        }
        return entries
    }
}

extension DraftField {
    var entry: DraftEntry {
        var entry = DraftEntry(name, type.value)
        entry.isQuoted = true
        return entry
    }
}

extension DraftModel {
    var entry: DraftEntry { DraftEntry(name, type.value) }
}

extension DraftType {
    /// The type as YAML, in the shortest form.
    var value: DraftValue {
        if attributes.isEmpty, let text { return .type(text) }
        if isPlainObject, case .object(let object) = form { return .map(object.shortEntries) }
        if attributes.isEmpty, !isOptional, !isNullable, case .list(let element) = form {
            return .list([element.value])
        }
        return .map(longEntries)
    }

    private var isPlainObject: Bool {
        guard attributes.isEmpty, !isOptional, !isNullable, case .object(let object) = form else {
            return false
        }
        return object.isShort
    }

    // MARK: Short form

    /// The type in one word; nil where that does not exist.
    private var text: String? {
        guard attributes.isEmpty, let word else { return nil }
        return word + suffix
    }

    private var suffix: String { (isOptional ? "?" : "") + (isNullable ? " | null" : "") }

    /// The type in one word, without its attributes and what belongs to its use.
    private var word: String? {
        switch form {
        case .named(let name): return name
        case .list(let element): return element.text.map { "[\($0)]" }
        case .map(let key, let value):
            guard let key = key.text, let value = value.text else { return nil }
            return "{\(key): \(value)}"
        case .union(let union):
            let words = union.alternatives.compactMap { $0.name == nil ? $0.type.text : nil }
            let isShort = union.tag == nil && words.count == union.alternatives.count
            return isShort ? words.joined(separator: " | ") : nil
        case .object, .enumeration, .constant: return nil
        }
    }

    // MARK: Long form

    private var longEntries: [DraftEntry] {
        // The address of a link has no type.
        if word == "" { return attributes }
        if let word { return [DraftEntry("type", .type(word + suffix))] + attributes }
        let marks =
            (isOptional ? [DraftEntry.flag("optional")] : [])
            + (isNullable ? [DraftEntry.flag("nullable")] : [])
        switch form {
        case .list(let element):
            return [DraftEntry("type", .list([element.value]))] + marks + attributes
        case .map(let key, let value):
            let name = DraftEntry(key.text ?? "string", value.value)
            return [DraftEntry("type", .map([name]))] + marks + attributes
        case .enumeration(let choice):
            let type = choice.isInteger ? [DraftEntry("type", .type("int"))] : []
            return leading + type + [DraftEntry("enum", choice.value)] + marks + trailing
        case .constant(let value): return [DraftEntry("const", value)] + marks + attributes
        case .union(let union): return leading + union.entries + marks + trailing
        case .object(let object): return leading + marks + object.longEntries + trailing
        case .named: return attributes
        }
    }

    private static let first: Set<String> = ["doc", "link", "deprecated"]
    private var leading: [DraftEntry] { attributes.filter { Self.first.contains($0.key) } }
    private var trailing: [DraftEntry] { attributes.filter { !Self.first.contains($0.key) } }
}

extension DraftObject {
    /// Whether its fields can stand without `fields:`.
    fileprivate var isShort: Bool {
        guard additional == nil, !fields.isEmpty || !mixins.isEmpty else { return false }
        return fields.allSatisfy { field in
            !TypeNames.isAttribute(field.name)
                && field.name.utf8.allSatisfy(\.isNamePart)
                && field.name.utf8.first.map { $0 > 0x39 } == true
        }
    }

    fileprivate var shortEntries: [DraftEntry] { with + fields.map(\.entry) }

    fileprivate var longEntries: [DraftEntry] {
        with + [DraftEntry("fields", .map(fields.map(\.entry)))]
            + (additional.map { [DraftEntry("additional", $0.value)] } ?? [])
    }

    private var with: [DraftEntry] {
        switch mixins.count {
        case 0: []
        case 1: [DraftEntry("with", .text(mixins[0]))]
        default: [DraftEntry("with", .list(mixins.map { .text($0) }))]
        }
    }
}

extension DraftEnumeration {
    fileprivate var value: DraftValue {
        let isPlain = values.allSatisfy { $0.name == nil && $0.doc == nil }
        if isPlain { return .list(values.map { value($0) }) }
        return .map(
            values.map { item in
                let name = item.name ?? item.value
                guard let doc = item.doc else { return DraftEntry(name, value(item)) }
                // Without `value`, the key itself is the value.
                let own = name == item.value ? [] : [DraftEntry("value", value(item))]
                return DraftEntry(name, .map(own + [DraftEntry("doc", .text(doc))]))
            })
    }

    private func value(_ item: Value) -> DraftValue {
        isInteger ? .word(item.value) : .text(item.value)
    }
}

extension DraftUnion {
    fileprivate var entries: [DraftEntry] {
        let isNamed = alternatives.contains { $0.name != nil }
        let value: DraftValue =
            isNamed
            ? .map(
                alternatives.map { item in
                    var entry = DraftEntry(item.name ?? "", item.type.value)
                    entry.isQuoted = !tagsAreIntegers
                    return entry
                })
            : .list(alternatives.map { $0.type.value })
        return [DraftEntry("one-of", value)] + (tag.map { [DraftEntry("tag", .text($0))] } ?? [])
    }
}
