/// Reads a text or a number as a text where no request sends it. A request needs to say which of the
/// two it sends.
struct TextsOrNumbers {
    static func simplify(in draft: inout SpecDraft) {
        let sent = DraftModels(draft.unplaced).reachable(
            from: draft.groups.flatMap(\.methods).flatMap(\.sentModels))
        for index in draft.unplaced.indices where !sent.contains(draft.unplaced[index].name) {
            draft.unplaced[index].type.changeAll(simplify)
        }
        draft.updateMethods { method in
            for index in method.returns.indices { method.returns[index].type.changeAll(simplify) }
        }
    }

    private static func simplify(_ type: inout DraftType) {
        guard type.isTextOrNumber else { return }
        type.form = .named("string")
        type.attributes.insert(DraftEntry("from", .text("either")), at: 0)
    }
}

extension DraftType {
    /// Whether it is a union of any text and any number.
    var isTextOrNumber: Bool {
        guard case .union(let union) = form, union.tag == nil, union.alternatives.count == 2 else {
            return false
        }
        let words = union.alternatives.map(\.type).compactMap { type -> String? in
            guard case .named(let word) = type.form, type.attributes.isEmpty else { return nil }
            return word
        }
        return words.contains("string")
            && words.contains { ["int", "int32", "uint", "double", "decimal"].contains($0) }
    }
}
