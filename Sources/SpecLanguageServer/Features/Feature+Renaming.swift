extension Feature {
    /// Says whether the name at a place can be changed.
    static var renamingPlace: Feature {
        Feature(method: "textDocument/prepareRename") { params, workspace throws(Refusal) in
            guard let cursor = try workspace.cursor(params), let found = cursor.occurrence,
                let location = workspace.location(of: found.span, in: cursor.snapshot)
            else { return .null }
            try Renaming.require(found.symbol)
            let name = cursor.snapshot.text(of: found.span)
            return ["range": location["range"], "placeholder": .text(name)]
        }
    }

    /// Changes a name at all places of the spec.
    static var renaming: Feature {
        Feature(
            method: "textDocument/rename",
            capabilities: ["renameProvider": ["prepareProvider": true]]
        ) { params, workspace throws(Refusal) in
            guard let cursor = try workspace.cursor(params), let found = cursor.occurrence else {
                throw Refusal(.failed, "there is no name here")
            }
            let name = try params.required("newName", \.text)
            let renaming = try Renaming(found, to: name, in: cursor.snapshot)
            let texts = renaming.edits.sorted { $0.key < $1.key }.compactMap { path, edits in
                cursor.snapshot.file(path).map { workspace.change($0, edits) }
            }
            let moves = renaming.moves.map { move -> JSONTree in
                [
                    "kind": "rename", "oldUri": .text(workspace.uri(of: move.from)),
                    "newUri": .text(workspace.uri(of: move.to)),
                ]
            }
            let operations = workspace.client["workspace", "workspaceEdit", "resourceOperations"]
            if !moves.isEmpty, !operations.items.contains("rename") {
                throw Refusal(
                    .failed,
                    "the editor cannot rename the method's template, which is called like it")
            }
            return ["documentChanges": .list(texts + moves)]
        }
    }
}
