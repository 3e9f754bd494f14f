extension RequestBody {
    /// Hands the body to `receive` piece by piece, in order, waiting for each call; a transport
    /// that cannot stream files by itself sends what it gets here.
    ///
    /// - Throws: `.invalidRequest` if a file cannot be read, is not as long as promised or changes
    ///   while it is read, before `receive` has got the last of its bytes; `.cancelled` if the task
    ///   is cancelled, and whatever `receive` or a stream throws.
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
        let file = try InputFile(path: path, length: length)
        var count = 0
        // The last piece waits until the file is known to be what was promised: nobody can take
        // less, more or another file for the whole.
        var last: [UInt8]?
        while let chunk = try file.next() {
            if Task.isCancelled { throw .cancelled }
            count += chunk.count
            guard count <= length else { break }
            if let last { try await receive(last) }
            last = chunk
        }
        try file.checkEnd(count: count)
        if let last { try await receive(last) }
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
        _ = try InputFile(path: path, length: length)
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
