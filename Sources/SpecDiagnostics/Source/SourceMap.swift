/// All files of one run. It assigns the ``FileID``s by which spans refer to their text.
public struct SourceMap: Sendable {
    /// The files in the order they were added, which is the order of diagnostics.
    public private(set) var files: [SourceFile] = []

    /// A map without files.
    public init() {}

    /// Adds a file under the path that messages show. Without bytes (a folder, an unreadable file),
    /// its diagnostics show the path alone.
    public mutating func add(path: String, bytes: [UInt8]) -> SourceFile {
        let file = SourceFile(path: path, bytes: bytes, id: FileID(index: Int32(files.count)))
        files.append(file)
        return file
    }

    /// Adds a file given as text.
    public mutating func add(path: String, text: String) -> SourceFile {
        add(path: path, bytes: Array(text.utf8))
    }

    /// The file with this identity; an id of another map gives an empty, nameless file.
    public subscript(id: FileID) -> SourceFile {
        guard files.indices.contains(Int(id.index)) else {
            return SourceFile(path: "<unknown>", bytes: [], id: id)
        }
        return files[Int(id.index)]
    }

    /// The line and column of a span's start.
    public func position(of span: Span) -> Position {
        self[span.file].position(of: Int(span.start))
    }

    /// `path:line:column` of a span's start.
    public func place(of span: Span) -> String {
        let position = position(of: span)
        return "\(self[span.file].path):\(position.line):\(position.column)"
    }
}
