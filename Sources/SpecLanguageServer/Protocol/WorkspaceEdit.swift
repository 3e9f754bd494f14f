/// Changes of several documents. Each names the version that it is for, so that a client refuses it
/// when the text has changed meanwhile.
struct WorkspaceEdit: Encodable {
    /// One change, of a text or of a file.
    enum Change: Encodable {
        case text(uri: String, version: Int?, edits: [TextEdit])
        case move(from: String, to: String)

        private enum Key: String, CodingKey {
            case textDocument, edits, kind, oldUri, newUri
        }

        private struct Versioned: Encodable {
            let uri: String
            let version: Int?

            private enum Key: String, CodingKey { case uri, version }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(uri, forKey: .uri)
                // Null is the version of a document that is not open.
                try container.encode(version, forKey: .version)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch self {
            case .text(let uri, let version, let edits):
                try container.encode(Versioned(uri: uri, version: version), forKey: .textDocument)
                try container.encode(edits, forKey: .edits)
            case .move(let old, let new):
                try container.encode("rename", forKey: .kind)
                try container.encode(old, forKey: .oldUri)
                try container.encode(new, forKey: .newUri)
            }
        }
    }

    let documentChanges: [Change]
}
