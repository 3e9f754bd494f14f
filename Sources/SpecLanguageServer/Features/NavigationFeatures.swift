/// Leads from a name to its declaration; from a method to its template, if it has one of its name.
enum DefinitionFeature: Feature {
    static let method = "textDocument/definition"
    static let capabilities: [String: JSONTree] = ["definitionProvider": true]

    static func answer(_ params: DocumentPosition, _ workspace: inout Workspace) -> [Location] {
        guard let cursor = workspace.cursor(params), let found = cursor.occurrence else { return [] }
        let symbols = cursor.snapshot.symbols
        var places = [found.symbol.place].compactMap { $0 }
        if found.isDeclaration {
            places += symbols.namedTemplates.filter { $0.value == found.symbol }
                .compactMap { symbols.named(.template, $0.key)?.symbol.place }
        }
        return places.compactMap { workspace.location(of: $0, in: cursor.snapshot) }
    }
}

/// Lists the places that name a symbol.
enum ReferencesFeature: Feature {
    struct Params: Decodable {
        struct Context: Decodable {
            let includeDeclaration: Bool
        }

        let textDocument: DocumentID
        let position: TextPosition
        let context: Context
    }

    static let method = "textDocument/references"
    static let capabilities: [String: JSONTree] = ["referencesProvider": true]

    static func answer(_ params: Params, _ workspace: inout Workspace) -> [Location] {
        let place = DocumentPosition(textDocument: params.textDocument, position: params.position)
        guard let cursor = workspace.cursor(place), let found = cursor.occurrence else { return [] }
        return cursor.snapshot.symbols.all(of: found.symbol)
            .filter { params.context.includeDeclaration || !$0.isDeclaration }
            .compactMap { workspace.location(of: $0.span, in: cursor.snapshot) }
    }
}

/// Marks the places of the same document that name a symbol.
enum HighlightFeature: Feature {
    struct Highlight: Encodable {
        let range: TextRange
        /// 2: a use; 3: a declaration.
        let kind: Int
    }

    static let method = "textDocument/documentHighlight"
    static let capabilities: [String: JSONTree] = ["documentHighlightProvider": true]

    static func answer(_ params: DocumentPosition, _ workspace: inout Workspace) -> [Highlight] {
        guard let cursor = workspace.cursor(params), let found = cursor.occurrence else { return [] }
        return cursor.snapshot.symbols.all(of: found.symbol)
            .filter { $0.span.file == found.span.file }
            .compactMap { occurrence in
                workspace.location(of: occurrence.span, in: cursor.snapshot).map {
                    Highlight(range: $0.range, kind: occurrence.isDeclaration ? 3 : 2)
                }
            }
    }
}
