import HTTPTypes
import Synchronization

/// Receives a file, whole or in pieces, and knows how far it got.
///
/// - A request without Content-Range is the whole file, whether it came with a length or in the
///   chunked coding: 201.
/// - `Content-Range: bytes 0-99/300` (RFC 9110, 14.4) is a piece. It has to begin where the last
///   one ended, or before: what is there already must be the same bytes. 308 while something is
///   missing, with `Range: bytes=0-99` for what is there (none if nothing is); 201 at the end.
/// - `Content-Range: bytes */300` and no body asks how far it got: the same 308 or 201.
/// - A piece with a gap, another total or other bytes than before is refused with 409, one whose
///   range and body do not agree or cannot be read with 400.
public final class UploadReceiver: Sendable {
    fileprivate struct State {
        var bytes: [UInt8] = []
        var total: Int?
        var pieces = 0
        var refusals: ArraySlice<LoopbackReply> = []
    }

    private let state = Mutex(State())

    /// Makes a receiver that has nothing yet.
    public init() {}

    /// What has been received so far.
    public var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Whether everything is there.
    public var isComplete: Bool { state.withLock { $0.total == $0.bytes.count } }

    /// How many pieces were accepted.
    public var pieceCount: Int { state.withLock { $0.pieces } }

    /// Gives this reply to one of the next requests instead of taking what it brings; called
    /// several times, one after the other each.
    public func refuseNext(with reply: LoopbackReply) {
        state.withLock { $0.refusals.append(reply) }
    }

    /// Takes what a request brings.
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

/// What a Content-Range says: a range of a whole, or only the whole (`*`).
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
