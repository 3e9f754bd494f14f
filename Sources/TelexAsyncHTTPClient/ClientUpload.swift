#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexTransport

    /// The body of a request, which the client takes piece by piece.
    struct ClientUpload: Sendable {
        private let body: RequestBody
        private let chunks = Pipe<[UInt8]>(capacity: 0)
        private let idleTimeout: IdleTimeout
        private let onSent: (@Sendable (Int) -> Void)?

        /// Makes an upload; `nil` if there is no body.
        ///
        /// - Throws: `.invalidRequest` if a file does not match its declaration, before anything is
        ///   sent.
        init?(_ request: TransportRequest, _ idleTimeout: IdleTimeout) throws(TransportError) {
            guard let body = request.body else { return nil }
            try body.checkFiles()
            self.body = body
            self.idleTimeout = idleTimeout
            onSent = request.onBodySent
        }

        /// Checks that a body declared as empty has no bytes, because the client will not ask for
        /// any.
        func checkIfEmpty() async throws(TransportError) {
            if body.length == 0 { try await body.read { _ in } }
        }

        /// Reads the body until it is sent or `stop` is called. Reading begins only when the
        /// client, once connected, asks for bytes, because an unread body can be sent another time.
        func run() async {
            await chunks.waitForReceiver()
            guard !chunks.isFinished else { return }
            do throws(TransportError) {
                try await body.read { chunk throws(TransportError) in
                    await chunks.send(chunk)
                    if chunks.isFinished { throw .cancelled }
                }
                chunks.finish(.success(()))
            } catch { chunks.finish(.failure(error)) }
        }

        /// Discards the rest of the body.
        func stop() { chunks.finish(.failure(.cancelled)) }

        /// The body for the client; nil if it has no bytes.
        var clientBody: HTTPClientRequest.Body? {
            guard body.length != 0 else { return nil }
            let pieces = Pieces(chunks: chunks, idleTimeout: idleTimeout, onSent: onSent)
            return .stream(pieces, length: body.length.map { .known(Int64($0)) } ?? .unknown)
        }
    }

    /// The chunks of a body in pieces that are small enough to reset the idle time-out often, even
    /// on a slow network.
    private struct Pieces: AsyncSequence, Sendable {
        let chunks: Pipe<[UInt8]>
        let idleTimeout: IdleTimeout
        let onSent: (@Sendable (Int) -> Void)?

        func makeAsyncIterator() -> Iterator { Iterator(source: self) }

        struct Iterator: AsyncIteratorProtocol {
            private static let pieceSize = 65_536
            private let source: Pieces
            private var rest: ArraySlice<UInt8> = []
            private var pieceCount = 0
            private var sent = 0

            init(source: Pieces) { self.source = source }

            /// Returns the next piece. The client asks for it when it has passed the previous one
            /// to the connection.
            mutating func next() async throws(TransportError) -> ByteBuffer? {
                reportLastPiece()
                while rest.isEmpty {
                    guard let chunk = try await source.chunks.next().get() else { return nil }
                    rest = chunk[...]
                }
                let piece = rest.prefix(Self.pieceSize)
                rest = rest.dropFirst(piece.count)
                pieceCount = piece.count
                return ByteBuffer(bytes: piece)
            }

            private mutating func reportLastPiece() {
                source.idleTimeout.end()
                guard pieceCount > 0 else { return }
                sent += pieceCount
                pieceCount = 0
                source.onSent?(sent)
            }
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
