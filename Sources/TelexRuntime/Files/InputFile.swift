#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file that was promised to a body and is read once from its beginning; closed when it
/// goes out of scope.
struct InputFile: ~Copyable {
    private static let chunkSize = 262_144
    private let path: String
    private let length: Int
    private let file: OpenFile
    private let promised: FileState

    /// - Throws: `.invalidRequest` if there is no file that can be read and is `length` bytes long.
    init(path: String, length: Int) throws(TransportError) {
        // Without O_NONBLOCK a named pipe would be waited for.
        let file = try Self.reading(path, "open") { () throws(DiskFile.Problem) in
            try OpenFile(path, O_RDONLY | O_NONBLOCK)
        }
        promised = try FileState(of: file, path, length: length)
        self.path = path
        self.length = length
        self.file = file
    }

    /// The next piece; nil at the end.
    func next() throws(TransportError) -> [UInt8]? {
        let piece = try Self.reading(path, "read") { () throws(DiskFile.Problem) in
            try file.next(Self.chunkSize)
        }
        return piece.isEmpty ? nil : piece
    }

    /// Makes sure that `count` bytes are all, and that the file has not changed since it was opened.
    func checkEnd(count: Int) throws(TransportError) {
        guard count >= length else {
            throw .changed(path, "it ended after \(count) of the \(length) bytes promised")
        }
        guard count == length else {
            throw .changed(path, "it has more than the \(length) bytes promised")
        }
        let now = try FileState(of: file, path)
        if let change = promised.change(to: now) { throw .changed(path, change) }
    }

    /// What there is to compare with later.
    var promise: PromisedFile { PromisedFile(path, promised) }

    private static func reading<T: ~Copyable>(
        _ path: String, _ step: String, _ work: () throws(DiskFile.Problem) -> T
    ) throws(TransportError) -> T {
        do throws(DiskFile.Problem) { return try work() } catch {
            throw .invalidRequest("cannot \(step) the file `\(path.escaped)`: \(error.text)")
        }
    }
}
