import SpecSemantics

/// Settles the names of the models that no schema of the description names.
///
/// A name that one of them alone asks for stays. Models that ask for the same get the name of their
/// only method, group or model in front, all of them, so that no name depends on their order.
struct InventedNames {
    private let types: TypeTranslator
    private let namer = SwiftNamer()
    private var contents: [String: DraftType] = [:]
    /// What uses each model.
    private var methods: [String: Set<ImportNames.Place>] = [:]
    private var models: [String: Set<String>] = [:]
    /// Names that no model may get.
    private var taken: Set<String>

    static func settle(in draft: inout SpecDraft, _ types: TypeTranslator) {
        guard !types.invented.isEmpty else { return }
        let names = InventedNames(draft, types).settled()
        types.taken.subtract(names.keys)
        types.taken.formUnion(names.values)
        var seen: Set<String> = []
        for index in draft.unplaced.indices {
            let name = draft.unplaced[index].name
            draft.unplaced[index].name = names[name] ?? name
            draft.unplaced[index].type.rename(names)
        }
        draft.unplaced.removeAll { !seen.insert($0.name).inserted }
        for index in draft.settings.indices { draft.settings[index].rename(names) }
        draft.updateMethods { method in
            method.updateTypes { type, _ in type.rename(names) }
            for index in method.settings.indices { method.settings[index].rename(names) }
        }
    }

    private init(_ draft: SpecDraft, _ types: TypeTranslator) {
        self.types = types
        taken = types.taken.subtracting(types.invented.keys)
        for group in draft.groups {
            for method in group.methods {
                let place = ImportNames.Place(group: group.name, method: method.name)
                for name in method.mentions where types.invented[name] != nil {
                    methods[name, default: []].insert(place)
                }
                // A method whose reply is a model has no type of its own for it.
                if method.returns.count < 2 { taken.remove(label(place) + "Reply") }
            }
        }
        for model in draft.unplaced {
            for name in model.type.mentions where types.invented[name] != nil {
                models[name, default: []].insert(types.invented[model.name] ?? model.name)
            }
            if types.invented[model.name] != nil {
                contents[model.name] = model.type
            } else {
                taken.insert(model.name)
            }
        }
        taken.formUnion(ReservedNames.types + ["Null", "True", "False"])
    }

    /// The new names, by the old ones. Models that are alike and ask for one name become one.
    private func settled() -> [String: String] {
        let alike = Dictionary(grouping: types.invented.keys) {
            DraftField(types.invented[$0] ?? "", contents[$0] ?? .json)
        }
        let texts = alike.map { (names: $1, text: SpecDraftWriter.text([$0.entry])) }
        let sorted = texts.sorted { $0.text < $1.text }
        let distinct = DistinctNames(
            sorted.map { candidates($0.names) }, taken: taken, order: { sorted[$0].text },
            identity: { $1 })
        let pairs = zip(sorted, distinct.names).flatMap { old, new in old.names.map { ($0, new) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The name that alike models ask for; the same with the text that is always in it in front;
    /// with their user in front; and with their first method alone.
    private func candidates(_ names: [String]) -> [String] {
        let base = types.invented[names[0]] ?? names[0]
        let places = Set(names.flatMap { methods[$0] ?? [] })
        let groups = Set(places.map(\.group))
        let first = places.map(label).min()
        let group = groups.count == 1 ? namer.upperCamel(singular(groups.min() ?? "")) : nil
        let outer = names.flatMap { models[$0] ?? [] }.min()
        let user = (places.count > 1 ? group : nil) ?? first ?? outer ?? types.prefix
        let end = SwiftNamer.words(base).last ?? ""
        let tagged = contents[names[0]]?.constant.flatMap(namer.upperCamel).map { $0 + base }
        let ofMethod = first.map { $0 + (["Reply", "Body"].contains(end) ? end : base) }
        let all = [base, tagged, base.hasPrefix(user) ? base : user + base, ofMethod]
        return all.compactMap { $0 }.filter { $0.first?.isLetter == true }
    }

    private func label(_ place: ImportNames.Place) -> String {
        namer.upperCamel("\(place.group).\(place.method)") ?? ""
    }
}

extension DraftType {
    /// The text of a field that always has the same.
    fileprivate var constant: String? {
        guard case .object(let object) = form else { return nil }
        return object.fields.lazy.compactMap { field in
            if case .constant(.text(let text)) = field.type.form { text } else { nil }
        }.first
    }

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
