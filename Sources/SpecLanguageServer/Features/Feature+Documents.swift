extension Feature {
    /// The client is ready. It is asked to tell of changes on disk.
    static var starting: Feature {
        Feature(method: "initialized") { _, workspace in
            workspace.watchFiles()
            return .null
        }
    }

    /// A document is open: its text is the one of the editor.
    static var opening: Feature {
        Feature(
            method: "textDocument/didOpen",
            // 2: the client sends the parts that change.
            capabilities: ["textDocumentSync": ["openClose": true, "change": 2, "save": true]]
        ) { params, workspace throws(Refusal) in
            let document = params["textDocument"]
            workspace.open(
                try document.required("uri", \.text),
                version: try document.required("version", \.number),
                text: try document.required("text", \.text))
            return .null
        }
    }

    /// The text of a document has changed.
    static var changing: Feature {
        Feature(method: "textDocument/didChange") { params, workspace throws(Refusal) in
            let document = params["textDocument"]
            workspace.change(
                try document.required("uri", \.text),
                version: try document.required("version", \.number),
                params["contentChanges"].items)
            return .null
        }
    }

    /// A document has been saved, perhaps with others.
    static var saving: Feature { rereading("textDocument/didSave") }

    /// Files have changed on disk.
    static var watching: Feature { rereading("workspace/didChangeWatchedFiles") }

    private static func rereading(_ method: String) -> Feature {
        Feature(method: method) { _, workspace in
            workspace.reread()
            return .null
        }
    }

    /// A document is closed: its text is the one on disk.
    static var closing: Feature {
        Feature(method: "textDocument/didClose") { params, workspace throws(Refusal) in
            workspace.close(try params["textDocument"].required("uri", \.text))
            return .null
        }
    }
}
