import Foundation
import HTTPTypes
import Synchronization
import TelexTransport

/// A reply whose body is in a file.
struct StoredReply: Sendable {
    var head: HTTPResponse
    /// How many bytes of body the head declares, as far as that can be known.
    var length: Int?
    /// Where the body is; nil for none.
    var file: URL?
    /// How many bytes it has.
    var size = 0
    /// Gives the file up; called when nobody reads it any more.
    var remove: @Sendable () -> Void = {}

    /// The reply for a request that takes so many bytes and asked for bytes from `first` on.
    func reply(upTo limit: Int, from first: Int?) -> TransportReply {
        let whole = asAsked(from: first)
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

    /// How far a body has been read.
    private final class Reading: Sendable {
        private let size: Int
        /// nil for a reader that gave up.
        private let position = Mutex<Int?>(0)

        init(size: Int) {
            self.size = size
        }

        /// The bytes to read next; nil at the end.
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
        throw TransportError(.other, "the stored reply has become shorter")
    }
}

extension StoredReply {
    /// The reply as if the whole of it had come at once. When the system loses a connection it asks
    /// for the rest by itself, and shows the head of the last part only, although all parts are in
    /// the file. That is mended where the numbers prove it, and left alone everywhere else.
    func asAsked(from first: Int?) -> StoredReply {
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

    /// `bytes 100-199/200`: where a part that reaches the end begins, and how much there is in all.
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
    /// Where the bytes begin that it asks for (`Range: bytes=100-`); nil if it asks for all.
    var firstByte: Int? {
        guard let text = head.headerFields[.range] else { return nil }
        return text.wholeMatch(of: /bytes=([0-9]{1,18})-/).flatMap { Int($0.1) }
    }
}
