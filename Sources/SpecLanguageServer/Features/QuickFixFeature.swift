import SpecDiagnostics

/// Offers the remedies that diagnostics name.
enum QuickFixFeature: Feature {
    struct Params: Decodable {
        struct Context: Decodable {
            let diagnostics: [ShownDiagnostic]
            let only: [String]?
        }

        let textDocument: DocumentID
        let range: TextRange
        let context: Context
    }

    struct Action: Encodable {
        let title: String
        var kind = "quickfix"
        let diagnostics: [ShownDiagnostic]
        let isPreferred: Bool
        let edit: WorkspaceEdit
    }

    static let method = "textDocument/codeAction"
    static let capabilities: [String: JSONTree] = [
        "codeActionProvider": ["codeActionKinds": ["quickfix"]]
    ]

    static func answer(_ params: Params, _ workspace: inout Workspace) -> [Action] {
        let isAsked = params.context.only?.contains { "quickfix".hasPrefix($0) } ?? true
        guard isAsked, let (snapshot, path) = workspace.spec(of: params.textDocument.uri),
            let file = snapshot.file(path)
        else { return [] }
        let start = workspace.encoding.offset(of: params.range.start, in: file)
        let end = workspace.encoding.offset(of: params.range.end, in: file)
        var actions: [Action] = []
        for diagnostic in snapshot.compilation.diagnostics.all
        where diagnostic.span.file == file.id && actions.count < 20 {
            let shown = ShownDiagnostic(diagnostic, of: file, in: snapshot, workspace)
            // An editor may ask for the cursor alone, and name the diagnostics of its line.
            let isNamed = params.context.diagnostics.contains {
                $0.code == shown.code && $0.range == shown.range
            }
            let isHere = Int(diagnostic.span.start) <= end && start <= Int(diagnostic.span.end)
            guard isNamed || isHere else { continue }
            for (index, fix) in QuickFix.all(for: diagnostic, in: file, of: snapshot).enumerated() {
                let edit = TextEdit(
                    range: workspace.encoding.range(of: fix.range, in: file), newText: fix.text)
                let change = WorkspaceEdit.Change.text(
                    uri: workspace.uri(of: path), version: workspace.version(of: path),
                    edits: [edit])
                actions.append(
                    Action(
                        title: fix.title, diagnostics: [shown], isPreferred: index == 0,
                        edit: WorkspaceEdit(documentChanges: [change])))
            }
        }
        return actions
    }
}
