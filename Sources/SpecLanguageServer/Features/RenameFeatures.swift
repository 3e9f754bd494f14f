import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

/// Says whether the name at a place can be changed.
enum PrepareRenameFeature: Feature {
    struct Target: Encodable {
        let range: TextRange
        let placeholder: String
    }

    static let method = "textDocument/prepareRename"

    static func answer(
        _ params: DocumentPosition, _ workspace: inout Workspace
    ) throws -> Target? {
        guard let cursor = workspace.cursor(params), let found = cursor.occurrence else {
            return nil
        }
        try Renaming.require(found.symbol)
        return workspace.location(of: found.span, in: cursor.snapshot).map {
            Target(range: $0.range, placeholder: cursor.snapshot.text(of: found.span))
        }
    }
}

/// Changes a name at all places of the spec.
enum RenameFeature: Feature {
    struct Params: Decodable {
        let textDocument: DocumentID
        let position: TextPosition
        let newName: String
    }

    static let method = "textDocument/rename"
    static let capabilities: [String: JSONTree] = ["renameProvider": ["prepareProvider": true]]

    static func answer(_ params: Params, _ workspace: inout Workspace) throws -> WorkspaceEdit {
        let place = DocumentPosition(textDocument: params.textDocument, position: params.position)
        guard let cursor = workspace.cursor(place), let found = cursor.occurrence else {
            throw Refusal(.failed, "there is no name here")
        }
        let renaming = try Renaming(found, to: params.newName, in: cursor.snapshot)
        let texts = renaming.edits.sorted { $0.key < $1.key }.map { path, edits in
            let file = cursor.snapshot.file(path)
            return WorkspaceEdit.Change.text(
                uri: workspace.uri(of: path), version: workspace.version(of: path),
                edits: edits.compactMap { edit in
                    file.map {
                        TextEdit(
                            range: workspace.encoding.range(of: edit.range, in: $0),
                            newText: edit.text)
                    }
                })
        }
        let moves = renaming.moves.map {
            WorkspaceEdit.Change.move(
                from: workspace.uri(of: $0.from), to: workspace.uri(of: $0.to))
        }
        let movesFiles = workspace.client["workspace", "workspaceEdit", "resourceOperations"]
            .items.contains("rename")
        if !moves.isEmpty, !movesFiles {
            throw Refusal(
                .failed, "the editor cannot rename the method's template, which is called like it")
        }
        return WorkspaceEdit(documentChanges: texts + moves)
    }
}
