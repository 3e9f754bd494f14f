import SpecDiagnostics
import SpecSemantics

extension Feature {
    /// The outline of a document: methods with their parameters, models with their fields.
    static var documentSymbols: Feature {
        Feature(
            method: "textDocument/documentSymbol", capabilities: ["documentSymbolProvider": true]
        ) { params, workspace throws(Refusal) in
            guard let (snapshot, path) = try workspace.spec(params) else { return [] }
            let all = snapshot.declarations(in: path).sorted {
                ($0.whole.start, -$0.whole.end) < ($1.whole.start, -$1.whole.end)
            }
            var rest = all[...]
            return .list(outline(&rest, before: .max, snapshot, workspace))
        }
    }

    /// The entries that begin before an offset, each with those inside of it.
    private static func outline(
        _ rest: inout ArraySlice<Declaration>, before end: Int32, _ snapshot: SpecSnapshot,
        _ workspace: Workspace
    ) -> [JSONTree] {
        var entries: [JSONTree] = []
        while let next = rest.first, next.whole.start < end {
            rest = rest.dropFirst()
            let children = outline(&rest, before: next.whole.end, snapshot, workspace)
            guard next.symbol.kind != .typeParameter, let name = next.symbol.place,
                let range = workspace.location(of: next.whole.joined(with: name), in: snapshot),
                let selection = workspace.location(of: name, in: snapshot)
            else { continue }
            entries.append([
                // The protocol has no empty names.
                "name": .text(next.symbol.name.isEmpty ? "\"\"" : next.symbol.name),
                "detail": .text(next.type?.shown ?? ""), "kind": .number(next.symbol.kind.number),
                "range": range["range"], "selectionRange": selection["range"],
                "children": .list(children),
            ])
        }
        return entries
    }

    /// Finds symbols of all open specs by letters of their names; at most 500, because an editor
    /// asks again with a longer query.
    static var workspaceSymbols: Feature {
        Feature(
            method: "workspace/symbol", capabilities: ["workspaceSymbolProvider": true]
        ) { params, workspace throws(Refusal) in
            let query = try params.required("query", \.text).lowercased()
            var found: [JSONTree] = []
            for snapshot in workspace.specs() {
                for declaration in snapshot.symbols.declarations
                where found.count < 500 && hasLetters(query, declaration.symbol.name.lowercased()) {
                    let symbol = declaration.symbol
                    let place = symbol.place.flatMap { workspace.location(of: $0, in: snapshot) }
                    found.append([
                        "name": .text(symbol.name), "kind": .number(symbol.kind.number),
                        "location": place ?? .null, "containerName": .text(declaration.owner),
                    ])
                }
            }
            return .list(found)
        }
    }

    /// Whether a name has the letters of a query in their order.
    private static func hasLetters(_ query: String, _ name: String) -> Bool {
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
