import HTTPTypes
import TelexJSON

/// A server that receives a file, whole or in pieces, and reports its progress.
///
/// - A request without Content-Range is the whole file, with a length or in the chunked coding:
///   201.
/// - `Content-Range: bytes 0-99/300` (RFC 9110, 14.4) is a piece. It must begin at or before the
///   end of the received bytes, and must repeat those that it overlaps. The status is 308 while
///   bytes are missing, with `Range: bytes=0-99` for the received ones (no Range if there are
///   none), and 201 at the end.
/// - `Content-Range: bytes */300` without a body asks for the progress: the same 308 or 201.
/// - 409 refuses a piece after a gap, with another total, or with different bytes than before. 400
///   refuses a piece whose range cannot be read or does not match its body.
public final class UploadReceiver: Sendable {
    fileprivate struct State {
        var bytes: [UInt8] = []
        var total: Int?
        var pieces = 0
        var refusals: ArraySlice<LoopbackReply> = []
    }

    private let state = Lock(State())

    /// Makes an empty receiver.
    public init() {}

    /// The bytes received so far.
    public var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Whether the whole file has been received.
    public var isComplete: Bool { state.withLock { $0.total == $0.bytes.count } }

    /// The number of accepted pieces.
    public var pieceCount: Int { state.withLock { $0.pieces } }

    /// Answers the next request with this reply instead of accepting its body. Several calls queue
    /// up: each refuses one request, in order.
    public func refuseNext(with reply: LoopbackReply) {
        state.withLock { $0.refusals.append(reply) }
    }

    /// Answers a request and accepts its piece of the file.
    public func answer(_ request: LoopbackRequest) -> LoopbackReply {
        state.withLock { state in
            if let refusal = state.refusals.popFirst() { return refusal }
            guard let text = request.fields[.contentRange] else {
                return state.takeWhole(request.body)
            }
            guard let piece = Piece(text), piece.range?.count ?? 0 == request.body.count else {
                return .bytes(status: 400)
            }
            return state.take(piece, request.body)
        }
    }
}

extension UploadReceiver.State {
    fileprivate mutating func takeWhole(_ body: [UInt8]) -> LoopbackReply {
        bytes = body
        total = body.count
        pieces += 1
        return progress
    }

    fileprivate mutating func take(_ piece: Piece, _ body: [UInt8]) -> LoopbackReply {
        guard total == nil || total == piece.total else { return .bytes(status: 409) }
        if let range = piece.range {
            guard range.lowerBound <= bytes.count else { return .bytes(status: 409) }
            let known = bytes[range.lowerBound...].prefix(range.count)
            guard body.starts(with: known) else { return .bytes(status: 409) }
            bytes += body.dropFirst(known.count)
            pieces += 1
        }
        total = piece.total
        return progress
    }

    private var progress: LoopbackReply {
        if total == bytes.count { return .bytes(status: 201) }
        let range: HTTPFields = bytes.isEmpty ? [:] : [.range: "bytes=0-\(bytes.count - 1)"]
        return .bytes(status: 308, fields: range)
    }
}

/// The content of a Content-Range: a range and the total, or only the total (`*`).
private struct Piece {
    var range: Range<Int>?
    let total: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("bytes "), let total = parts[1].number else {
            return nil
        }
        self.total = total
        let bounds = parts[0].dropFirst(6)
        if bounds == "*" { return }
        let ends = bounds.split(separator: "-", omittingEmptySubsequences: false).map(\.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
            last < total
        else { return nil }
        range = first..<(last + 1)
    }
}
