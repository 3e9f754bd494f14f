import Synchronization

/// The body of a reply: chunks of bytes in the order in which they arrive.
///
/// A streamed body has one reader and is read once. When nobody holds the body any more, what is
/// left of the exchange is cancelled, so an unread reply does not keep its connection.
public struct ReplyBody: AsyncSequence, Sendable {
    /// A chunk; never empty.
    public typealias Element = [UInt8]
    /// What reading can throw.
    public typealias Failure = TransportError
    /// Returns the next chunk, `nil` at the end.
    public typealias Next = @Sendable () async throws(TransportError) -> [UInt8]?

    private enum Storage {
        case bytes([UInt8])
        case stream(Source)
        /// One that can be made anew. Seldom, so it takes no room in the others.
        indirect case script(Source, anew: @Sendable () -> ReplyBody)
    }

    private let storage: Storage
    /// How many bytes the reply declared that its body has; `nil` if it did not say, or if it was
    /// compressed.
    public let length: Int?

    /// A body that is already there; it can be read any number of times.
    public init(_ bytes: [UInt8]) {
        storage = .bytes(bytes)
        length = bytes.count
    }

    /// A body that is arriving.
    ///
    /// - Parameters:
    ///   - length: How many bytes were declared, if known.
    ///   - cancel: Ends the exchange. Called when the body is no longer held, also after its end.
    ///   - next: Waits for the next chunk. It has to throw `.cancelled` soon after the task that
    ///     waits is cancelled.
    public init(
        length: Int?, cancel: @escaping @Sendable () -> Void = {}, next: @escaping Next
    ) {
        storage = .stream(Source(next: next, cancel: cancel))
        self.length = length
    }

    /// A body for tests that `make` makes, now and for each further reply.
    package init(anew make: @escaping @Sendable () -> ReplyBody) {
        let first = make()
        storage = first.source.map { .script($0, anew: make) } ?? first.storage
        length = first.length
    }

    /// The body from its beginning, if it can be made anew; otherwise this one.
    package var renewed: ReplyBody {
        if case .script(_, let make) = storage { make() } else { self }
    }

    private var source: Source? {
        switch storage {
        case .bytes: nil
        case .stream(let source), .script(let source, _): source
        }
    }

    /// Ends the exchange now: whoever reads gets `.cancelled`. Does nothing to a body that has
    /// been received completely.
    public func cancel() {
        source?.cancel()
    }

    /// Reads the whole body.
    ///
    /// - Parameter limit: How many bytes to accept at most.
    /// - Throws: `.tooLarge` as soon as more than `limit` bytes are there (the exchange is ended),
    ///   and whatever reading throws.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        var buffer = try ReplyBuffer(of: self, upTo: limit)
        var chunks = makeAsyncIterator()
        while let chunk = try await chunks.next(isolation: nil) { try buffer.append(chunk) }
        return buffer.bytes
    }

    /// The same body with `inspect` told what each read gives: a chunk, `nil` at the end, or an
    /// error. If it throws, the reader gets its error instead and the exchange is ended. Read the
    /// returned body instead of this one.
    public func inspected(
        by inspect:
            @escaping @Sendable (Result<[UInt8]?, TransportError>) throws(TransportError) -> Void
    ) -> ReplyBody {
        let next = sharedNext
        return ReplyBody(length: length, cancel: cancel) { () async throws(TransportError) in
            let result = await Self.result(of: next)
            do throws(TransportError) { try inspect(result) } catch {
                cancel()
                throw error
            }
            return try result.get()
        }
    }

    private static func result(of next: Next) async -> Result<[UInt8]?, TransportError> {
        do throws(TransportError) { return .success(try await next()) } catch {
            return .failure(error)
        }
    }

    /// The same body, with bytes before what is left of it.
    func preceded(by bytes: [UInt8]) -> ReplyBody {
        let (first, rest) = (Unread(bytes), sharedNext)
        return ReplyBody(length: length, cancel: cancel) { () async throws(TransportError) in
            if let bytes = first.take() { return bytes }
            return try await rest()
        }
    }

    /// Reads on from where the last call stopped, whoever calls.
    package var sharedNext: Next {
        switch storage {
        case .stream(let source), .script(let source, _):
            return { () async throws(TransportError) in try await source.next() }
        case .bytes(let bytes):
            let rest = Unread(bytes)
            return { () async throws(TransportError) in rest.take() }
        }
    }

    /// Starts to read. Of a streamed body, all iterators share one position.
    public func makeAsyncIterator() -> AsyncIterator {
        switch storage {
        case .bytes(let bytes): AsyncIterator(rest: bytes, source: nil)
        case .stream(let source), .script(let source, _):
            AsyncIterator(rest: [], source: source)
        }
    }

    /// Reads a body chunk by chunk.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: [UInt8]
        fileprivate let source: Source?

        /// Waits for the next chunk.
        ///
        /// - Throws: A `TransportError` if the body does not arrive completely.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TransportError) -> [UInt8]? {
            if let source { return try await source.next() }
            guard !rest.isEmpty else { return nil }
            defer { rest = [] }
            return rest
        }
    }

    /// Bytes that are given away once.
    private final class Unread: Sendable {
        private let bytes: Mutex<[UInt8]?>

        init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes.isEmpty ? nil : bytes) }

        func take() -> [UInt8]? { bytes.withLock { $0.take() } }
    }

    /// Ends the exchange when the last holder lets go.
    fileprivate final class Source: Sendable {
        let next: Next
        let cancel: @Sendable () -> Void

        init(next: @escaping Next, cancel: @escaping @Sendable () -> Void) {
            self.next = next
            self.cancel = cancel
        }

        deinit { cancel() }
    }
}

/// What has come of a body that is read into memory.
struct ReplyBuffer {
    /// For how many bytes room is made before they come: a server may declare any number.
    private static let mostReserved = 1_048_576

    private(set) var bytes: [UInt8] = []
    private let body: ReplyBody
    private let limit: Int

    /// - Throws: `.tooLarge` if the body declares more bytes than the limit allows.
    init(of body: ReplyBody, upTo limit: Int) throws(TransportError) {
        self.body = body
        self.limit = limit
        if let length = body.length, length > limit { throw tooLarge() }
    }

    /// - Throws: `.tooLarge` if there are more bytes than the limit allows.
    mutating func append(_ chunk: [UInt8]) throws(TransportError) {
        if chunk.count > limit - bytes.count { throw tooLarge() }
        if bytes.isEmpty {
            guard chunk.count != body.length else {
                bytes = chunk
                return
            }
            if let length = body.length { bytes.reserveCapacity(min(length, Self.mostReserved)) }
        }
        bytes.append(contentsOf: chunk)
    }

    /// Ends the exchange.
    private func tooLarge() -> TransportError {
        body.cancel()
        return .tooLarge(limit: limit)
    }
}
