import SpecDiagnostics

/// The text of a document that is open in the editor.
struct OpenDocument {
    /// A change of a part, or without a range of the whole.
    struct Change: Decodable {
        var range: TextRange?
        var text: String
    }

    /// Its address, as the client writes it.
    let uri: String
    private(set) var version: Int
    private(set) var bytes: [UInt8]

    init(uri: String, version: Int, text: String) {
        self.uri = uri
        self.version = version
        bytes = Array(text.utf8)
    }

    /// Applies changes in their order. Those of a version that is not newer are ignored.
    mutating func apply(_ changes: [Change], version: Int, _ encoding: PositionEncoding) {
        guard version > self.version else { return }
        self.version = version
        for change in changes {
            guard let range = change.range else {
                bytes = Array(change.text.utf8)
                continue
            }
            var sources = SourceMap()
            let file = sources.add(path: uri, bytes: bytes)
            let start = encoding.offset(of: range.start, in: file)
            let end = max(start, encoding.offset(of: range.end, in: file))
            bytes.replaceSubrange(start..<end, with: change.text.utf8)
        }
    }
}
