import SpecSemantics

/// Gives a name to an inline type that several methods have, such as the order of a list.
struct SharedTypes {
    /// A place of a type.
    private struct Use: Hashable {
        var group: String
        var method: String
        /// The name of the parameter, `body` or `reply`.
        var key: String
        var isParameter: Bool
    }

    /// The places of each type.
    private var uses: [DraftType.Form: Set<Use>] = [:]
    private var counts: [DraftType.Form: Int] = [:]
    private var names: [DraftType.Form: String] = [:]

    /// Makes models of the inline types that occur at least twice, except replies that become uses
    /// of a generic model.
    static func declare(in draft: inout SpecDraft, _ types: TypeTranslator) {
        var shared = SharedTypes()
        let generic = GenericModels.replies(in: draft)
        shared.visit(&draft) { shared, type, use in
            guard type.isDeclaration, !generic.contains(type.form) else { return }
            shared.counts[type.form, default: 0] += 1
            shared.uses[type.form, default: []].insert(use)
        }
        var models: [DraftModel] = []
        shared.visit(&draft) { shared, type, _ in
            guard shared.counts[type.form, default: 0] > 1 else { return }
            let uses = shared.uses[type.form] ?? []
            let name = shared.names[type.form] ?? types.invent(Self.name(type, uses))
            if shared.names.updateValue(name, forKey: type.form) == nil {
                models.append(DraftModel(name, DraftType(type.form)))
            }
            type.form = .named(name)
        }
        draft.unplaced += models
    }

    // MARK: Names

    /// What the names of alternatives end with; the most frequent name of parameters; the only
    /// field of a reply, or what its methods are about.
    private static func name(_ type: DraftType, _ uses: Set<Use>) -> String {
        if case .union(let union) = type.form, let end = commonEnd(union) { return end }
        let parameters = uses.filter(\.isParameter)
        if !parameters.isEmpty {
            let counts = Dictionary(parameters.map { ($0.key, 1) }, uniquingKeysWith: +)
            return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        }
        let kind = uses.map(\.key).min() ?? ""
        if case .object(let object) = type.form, object.fields.count == 1, object.mixins.isEmpty {
            return "\(object.fields[0].name) \(kind)"
        }
        let groups = Dictionary(uses.map { (singular($0.group), 1) }, uniquingKeysWith: +)
        let most = groups.max { ($0.value, $1.key) < ($1.value, $0.key) }
        if let most, most.value * 2 > uses.count { return "\(most.key) \(kind)" }
        let end = commonEnd(uses.map { ImportNames.words($0.method) }).drop {
            SharedBeginning.verbs.contains($0)
        }
        if !end.isEmpty { return "\(singular(end.joined(separator: "_"))) \(kind)" }
        let content =
            switch type.form {
            case .object(let object): object.fields.map(\.name)
            case .enumeration(let choice):
                choice.isInteger ? ["number"] : choice.values.map { $0.name ?? $0.value }
            default: [most?.key ?? ""]
            }
        return (content.prefix(2) + [kind]).joined(separator: " ")
    }

    /// The words that the names of all alternatives end with, if they say something.
    private static func commonEnd(_ union: DraftUnion) -> String? {
        let end = commonEnd(
            union.alternatives.map { item in
                guard case .named(let name) = item.type.form else { return [] }
                return SwiftNamer.words(name)
            })
        let saysNothing: Set<String> = ["Response", "Request", "Reply", "Object", "Param", "Item"]
        return end.isEmpty || end.count == 1 && saysNothing.contains(end[0]) ? nil : end.joined()
    }

    private static func commonEnd(_ names: [[String]]) -> [String] {
        var end: [String] = []
        while let word = names[0].dropLast(end.count).last,
            names.allSatisfy({ $0.dropLast(end.count).last == word })
        {
            end.insert(word, at: 0)
        }
        return end
    }

    // MARK: Places

    private typealias Visit = (inout SharedTypes, inout DraftType, Use) -> Void

    private mutating func visit(_ draft: inout SpecDraft, _ body: Visit) {
        for group in draft.groups.indices {
            let name = draft.groups[group].name
            for index in draft.groups[group].methods.indices {
                visit(&draft.groups[group].methods[index], group: name, body)
            }
        }
    }

    private mutating func visit(_ method: inout DraftMethod, group: String, _ body: Visit) {
        for section in method.sections.indices {
            for index in method.sections[section].fields.indices {
                let key = method.sections[section].fields[index].name
                let use = Use(group: group, method: method.name, key: key, isParameter: true)
                visit(&method.sections[section].fields[index].type, use: use, body)
            }
        }
        var use = Use(group: group, method: method.name, key: "body", isParameter: false)
        if method.body != nil { visit(&method.body!, use: use, body) }
        use.key = "reply"
        for index in method.returns.indices { visit(&method.returns[index].type, use: use, body) }
    }

    private mutating func visit(_ type: inout DraftType, use: Use, _ body: Visit) {
        var use = use
        switch type.form {
        case .list(var element):
            use.key = singular(use.key)
            visit(&element, use: use, body)
            type.form = .list(element)
        case .map(let mapKey, var value):
            use.key = singular(use.key)
            visit(&value, use: use, body)
            type.form = .map(key: mapKey, value: value)
        default: body(&self, &type, use)
        }
    }
}
