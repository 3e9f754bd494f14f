extension Feature {
    /// Leads from a name to its declaration; from a method also to the template of its name.
    static var definition: Feature {
        Feature(
            method: "textDocument/definition", capabilities: ["definitionProvider": true]
        ) { params, workspace throws(Refusal) in
            guard let cursor = try workspace.cursor(params), let found = cursor.occurrence else {
                return []
            }
            let symbols = cursor.snapshot.symbols
            var places = [found.symbol.place].compactMap { $0 }
            if found.isDeclaration {
                places += symbols.namedTemplates.filter { $0.value == found.symbol }
                    .compactMap { symbols.named(.template, $0.key)?.symbol.place }
            }
            return .list(places.compactMap { workspace.location(of: $0, in: cursor.snapshot) })
        }
    }

    /// Lists the places that name a symbol.
    static var references: Feature {
        Feature(
            method: "textDocument/references", capabilities: ["referencesProvider": true]
        ) { params, workspace throws(Refusal) in
            guard let cursor = try workspace.cursor(params), let found = cursor.occurrence else {
                return []
            }
            let withDeclaration = params["context", "includeDeclaration"] == true
            return .list(
                cursor.snapshot.symbols.all(of: found.symbol)
                    .filter { withDeclaration || !$0.isDeclaration }
                    .compactMap { workspace.location(of: $0.span, in: cursor.snapshot) })
        }
    }

    /// Shows above each method the Swift function that it becomes.
    static var codeLenses: Feature {
        Feature(
            method: "textDocument/codeLens", capabilities: ["codeLensProvider": [:]]
        ) { params, workspace throws(Refusal) in
            guard let (snapshot, path) = try workspace.spec(params) else { return [] }
            let methods = snapshot.declarations(in: path).filter { $0.symbol.kind == .method }
            return .list(
                methods.compactMap { method in
                    guard let place = method.symbol.place,
                        let signature = workspace.signature(of: method.symbol.name, in: snapshot),
                        let location = workspace.location(of: place, in: snapshot)
                    else { return nil }
                    // Nothing happens on a click.
                    return [
                        "range": location["range"],
                        "command": ["title": .text(signature), "command": ""],
                    ]
                })
        }
    }
}
