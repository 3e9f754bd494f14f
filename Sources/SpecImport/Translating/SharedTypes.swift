import SpecSemantics

/// Gives a name to an inline type that several methods have, such as the order of a list.
struct SharedTypes {
    private let types: TypeTranslator
    private var counts: [DraftType.Form: Int] = [:]
    private var names: [DraftType.Form: String] = [:]

    /// Makes models of the inline types that occur at least twice.
    static func declare(in draft: inout SpecDraft, _ types: TypeTranslator) {
        var shared = SharedTypes(types: types)
        shared.visit(&draft) { shared, type, _ in
            if type.isDeclaration { shared.counts[type.form, default: 0] += 1 }
        }
        shared.visit(&draft) { shared, type, key in
            guard type.isDeclaration, shared.counts[type.form, default: 0] > 1 else { return }
            type.form = .named(shared.name(of: type, key))
        }
    }

    private init(types: TypeTranslator) { self.types = types }

    private mutating func name(of type: DraftType, _ key: String) -> String {
        if let name = names[type.form] { return name }
        let name = types.declare(DraftType(type.form), named: Self.name(type, key))
        names[type.form] = name
        return name
    }

    /// The name of a parameter; of a reply, what the names of its alternatives end with, or that of
    /// its only field.
    private static func name(_ type: DraftType, _ key: String) -> String {
        if case .union(let union) = type.form, let end = commonEnd(union) { return end }
        guard key.hasSuffix(" reply"), case .object(let object) = type.form,
            object.fields.count == 1, object.mixins.isEmpty
        else { return key }
        return object.fields[0].name + " reply"
    }

    /// The words that the names of all alternatives end with, if they say something.
    private static func commonEnd(_ union: DraftUnion) -> String? {
        let names = union.alternatives.map { item -> [String] in
            guard case .named(let name) = item.type.form else { return [] }
            return SwiftNamer.words(name)
        }
        var end: [String] = []
        while let word = names[0].dropLast(end.count).last,
            names.allSatisfy({ $0.dropLast(end.count).last == word })
        {
            end.insert(word, at: 0)
        }
        let saysNothing: Set<String> = ["Response", "Request", "Reply", "Object", "Param", "Item"]
        return end.isEmpty || end.count == 1 && saysNothing.contains(end[0]) ? nil : end.joined()
    }

    // MARK: Places

    private typealias Visit = (inout SharedTypes, inout DraftType, _ key: String) -> Void

    private mutating func visit(_ draft: inout SpecDraft, _ body: Visit) {
        for group in draft.groups.indices {
            let name = singular(draft.groups[group].name)
            for index in draft.groups[group].methods.indices {
                visit(&draft.groups[group].methods[index], name, body)
            }
        }
    }

    private mutating func visit(_ method: inout DraftMethod, _ group: String, _ body: Visit) {
        for section in method.sections.indices {
            for index in method.sections[section].fields.indices {
                let key = method.sections[section].fields[index].name
                visit(&method.sections[section].fields[index].type, key, body)
            }
        }
        if var type = method.body {
            visit(&type, group + " body", body)
            method.body = type
        }
        for index in method.returns.indices {
            visit(&method.returns[index].type, group + " reply", body)
        }
    }

    private mutating func visit(_ type: inout DraftType, _ key: String, _ body: Visit) {
        switch type.form {
        case .list(var element):
            visit(&element, singular(key), body)
            type.form = .list(element)
        case .map(let mapKey, var value):
            visit(&value, singular(key), body)
            type.form = .map(key: mapKey, value: value)
        default: body(&self, &type, key)
        }
    }
}
