#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file that is the source of a request body. It is read once from its beginning, and
/// closed at the end of its scope.
struct InputFile: ~Copyable {
    private static let chunkSize = 262_144
    private let path: String
    private let length: Int
    private let file: OpenFile
    private let original: FileState

    /// - Throws: `.invalidRequest` if the file cannot be read or is not `length` bytes long.
    package init(path: String, length: Int) throws(TransportError) {
        // Without `O_NONBLOCK`, opening a named pipe would block.
        let file = try Self.reading(path, step: "open") { () throws(DiskFile.Problem) in
            try OpenFile(path, O_RDONLY | O_NONBLOCK)
        }
        original = try FileState(of: file, at: path, length: length)
        self.path = path
        self.length = length
        self.file = file
    }

    /// The next piece; nil at the end.
    package func next() throws(TransportError) -> [UInt8]? {
        let piece = try Self.reading(path, step: "read") { () throws(DiskFile.Problem) in
            try file.next(Self.chunkSize)
        }
        return piece.isEmpty ? nil : piece
    }

    /// Checks that `count` is the declared length, and that the file has not changed since it was
    /// opened.
    package func checkEnd(count: Int) throws(TransportError) {
        guard count >= length else {
            throw .changed(path, "it ended after \(count) of the \(length) bytes promised")
        }
        guard count == length else {
            throw .changed(path, "it has more than the \(length) bytes promised")
        }
        let now = try FileState(of: file, at: path)
        if let change = original.change(to: now) { throw .changed(path, change) }
    }

    /// The state at opening, for a later comparison.
    var snapshot: FileSnapshot { FileSnapshot(path, original) }

    private static func reading<T: ~Copyable>(
        _ path: String, step: String, _ work: () throws(DiskFile.Problem) -> T
    ) throws(TransportError) -> T {
        do throws(DiskFile.Problem) { return try work() } catch {
            throw .invalidRequest("cannot \(step) the file `\(path.escaped)`: \(error.text)")
        }
    }
}
