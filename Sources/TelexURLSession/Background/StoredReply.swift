import Foundation
import HTTPTypes
import TelexJSON
import TelexTransport

/// A reply whose body is in a file.
struct StoredReply: Sendable {
    var head: HTTPResponse
    /// The declared length of the body, if known.
    var length: Int?
    /// The file with the body; nil for none.
    var file: URL?
    /// The size of the body in bytes.
    var size = 0
    /// Removes the file; called when the body has no reader any more.
    var remove: @Sendable () -> Void = {}

    /// Returns the reply to a request that accepts `limit` bytes and asked for the bytes from
    /// `first` on.
    func reply(upTo limit: Int, from first: Int?) -> TransportReply {
        let whole = mergingParts(from: first)
        if size > limit { return failing(whole.head, .tooLarge(limit: limit)) }
        if let length = whole.length, size < length {
            return failing(whole.head, .truncated(received: size, expected: length))
        }
        guard let file, size > 0 else {
            remove()
            return TransportReply(head: whole.head)
        }
        let reading = Reading(size: size)
        return TransportReply(
            head: whole.head,
            body: ReplyBody(
                length: whole.length,
                cancel: { [remove] in
                    reading.cancel()
                    remove()
                },
                next: { () async throws(TransportError) in
                    if Task.isCancelled { throw .cancelled }
                    guard let range = try reading.next() else { return nil }
                    return try Self.chunk(of: file, range)
                }))
    }

    /// The read position of a body.
    private final class Reading: Sendable {
        private let size: Int
        /// Nil after a cancellation.
        private let position = Lock<Int?>(0)

        init(size: Int) {
            self.size = size
        }

        /// Returns the range to read next; nil at the end.
        func next() throws(TransportError) -> Range<Int>? {
            let start = position.withLock { position in
                defer { position = position.map { min($0 + 262_144, size) } }
                return position
            }
            guard let start else { throw .cancelled }
            return start < size ? start..<min(start + 262_144, size) : nil
        }

        func cancel() { position.withLock { if $0 != size { $0 = nil } } }
    }

    private func failing(_ head: HTTPResponse, _ error: TransportError) -> TransportReply {
        remove()
        return TransportReply(
            head: head,
            body: ReplyBody(length: nil) { () async throws(TransportError) in throw error })
    }

    private static func chunk(
        of file: URL, _ range: Range<Int>
    ) throws(TransportError) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(range.lowerBound))
            let data = try handle.read(upToCount: range.count) ?? Data()
            if data.count == range.count { return [UInt8](data) }
        } catch {
            throw TransportError(
                .other, "cannot read the stored reply: \(error.localizedDescription)")
        }
        throw TransportError(.other, "the file of the stored reply was truncated")
    }
}

extension StoredReply {
    /// Returns the reply as if all of it had arrived at once. When the system loses a connection,
    /// it requests the rest itself, and reports only the head of the last part, although the file
    /// has all parts. The head is corrected only where its numbers prove that.
    func mergingParts(from first: Int?) -> StoredReply {
        guard head.status == .partialContent, let range = head.headerFields[.contentRange],
            let part = Self.part(range), size == part.total - (first ?? 0),
            part.start > (first ?? 0) || first == nil
        else { return self }
        var whole = self
        whole.length = size
        whole.head.headerFields[.contentLength] = "\(size)"
        if let first {
            let end = part.total - 1
            whole.head.headerFields[.contentRange] = "bytes \(first)-\(end)/\(part.total)"
        } else {
            whole.head.status = .ok
            whole.head.headerFields[.contentRange] = nil
        }
        return whole
    }

    /// Parses `bytes 100-199/200`: the start of a part that reaches the end, and the total length.
    private static func part(_ text: String) -> (start: Int, total: Int)? {
        guard
            let match = text.wholeMatch(of: /bytes ([0-9]{1,18})-([0-9]{1,18})\/([0-9]{1,18})/),
            let start = Int(match.1), let end = Int(match.2), let total = Int(match.3),
            start <= end, end == total - 1
        else { return nil }
        return (start, total)
    }
}

extension TransportRequest {
    /// The start of the requested range (`Range: bytes=100-`); nil without one.
    var firstByte: Int? {
        guard let text = head.headerFields[.range] else { return nil }
        return text.wholeMatch(of: /bytes=([0-9]{1,18})-/).flatMap { Int($0.1) }
    }
}
