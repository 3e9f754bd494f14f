/// A document is open: its text is the one of the editor.
enum OpeningFeature: Feature {
    struct Params: Decodable {
        struct Document: Decodable {
            let uri: String
            let version: Int
            let text: String
        }

        let textDocument: Document
    }

    static let method = "textDocument/didOpen"
    static let capabilities: [String: JSONTree] = [
        // 2: the client sends the parts that change.
        "textDocumentSync": ["openClose": true, "change": 2, "save": true]
    ]

    static func answer(_ params: Params, _ workspace: inout Workspace) -> JSONTree {
        let document = params.textDocument
        workspace.open(document.uri, version: document.version, text: document.text)
        return .null
    }
}

/// The text of a document has changed.
enum ChangingFeature: Feature {
    struct Params: Decodable {
        struct Document: Decodable {
            let uri: String
            let version: Int
        }

        let textDocument: Document
        let contentChanges: [OpenDocument.Change]
    }

    static let method = "textDocument/didChange"

    static func answer(_ params: Params, _ workspace: inout Workspace) -> JSONTree {
        let document = params.textDocument
        workspace.change(document.uri, version: document.version, params.contentChanges)
        return .null
    }
}

/// A document has been saved: with it, the tool that saved it may have written others.
enum SavingFeature: Feature {
    static let method = "textDocument/didSave"

    static func answer(_ params: WholeDocument, _ workspace: inout Workspace) -> JSONTree {
        workspace.reread()
        return .null
    }
}

/// A document is closed: its text is the one on disk.
enum ClosingFeature: Feature {
    static let method = "textDocument/didClose"

    static func answer(_ params: WholeDocument, _ workspace: inout Workspace) -> JSONTree {
        workspace.close(params.textDocument.uri)
        return .null
    }
}

/// Files have changed on disk.
enum WatchingFeature: Feature {
    static let method = "workspace/didChangeWatchedFiles"

    static func answer(_ params: JSONTree, _ workspace: inout Workspace) -> JSONTree {
        workspace.reread()
        return .null
    }
}

/// The client is ready.
enum StartingFeature: Feature {
    static let method = "initialized"

    static func answer(_ params: JSONTree, _ workspace: inout Workspace) -> JSONTree { .null }
}
