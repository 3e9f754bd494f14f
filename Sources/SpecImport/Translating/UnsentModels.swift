import SpecDiagnostics

/// Keeps objects that only replies have out of requests: a field whose object has nothing to send is
/// itself one of replies.
struct UnsentModels {
    private var models: [DraftModel]
    private var unsent: Set<String> = []
    /// The fields that were marked, with their models.
    private var marked: [(model: String, field: String)] = []

    /// Marks the fields of models that requests contain.
    static func mark(in draft: inout SpecDraft, _ types: TypeTranslator) {
        let sent = DraftModels(draft.unplaced).reachable(
            from: draft.groups.flatMap(\.methods).flatMap(\.sentModels))
        var search = UnsentModels(models: draft.unplaced)
        // Each round marks a field, or is the last one.
        var count = -1
        while search.marked.count + search.unsent.count > count {
            count = search.marked.count + search.unsent.count
            search.markOnce(sent)
        }
        draft.unplaced = search.models
        for (model, field) in search.marked {
            types.lose(.unsent, "\(model).\(field)", at: types.span(of: model))
        }
    }

    private init(models: [DraftModel]) { self.models = models }

    private mutating func markOnce(_ sent: Set<String>) {
        for index in models.indices {
            let name = models[index].name
            if isUnsent(models[index].type) { unsent.insert(name) }
            guard sent.contains(name), case .object(var object) = models[index].type.form else {
                continue
            }
            for place in object.fields.indices {
                let type = object.fields[place].type
                guard type.attributes["only"] == nil, isUnsent(type) else { continue }
                object.fields[place].type.attributes.append(DraftEntry("only", .text("reply")))
                marked.append((name, object.fields[place].name))
            }
            models[index].type.form = .object(object)
        }
    }

    /// Whether a request has nothing to send of a type.
    private func isUnsent(_ type: DraftType) -> Bool {
        switch type.form {
        case .named(let name): unsent.contains(name)
        case .list(let element): isUnsent(element)
        case .map(_, let value): isUnsent(value)
        case .object(let object):
            object.additional == nil && !(object.fields.isEmpty && object.mixins.isEmpty)
                && object.mixins.allSatisfy(unsent.contains)
                && object.fields.allSatisfy { $0.type.attributes["only"] == .text("reply") }
        case .enumeration, .union, .constant: false
        }
    }
}
