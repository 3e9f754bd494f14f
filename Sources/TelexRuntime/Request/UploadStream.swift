import Synchronization

/// Bytes that are made while they are sent, and that nobody can make again.
///
/// The first request that asks for them is the only one that gets any: not another attempt, not the
/// next address of a redirect, not a second call with the same file. So a body that cannot be sent
/// twice is never sent twice, nor sent from its middle.
final class UploadStream: Sendable {
    typealias Next = @Sendable () async throws(TransportError) -> [UInt8]?

    /// A request that may read.
    private final class Reader: Sendable {}

    static let remedy = "make the call again with a new stream"

    let length: Int
    private let make: Next
    private let reader = Mutex<Reader?>(nil)

    init(length: Int, next: @escaping Next) {
        self.length = length
        make = next
    }

    /// Whether a request has begun to read.
    var isSpent: Bool { reader.withLock { $0 != nil } }

    /// What one request sends; nil if another has begun to read.
    var part: RequestBody.Part? {
        guard !isSpent else { return nil }
        let me = Reader()
        return .stream(length: length) { [self] () throws(TransportError) in
            guard begin(me) else {
                throw .invalidRequest("another request has read the stream; \(Self.remedy)")
            }
            return try await make()
        }
    }

    private func begin(_ me: Reader) -> Bool {
        reader.withLock { reader in
            if reader == nil { reader = me }
            return reader === me
        }
    }
}

extension RequestTemplate {
    /// Whether it can be sent as often as one likes.
    var isReplayable: Bool { streams.isEmpty }

    /// Whether it holds a stream of which a request has read, so that it cannot be sent any more.
    var isSpent: Bool { streams.contains(where: \.isSpent) }

    private var streams: [UploadStream] {
        if case .file(let file) = body { return file.stream.map { [$0] } ?? [] }
        return form.compactMap { field in
            if case .file(_, let file) = field { file.stream } else { nil }
        }
    }
}
