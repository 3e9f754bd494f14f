#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexJSON
    import TelexTransport

    /// The body of a request, which the client takes piece by piece.
    struct ClientUpload: Sendable {
        /// Small enough to reset the idle time-out often, even on a slow network.
        private static let pieceSize = 65_536
        private let body: RequestBody
        private let pieces = Pipe<ArraySlice<UInt8>>(capacity: 0)
        private let sent: SentCount
        /// The threads of the client, one of which sends the body.
        private let threads: any EventLoopGroup

        /// Makes an upload; `nil` if there is no body.
        ///
        /// - Throws: `.invalidRequest` if a file does not match its declaration, before anything is
        ///   sent.
        init?(
            _ request: TransportRequest, _ idleTimeout: IdleTimeout, on threads: any EventLoopGroup
        ) throws(TransportError) {
            guard let body = request.body else { return nil }
            try body.checkFiles()
            self.body = body
            self.threads = threads
            sent = SentCount(idleTimeout, request.onBodySent)
        }

        /// Whether the client has asked for no byte of the body. The server then does not have the
        /// whole request.
        var isUntouched: Bool { pieces.isUntouched }

        /// Checks that a body declared as empty has no bytes, because the client will not ask for
        /// any.
        func checkIfEmpty() async throws(TransportError) {
            if body.length == 0 { try await body.read { _ in } }
        }

        /// Reads the body until it is sent or `stop` is called. Reading begins only when the
        /// client, once connected, asks for bytes, because an unread body can be sent another time.
        func run() async {
            await pieces.waitForReceiver()
            guard !pieces.isFinished else { return }
            do throws(TransportError) {
                try await body.read { chunk throws(TransportError) in
                    for start in stride(from: 0, to: chunk.count, by: Self.pieceSize) {
                        await pieces.send(chunk[start...].prefix(Self.pieceSize))
                        if pieces.isFinished { throw .cancelled }
                    }
                }
                pieces.finish(.success(()))
            } catch { pieces.finish(.failure(error)) }
        }

        /// Discards the rest of the body.
        ///
        /// - Parameter isRefused: Whether the reply was a refusal, after which the client may keep
        ///   what it has of the body.
        func stop(isRefused: Bool) {
            pieces.finish(.failure(.cancelled))
            if isRefused { sent.forgetCaller() }
        }

        /// The body for the client; nil if it has no bytes.
        var clientBody: HTTPClientRequest.Body? {
            guard body.length != 0 else { return nil }
            if case .bytes(let bytes) = body, bytes.count <= Self.pieceSize {
                return .bytes(
                    SinglePiece(bytes: bytes, onTaken: noteTaken),
                    length: .known(Int64(bytes.count)))
            }
            let sequence = Pieces(
                pieces: pieces, sent: sent, threads: body.length == nil ? nil : threads)
            return .stream(sequence, length: body.length.map { .known(Int64($0)) } ?? .unknown)
        }

        private func noteTaken(_ count: Int) {
            pieces.finish(.success(()))
            sent.add(count)
        }
    }

    /// Counts the bytes of a body that were passed to the connection, and tells the caller.
    private final class SentCount: Sendable {
        private let idleTimeout: IdleTimeout
        private let state: Lock<(count: Int, onSent: (@Sendable (Int) -> Void)?)>

        init(_ idleTimeout: IdleTimeout, _ onSent: (@Sendable (Int) -> Void)?) {
            self.idleTimeout = idleTimeout
            state = Lock((0, onSent))
        }

        func add(_ count: Int) {
            idleTimeout.end()
            guard count > 0 else { return }
            let (sent, onSent) = state.withLock { state in
                state.count += count
                return state
            }
            onSent?(sent)
        }

        func forgetCaller() { state.withLock { $0.onSent = nil } }
    }

    /// A small body, which the client takes at the moment at which it passes it to the connection.
    private struct SinglePiece: RandomAccessCollection, Sendable {
        let bytes: [UInt8]
        let onTaken: @Sendable (Int) -> Void

        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        subscript(index: Int) -> UInt8 { bytes[index] }

        func withContiguousStorageIfAvailable<Value>(
            _ use: (UnsafeBufferPointer<UInt8>) throws -> Value
        ) rethrows -> Value? {
            onTaken(bytes.count)
            return try bytes.withContiguousStorageIfAvailable(use)
        }
    }

    /// The pieces of a body. The client may keep this value after a refusal, so it holds little.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let pieces: Pipe<ArraySlice<UInt8>>
        let sent: SentCount
        /// The threads of the client; nil if the length of the body is not declared, or after its
        /// last piece.
        var threads: (any EventLoopGroup)?
        private(set) var lastCount = 0

        func makeAsyncIterator() -> Pieces { self }

        /// Returns the next piece. The client asks for it when it has passed the previous one to
        /// the connection.
        mutating func next() async throws(TransportError) -> ByteBuffer? {
            sent.add(lastCount)
            let piece = try await pieces.next().get()
            lastCount = piece?.count ?? 0
            guard let piece else { return await end() }
            return ByteBuffer(bytes: piece)
        }

        /// Returns an empty piece before the end of a body whose length is declared.
        ///
        /// The client drops pieces that reach the connection after the head of a refusal, and takes
        /// an end without them for a body of another length, which would cost the rest of the
        /// refusal. Once the threads have done what they had to do, it knows of the head, and does
        /// not ask for more after the empty piece.
        private mutating func end() async -> ByteBuffer? {
            guard let threads = threads.take() else { return nil }
            let turns = threads.makeIterator().map { $0.submit {} }
            for turn in turns { try? await turn.get() }
            return ByteBuffer()
        }
    }

    extension RequestBody {
        fileprivate func checkFiles() throws(TransportError) {
            switch self {
            case .bytes, .stream: return
            case .file(let path, let length): try Self.checkFile(path: path, length: length)
            case .parts(let parts):
                for case .file(let path, let length) in parts {
                    try Self.checkFile(path: path, length: length)
                }
            }
        }
    }
#endif
