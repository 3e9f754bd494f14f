import SpecDiagnostics

/// The outline of a document: methods with their parameters, models with their fields.
enum DocumentSymbolFeature: Feature {
    struct Entry: Encodable {
        let name: String
        let detail: String?
        let kind: Int
        let range: TextRange
        let selectionRange: TextRange
        var children: [Entry]
    }

    static let method = "textDocument/documentSymbol"
    static let capabilities: [String: JSONTree] = ["documentSymbolProvider": true]

    static func answer(_ params: WholeDocument, _ workspace: inout Workspace) -> [Entry] {
        guard let (snapshot, path) = workspace.spec(of: params.textDocument.uri) else { return [] }
        let all = snapshot.declarations(in: path).sorted {
            ($0.whole.start, -$0.whole.end) < ($1.whole.start, -$1.whole.end)
        }
        var rest = all[...]
        return entries(&rest, before: .max, snapshot, workspace)
    }

    /// The entries that begin before an offset, each with those inside of it.
    private static func entries(
        _ rest: inout ArraySlice<Declaration>, before end: Int32, _ snapshot: SpecSnapshot,
        _ workspace: Workspace
    ) -> [Entry] {
        var entries: [Entry] = []
        while let next = rest.first, next.whole.start < end {
            rest = rest.dropFirst()
            let children = self.entries(&rest, before: next.whole.end, snapshot, workspace)
            guard next.symbol.kind != .typeParameter, let name = next.symbol.place,
                let range = workspace.location(of: next.whole.joined(with: name), in: snapshot),
                let selection = workspace.location(of: name, in: snapshot)
            else { continue }
            entries.append(
                Entry(
                    name: next.symbol.name.isEmpty ? "\"\"" : next.symbol.name,
                    detail: next.type.map(TypeWords.text), kind: next.symbol.kind.number,
                    range: range.range, selectionRange: selection.range, children: children))
        }
        return entries
    }
}

/// Finds symbols of all open specs by a part of their name.
enum WorkspaceSymbolFeature: Feature {
    struct Params: Decodable {
        let query: String
    }

    struct Entry: Encodable {
        let name: String
        let kind: Int
        let location: Location
        let containerName: String
    }

    static let method = "workspace/symbol"
    static let capabilities: [String: JSONTree] = ["workspaceSymbolProvider": true]
    /// An editor shows no more; it asks again with a longer query.
    private static let most = 500

    static func answer(_ params: Params, _ workspace: inout Workspace) -> [Entry] {
        let query = params.query.lowercased()
        var entries: [Entry] = []
        for snapshot in workspace.specs() {
            for declaration in snapshot.symbols.declarations
            where isMatch(declaration.symbol.name.lowercased(), query) {
                guard entries.count < most, let place = declaration.symbol.place,
                    let location = workspace.location(of: place, in: snapshot)
                else { continue }
                entries.append(
                    Entry(
                        name: declaration.symbol.name, kind: declaration.symbol.kind.number,
                        location: location, containerName: declaration.owner))
            }
        }
        return entries
    }

    /// Whether a name has the letters of the query in their order.
    private static func isMatch(_ name: String, _ query: String) -> Bool {
        var rest = query[...]
        for letter in name where letter == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }
}

extension Symbol.Kind {
    /// The number that the protocol has for the nearest kind.
    fileprivate var number: Int {
        switch self {
        case .model: 23  // Struct
        case .typeParameter: 26  // TypeParameter
        case .method: 6  // Method
        case .parameter: 13  // Variable
        case .field: 8  // Field
        case .template: 1  // File
        case .server, .scheme, .session, .queue: 14  // Constant
        case .errorCase: 22  // EnumMember
        }
    }
}
