import TelexJSON
import TelexTransport

/// Bytes that are generated during an upload and cannot be generated again.
///
/// Only the first request that asks for bytes gets any: no later attempt, no redirected request,
/// and no second call with the same file. So the body is never sent twice, nor from its middle.
package final class UploadStream: Sendable {
    package typealias Next = @Sendable () async throws(TransportError) -> [UInt8]?

    /// The identity of a request that reads.
    private final class Reader: Sendable {}

    package static let remedy = "repeat the call with a new stream"

    let length: Int
    private let make: Next
    private let reader = Lock<Reader?>(nil)

    init(length: Int, next: @escaping Next) {
        self.length = length
        make = next
    }

    /// Whether a request has begun to read the stream.
    package var isConsumed: Bool { reader.withLock { $0 != nil } }

    /// The body part for one request; nil if a request has begun to read.
    package var part: RequestBody.Part? {
        guard !isConsumed else { return nil }
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
    /// Whether the request can be sent any number of times.
    package var isReplayable: Bool { streams.isEmpty }

    /// Whether the request contains a stream that has been read, so that it cannot be sent again.
    package var isConsumed: Bool { streams.contains(where: \.isConsumed) }

    private var streams: [UploadStream] {
        if case .file(let file) = body { return file.stream.map { [$0] } ?? [] }
        return form.compactMap { field in
            if case .file(_, let file) = field { file.stream } else { nil }
        }
    }
}
