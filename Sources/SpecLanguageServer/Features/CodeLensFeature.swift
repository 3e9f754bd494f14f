/// Shows above each method the Swift function that it becomes.
enum CodeLensFeature: Feature {
    struct Lens: Encodable {
        struct Command: Encodable {
            let title: String
            /// Nothing happens on a click.
            let command = ""
        }

        let range: TextRange
        let command: Command
    }

    static let method = "textDocument/codeLens"
    static let capabilities: [String: JSONTree] = ["codeLensProvider": [:]]

    static func answer(_ params: WholeDocument, _ workspace: inout Workspace) -> [Lens] {
        guard let (snapshot, path) = workspace.spec(of: params.textDocument.uri) else { return [] }
        return snapshot.declarations(in: path).compactMap { declaration in
            guard declaration.symbol.kind == .method, let place = declaration.symbol.place,
                let signature = workspace.signature(of: declaration.symbol.name, in: snapshot),
                let location = workspace.location(of: place, in: snapshot)
            else { return nil }
            return Lens(range: location.range, command: Lens.Command(title: signature))
        }
    }
}
