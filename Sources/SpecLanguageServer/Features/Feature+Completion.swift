extension Feature {
    /// Lists what may stand at a place.
    static var completion: Feature {
        Feature(
            method: "textDocument/completion",
            capabilities: [
                "completionProvider": ["triggerCharacters": [" ", "[", "{", "|", "<", "."]]
            ]
        ) { params, workspace throws(Refusal) in
            guard let cursor = try workspace.cursor(params) else { return [] }
            // Of a path, a step is completed; of a method, the whole name.
            var word = WordPlace(at: cursor.offset, in: cursor.file, isStep: true)
            var candidates = Completion(cursor, word).candidates
            if !candidates.contains(where: { $0.kind == .field }) {
                word = WordPlace(at: cursor.offset, in: cursor.file)
                candidates = Completion(cursor, word).candidates
            }
            let range = workspace.encoding.range(of: word.range, in: cursor.file)
            return .list(candidates.enumerated().map { $1.item(at: $0, replacing: range) })
        }
    }
}

extension Completion.Candidate {
    /// The candidate in the protocol.
    fileprivate func item(at index: Int, replacing range: JSONTree) -> JSONTree {
        let order = String(index)
        var item: [String: JSONTree] = [
            "label": .text(text), "kind": .number(kind.rawValue),
            "textEdit": ["range": range, "newText": .text(text + ending)],
            // Clients sort by text, and this is the order of the list.
            "sortText": .text(String(repeating: "0", count: max(0, 4 - order.count)) + order),
        ]
        item["detail"] = detail.map { .text($0) }
        item["documentation"] = documentation.map { .markdown($0) }
        return .object(item)
    }
}
