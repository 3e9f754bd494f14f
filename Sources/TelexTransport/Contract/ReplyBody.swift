import TelexJSON

/// The body of a reply: chunks of bytes in the order in which they arrive.
///
/// A streamed body has one reader and is read once. When the last reference to the body is
/// released, the rest of the exchange is cancelled, so that an unread reply does not keep its
/// connection.
public struct ReplyBody: AsyncSequence, Sendable {
    /// A chunk; never empty.
    public typealias Element = [UInt8]
    /// The error that reading throws.
    public typealias Failure = TransportError
    /// Returns the next chunk, `nil` at the end.
    public typealias Next = @Sendable () async throws(TransportError) -> [UInt8]?

    private enum Storage {
        case bytes([UInt8])
        case stream(Source)
        /// A body that can be created again. Indirect, so that this rare case does not enlarge the
        /// other cases.
        indirect case script(Source, makingAgain: @Sendable () -> ReplyBody)
    }

    private let storage: Storage
    /// The declared length of the body in bytes; `nil` if none was declared or the body was
    /// compressed.
    public let length: Int?

    /// Makes a body from bytes in memory; it can be read any number of times.
    public init(_ bytes: [UInt8]) {
        storage = .bytes(bytes)
        length = bytes.count
    }

    /// Makes a streamed body.
    ///
    /// - Parameters:
    ///   - length: The declared length in bytes, if known.
    ///   - cancel: Ends the exchange. Called when the last reference to the body is released, even
    ///     after its end.
    ///   - next: Waits for the next chunk. It has to throw `.cancelled` soon after the waiting task
    ///     is cancelled.
    public init(
        length: Int?, cancel: @escaping @Sendable () -> Void = {}, next: @escaping Next
    ) {
        storage = .stream(Source(next: next, cancel: cancel))
        self.length = length
    }

    /// Makes a body for tests: `make` creates this one and that of each further reply.
    package init(makingAgain make: @escaping @Sendable () -> ReplyBody) {
        let first = make()
        storage = first.source.map { .script($0, makingAgain: make) } ?? first.storage
        length = first.length
    }

    /// A new body that starts from the beginning, if it can be created again; otherwise this one.
    package var restarted: ReplyBody {
        if case .script(_, let make) = storage { make() } else { self }
    }

    private var source: Source? {
        switch storage {
        case .bytes: nil
        case .stream(let source), .script(let source, _): source
        }
    }

    /// Ends the exchange now: a pending read throws `.cancelled`. Does nothing to a body that has
    /// been received completely.
    public func cancel() {
        source?.cancel()
    }

    /// Reads the whole body.
    ///
    /// - Parameter limit: The largest number of bytes to accept.
    /// - Throws: `.tooLarge` as soon as more than `limit` bytes have arrived (the exchange is
    ///   ended), and any error of a read.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        var buffer = try ReplyBuffer(of: self, upTo: limit)
        var chunks = makeAsyncIterator()
        while let chunk = try await chunks.next(isolation: nil) { try buffer.append(chunk) }
        return buffer.bytes
    }

    /// Returns the same body, with `inspect` called for the result of each read: a chunk, `nil` at
    /// the end, or an error. If `inspect` throws, the reader gets its error instead and the
    /// exchange is ended. Read the returned body instead of this one.
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

    /// Returns the same body with `bytes` before its unread rest.
    package func preceded(by bytes: [UInt8]) -> ReplyBody {
        let (first, rest) = (Unread(bytes), sharedNext)
        return ReplyBody(length: length, cancel: cancel) { () async throws(TransportError) in
            if let bytes = first.take() { return bytes }
            return try await rest()
        }
    }

    /// A function that reads from the current position. All copies of it share that position.
    package var sharedNext: Next {
        switch storage {
        case .stream(let source), .script(let source, _):
            return { () async throws(TransportError) in try await source.next() }
        case .bytes(let bytes):
            let rest = Unread(bytes)
            return { () async throws(TransportError) in rest.take() }
        }
    }

    /// Returns an iterator over the chunks. All iterators of a streamed body share one position.
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
        public nonisolated(nonsending) mutating func next() async throws(TransportError) -> [UInt8]?
        {
            try await next(isolation: #isolation)
        }

        /// Waits for the next chunk, as ``next()`` does, on an actor.
        ///
        /// - Throws: A `TransportError` if the body does not arrive completely.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            if let source { return try await source.next() }
            guard !rest.isEmpty else { return nil }
            defer { rest = [] }
            return rest
        }
    }

    /// Bytes that `take` returns once.
    private final class Unread: Sendable {
        private let bytes: Lock<[UInt8]?>

        package init(_ bytes: [UInt8]) { self.bytes = Lock(bytes.isEmpty ? nil : bytes) }

        package func take() -> [UInt8]? { bytes.withLock { $0.take() } }
    }

    /// The shared state of a streamed body. Ends the exchange when the last reference is released.
    fileprivate final class Source: Sendable {
        package let next: Next
        package let cancel: @Sendable () -> Void

        package init(next: @escaping Next, cancel: @escaping @Sendable () -> Void) {
            self.next = next
            self.cancel = cancel
        }

        deinit { cancel() }
    }
}

/// The bytes received so far of a body that is read into memory.
package struct ReplyBuffer {
    /// The largest capacity to reserve in advance, because a server may declare any length.
    private static let mostReserved = 1_048_576

    package private(set) var bytes: [UInt8] = []
    private let body: ReplyBody
    private let limit: Int

    /// - Throws: `.tooLarge` if the body declares more bytes than the limit.
    package init(of body: ReplyBody, upTo limit: Int) throws(TransportError) {
        self.body = body
        self.limit = limit
        if let length = body.length, length > limit { throw tooLarge() }
    }

    /// - Throws: `.tooLarge` if the bytes exceed the limit.
    package mutating func append(_ chunk: [UInt8]) throws(TransportError) {
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

    /// Ends the exchange and returns the error to throw.
    private func tooLarge() -> TransportError {
        body.cancel()
        return .tooLarge(limit: limit)
    }
}
