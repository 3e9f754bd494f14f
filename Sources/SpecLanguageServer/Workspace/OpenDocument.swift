import SpecDiagnostics

/// The text of a document that is open in the editor.
struct OpenDocument {
    /// Its address, as the client writes it.
    let uri: String
    private(set) var version: Int
    private(set) var bytes: [UInt8]

    init(uri: String, version: Int, text: String) {
        self.uri = uri
        self.version = version
        bytes = Array(text.utf8)
    }

    /// Applies changes in their order: each of a range, or without one of the whole. Those of a
    /// version that is not newer are ignored.
    mutating func apply(_ changes: [JSONTree], version: Int, _ encoding: PositionEncoding) {
        guard version > self.version else { return }
        self.version = version
        for change in changes {
            let text = (change["text"].text ?? "").utf8
            var sources = SourceMap()
            let file = sources.add(path: uri, bytes: bytes)
            let range = encoding.offsets(of: change["range"], in: file)
            bytes.replaceSubrange(range ?? 0..<bytes.count, with: text)
        }
    }
}
