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
    private let descriptor: Int32
    private let promised: FileState

    /// - Throws: `.invalidRequest` if there is no file that can be read and is `length` bytes long.
    init(path: String, length: Int) throws(TransportError) {
        // Without O_NONBLOCK a named pipe would be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .invalidRequest("cannot open the file `\(path)`: \(lastSystemError())")
        }
        let found: FileState
        do throws(TransportError) {
            found = try FileState(ofDescriptor: descriptor, path, length: length)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.length = length
        self.descriptor = descriptor
        promised = found
    }

    deinit { close(descriptor) }

    /// The next piece; nil at the end.
    func next() throws(TransportError) -> [UInt8]? {
        var failure: String?
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            let result = readRetrying(into: buffer)
            if result < 0 { failure = lastSystemError() }
            count = max(0, result)
        }
        if let failure { throw .invalidRequest("cannot read the file `\(path)`: \(failure)") }
        return chunk.isEmpty ? nil : chunk
    }

    /// Makes sure that `count` bytes are all, and that the file has not changed since it was opened.
    func checkEnd(count: Int) throws(TransportError) {
        guard count >= length else {
            throw .changed(path, "it ended after \(count) of the \(length) bytes promised")
        }
        guard count == length else {
            throw .changed(path, "it has more than the \(length) bytes promised")
        }
        let now = try FileState(ofDescriptor: descriptor, path)
        if let change = promised.change(to: now) { throw .changed(path, change) }
    }

    private func readRetrying(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            let result = read(descriptor, buffer.baseAddress, buffer.count)
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// What there is to compare with later.
    var promise: PromisedFile { PromisedFile(path, promised) }
}

private func lastSystemError() -> String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
}
