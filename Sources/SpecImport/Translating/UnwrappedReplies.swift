/// Moves the key under which replies have their value to `unwrap` of the API or of a group.
struct UnwrappedReplies {
    /// The fewest replies for which an `unwrap` is worth a place of its own.
    private static let fewest = 3

    private let models: [String: DraftType]

    static func hoist(in draft: inout SpecDraft) {
        guard draft.settings["unwrap"] == nil else { return }
        let models = Dictionary(
            draft.unplaced.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        let replies = UnwrappedReplies(models: models)
        if let key = replies.key(of: draft.groups.flatMap(\.methods)) {
            draft.settings.append(DraftEntry("unwrap", .text(key)))
            draft.updateMethods { replies.unwrap(&$0, key) }
            return
        }
        for group in draft.groups.indices {
            guard let key = replies.key(of: draft.groups[group].methods) else { continue }
            draft.groups[group].documentation.append(DraftEntry("unwrap", .text(key)))
            for index in draft.groups[group].methods.indices {
                replies.unwrap(&draft.groups[group].methods[index], key)
            }
        }
    }

    /// The key that at least four of five JSON replies have alone.
    private func key(of methods: [DraftMethod]) -> String? {
        let replies = methods.filter(readsJSON)
        let keys = replies.compactMap(key)
        let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            most.value >= Self.fewest, most.value * 5 >= replies.count * 4
        else { return nil }
        return most.key
    }

    private func readsJSON(_ method: DraftMethod) -> Bool {
        let others: Set<DraftType.Form> = [.named("nothing"), .named("bytes"), .named("text")]
        return method.returns.contains { !others.contains($0.type.form) }
    }

    private func unwrap(_ method: inout DraftMethod, _ key: String) {
        guard readsJSON(method) else { return }
        guard self.key(of: method) == key else {
            method.settings.append(DraftEntry("unwrap", .word("none")))
            return
        }
        for index in method.returns.indices {
            if let field = field(of: method.returns[index].type) {
                method.returns[index].type = field.type
            }
        }
        for index in method.settings.indices {
            method.settings[index].moveInside(key)
        }
        method.proposals = method.proposals.map {
            $0.replacing("items: \(key),", with: "items: $body,")
        }
    }

    /// The only key of a method's replies.
    private func key(of method: DraftMethod) -> String? {
        guard method.settings["stream"] == nil else { return nil }
        let types = method.returns.map(\.type).filter { $0.form != .named("nothing") }
        let keys = Set(types.map { field(of: $0)?.name })
        return keys.count == 1 ? keys.first ?? nil : nil
    }

    private static let notes: Set<String> = ["doc", "link", "example", "examples"]

    /// The only field of an object, without its documentation; nil for a field that says no more
    /// than that all is well.
    private func field(of type: DraftType) -> DraftField? {
        guard !type.isNullable, case .object(let object) = resolved(type).form,
            Self.notes.isSuperset(of: resolved(type).attributes.map(\.key)),
            object.fields.count == 1, object.mixins.isEmpty, object.additional == nil,
            var field = object.fields.first, !field.type.isOptional,
            field.name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
        else { return nil }
        field.type.attributes.removeAll { Self.notes.contains($0.key) || $0.key == "only" }
        switch resolved(field.type).form {
        case .constant, .enumeration, .named("bool"): return nil
        default: return field
        }
    }

    /// The type behind names.
    private func resolved(_ type: DraftType) -> DraftType {
        var type = type
        for _ in 0..<50 {
            guard case .named(let name) = type.form, let model = models[name] else { break }
            type = model
        }
        return type
    }
}

extension DraftEntry {
    /// Makes paths and examples of whole replies begin at the value of a key.
    fileprivate mutating func moveInside(_ name: String) {
        switch (key, value) {
        case ("pages", .map(var entries)):
            for index in entries.indices where entries[index].value == .text(name) {
                entries[index].value = .text("$body")
            }
            value = .map(entries)
        case ("examples", .map(let entries)):
            value = .map(
                entries.map { entry in
                    guard case .map(let members) = entry.value, let inner = members[name] else {
                        return entry
                    }
                    return DraftEntry(entry.key, inner)
                })
        default: break
        }
    }
}
