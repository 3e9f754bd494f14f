#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexTransport

    /// The body of a request on its way to the client, which takes it piece by piece.
    struct Upload: Sendable {
        private let body: RequestBody
        private let chunks = Pipe<[UInt8]>(capacity: 0)
        private let silence: IdleTimeout
        private let onSent: (@Sendable (Int) -> Void)?

        /// `nil` if there is nothing to send.
        ///
        /// - Throws: `.invalidRequest` if a file is not as promised, before anything is sent.
        init?(_ request: TransportRequest, _ silence: IdleTimeout) throws(TransportError) {
            guard let body = request.body else { return nil }
            try body.checkFiles()
            self.body = body
            self.silence = silence
            onSent = request.onBodySent
        }

        /// Makes sure that a body of which it was said that it has no bytes has none: the client will
        /// not ask for any.
        func checkIfEmpty() async throws(TransportError) {
            if body.length == 0 { try await body.read { _ in } }
        }

        /// Reads the body until it is sent or `stop` is called; not before the client asks for it, which
        /// it does when it is connected: what has not been read can be sent another time.
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

        /// Nobody wants the rest.
        func stop() { chunks.finish(.failure(.cancelled)) }

        /// The body in the form of the client; nil if it has no bytes.
        var clientBody: HTTPClientRequest.Body? {
            guard body.length != 0 else { return nil }
            let pieces = Pieces(chunks: chunks, silence: silence, onSent: onSent)
            return .stream(pieces, length: body.length.map { .known(Int64($0)) } ?? .unknown)
        }
    }

    /// The chunks of a body in pieces that are small enough for silence to be noticed between them,
    /// also on a slow network.
    private struct Pieces: AsyncSequence, Sendable {
        let chunks: Pipe<[UInt8]>
        let silence: IdleTimeout
        let onSent: (@Sendable (Int) -> Void)?

        func makeAsyncIterator() -> Iterator { Iterator(source: self) }

        struct Iterator: AsyncIteratorProtocol {
            private static let pieceSize = 65_536
            private let source: Pieces
            private var rest: ArraySlice<UInt8> = []
            private var pieceCount = 0
            private var sent = 0

            init(source: Pieces) { self.source = source }

            /// The client asks for a piece when it has handed the last one to the connection.
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
                source.silence.end()
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
