import SpecSemantics

/// Settles the names of the models that no schema of the description names.
///
/// A name that one of them alone asks for stays. Models that ask for the same get the name of their
/// only method, group or model in front, all of them, so that no name depends on their order.
struct InventedNames {
    private let types: TypeTranslator
    private let namer = SwiftNamer()
    private var contents: [String: String] = [:]
    /// What uses each model.
    private var methods: [String: Set<ImportNames.Place>] = [:]
    private var models: [String: Set<String>] = [:]

    static func settle(in draft: inout SpecDraft, _ types: TypeTranslator) {
        guard !types.invented.isEmpty else { return }
        let names = InventedNames(draft, types).settled()
        types.taken.subtract(names.keys)
        types.taken.formUnion(names.values)
        for index in draft.unplaced.indices {
            let name = draft.unplaced[index].name
            draft.unplaced[index].name = names[name] ?? name
            draft.unplaced[index].type.rename(names)
        }
        for index in draft.settings.indices { draft.settings[index].rename(names) }
        draft.updateMethods { method in
            method.updateTypes { type, _ in type.rename(names) }
            for index in method.settings.indices { method.settings[index].rename(names) }
        }
    }

    private init(_ draft: SpecDraft, _ types: TypeTranslator) {
        self.types = types
        for model in draft.unplaced {
            for name in model.type.mentions where types.invented[name] != nil {
                models[name, default: []].insert(types.invented[model.name] ?? model.name)
            }
            guard types.invented[model.name] != nil else { continue }
            contents[model.name] = SpecDraftWriter.text([model.entry])
        }
        for group in draft.groups {
            for method in group.methods {
                let place = ImportNames.Place(group: group.name, method: method.name)
                for name in method.mentions where types.invented[name] != nil {
                    methods[name, default: []].insert(place)
                }
            }
        }
    }

    /// The new names, by the old ones.
    private func settled() -> [String: String] {
        let old = types.invented.keys.sorted { (contents[$0] ?? "") < (contents[$1] ?? "") }
        // A method whose reply is a model has no type of its own for it.
        let replies = old.flatMap { methods[$0] ?? [] }.map { label($0) + "Reply" }
        let others = types.taken.subtracting(old).subtracting(replies)
        let distinct = DistinctNames(
            old.map(candidates),
            taken: others.union(ReservedNames.types + ["Null", "True", "False"])
        ) {
            contents[old[$0]] ?? ""
        } identity: {
            $1
        }
        return Dictionary(uniqueKeysWithValues: zip(old, distinct.names))
    }

    /// The name that a model asks for, with its user in front, and with its first method alone.
    private func candidates(_ name: String) -> [String] {
        let base = types.invented[name] ?? name
        let places = methods[name] ?? []
        let groups = Set(places.map(\.group))
        let first = places.map(label).min()
        let group = groups.count == 1 ? namer.upperCamel(singular(groups.min() ?? "")) : nil
        let user = (places.count > 1 ? group : nil) ?? first ?? models[name]?.min() ?? types.prefix
        let end = SwiftNamer.words(base).last ?? ""
        let ofMethod = first.map { $0 + (["Reply", "Body"].contains(end) ? end : base) }
        return [base, base.hasPrefix(user) ? base : user + base] + [ofMethod].compactMap { $0 }
    }

    private func label(_ place: ImportNames.Place) -> String {
        namer.upperCamel("\(place.group).\(place.method)") ?? ""
    }
}

extension DraftType {
    fileprivate mutating func rename(_ names: [String: String]) {
        changeAll { type in
            switch type.form {
            case .named(let name): type.form = .named(names[name] ?? name)
            case .object(var object):
                object.mixins = object.mixins.map { names[$0] ?? $0 }
                type.form = .object(object)
            default: break
            }
        }
    }
}

extension DraftEntry {
    /// Renames the models that a setting names.
    fileprivate mutating func rename(_ names: [String: String]) {
        switch value {
        case .text(let name) where key == "model": value = .text(names[name] ?? name)
        case .map(var entries):
            for index in entries.indices { entries[index].rename(names) }
            value = .map(entries)
        case .block(var entries):
            for index in entries.indices { entries[index].rename(names) }
            value = .block(entries)
        default: break
        }
    }
}
