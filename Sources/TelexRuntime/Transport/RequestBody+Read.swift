#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

extension RequestBody {
    /// Hands the body to `receive` piece by piece, in order, waiting for each call; a transport
    /// that cannot stream files by itself sends what it gets here.
    ///
    /// - Throws: `.invalidRequest` if a file cannot be read or is not as long as promised,
    ///   `.cancelled` if the task is cancelled, and whatever `receive` or a stream throws.
    public func read(
        _ receive: (_ chunk: [UInt8]) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        switch self {
        case .bytes(let bytes): try await receive(bytes)
        case .file(let path, let length): try await readFile(path, length, receive)
        case .parts(let parts):
            for part in parts { try await part.asBody.read(receive) }
        case .stream(let length, let next): try await readStream(length, next, receive)
        }
    }

    private func readFile(
        _ path: String, _ length: Int,
        _ receive: (_ chunk: [UInt8]) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        let file = try InputFile(path: path)
        try file.check(path: path, length: length)
        while let chunk = try file.next() {
            if Task.isCancelled { throw .cancelled }
            try await receive(chunk)
        }
    }

    private func readStream(
        _ length: Int?, _ next: () async throws(TransportError) -> [UInt8]?,
        _ receive: (_ chunk: [UInt8]) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        var count = 0
        while let chunk = try await next() {
            if Task.isCancelled { throw .cancelled }
            count += chunk.count
            // What comes after the promised end would be taken for something else.
            if let length, count > length {
                throw .invalidRequest("the body stream has more than the \(length) bytes promised")
            }
            try await receive(chunk)
        }
        if let length, length != count {
            throw .invalidRequest("the body stream has \(count) bytes, \(length) were promised")
        }
    }

    /// Makes sure that the file at `path` is a file that is `length` bytes long.
    ///
    /// - Throws: `.invalidRequest` otherwise.
    public static func checkFile(path: String, length: Int) throws(TransportError) {
        try InputFile(path: path).check(path: path, length: length)
    }
}

extension RequestBody.Part {
    fileprivate var asBody: RequestBody {
        switch self {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path, let length): .file(path: path, length: length)
        case .stream(let length, let next): .stream(length: length, next: next)
        }
    }
}

/// An open file that is read once from its beginning; closed when it goes out of scope.
private struct InputFile: ~Copyable {
    private static let chunkSize = 262_144
    private let descriptor: Int32

    init(path: String) throws(TransportError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .invalidRequest("cannot open the file `\(path)`: \(lastSystemError())")
        }
    }

    /// Makes sure that the file is a regular one with the promised size.
    func check(path: String, length: Int) throws(TransportError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest("`\(path)` is not a file")
        }
        guard Int(status.st_size) == length else {
            throw .invalidRequest(
                "the file `\(path)` has \(status.st_size) bytes, \(length) were promised")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func next() throws(TransportError) -> [UInt8]? {
        var failure: String?
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            let result = readRetrying(into: buffer)
            if result < 0 { failure = lastSystemError() }
            count = max(0, result)
        }
        if let failure { throw .invalidRequest("cannot read a file of the body: \(failure)") }
        return chunk.isEmpty ? nil : chunk
    }

    private func readRetrying(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            let result = read(descriptor, buffer.baseAddress, buffer.count)
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

private func lastSystemError() -> String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
}
