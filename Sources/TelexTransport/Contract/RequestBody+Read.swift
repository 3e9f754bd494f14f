extension RequestBody {
    /// Passes the body to `receive` piece by piece, in order, and awaits each call. For transports
    /// that cannot stream files themselves.
    ///
    /// - Throws: `.invalidRequest` if a file cannot be read, does not have the declared length, or
    ///   changes while it is read (the last piece is then withheld); `.cancelled` if the task is
    ///   cancelled; and any error of `receive` or of a stream.
    public func read(
        _ receive: (_ chunk: [UInt8]) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        switch self {
        case .bytes(let bytes): try await receive(bytes)
        case .file(let path, let length): try await readFile(path, length: length, receive)
        case .parts(let parts):
            for part in parts { try await part.asBody.read(receive) }
        case .stream(let length, let next):
            try await readStream(length: length, next: next, receive)
        }
    }

    private func readFile(
        _ path: String, length: Int,
        _ receive: (_ chunk: [UInt8]) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        let file = try InputFile(path: path, length: length)
        var count = 0
        // The last piece is withheld until the file is checked, so that the server cannot take a
        // file that is too short, too long or replaced for a complete one.
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
        length: Int?, next: () async throws(TransportError) -> [UInt8]?,
        _ receive: (_ chunk: [UInt8]) async throws(TransportError) -> Void
    ) async throws(TransportError) {
        var count = 0
        while let chunk = try await next() {
            if Task.isCancelled { throw .cancelled }
            count += chunk.count
            // On the connection, bytes after the declared end would be read as another message.
            if let length, count > length {
                throw .invalidRequest("the body stream has more than the \(length) bytes promised")
            }
            try await receive(chunk)
        }
        if let length, length != count {
            throw .invalidRequest("the body stream has \(count) bytes, \(length) were promised")
        }
    }

    /// Checks that `path` is a file of `length` bytes.
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
