import Foundation

/// The base protocol (LSP 3.17): messages behind a `Content-Length` in a stream of bytes.
public struct MessageStream: Sendable {
    /// A part of the stream.
    public enum Part: Sendable, Equatable {
        /// The content of a message.
        case message(Data)
        /// Bytes that are no message, with the reason. The stream continues after them.
        case refused(String)
    }

    /// The largest message, in bytes. It holds the largest file that is read, with its escapes.
    public static let largest = 128 << 20
    private static let largestHead = 8 << 10
    private static let end = Data("\r\n\r\n".utf8)

    private var bytes = Data()
    /// How many bytes of a message that is too large are still to come.
    private var skipped = 0
    private let largest: Int

    /// Creates a stream.
    ///
    /// - Parameter largest: The largest message, in bytes.
    public init(largest: Int = MessageStream.largest) { self.largest = largest }

    /// Adds bytes that have arrived, and takes the parts that are complete.
    public mutating func take(_ arrived: Data) -> [Part] {
        bytes += arrived.dropFirst(skip(arrived.count))
        var parts: [Part] = []
        while let part = next() { parts.append(part) }
        return parts
    }

    /// The bytes of a message with its head.
    public static func framed(_ content: Data) -> Data {
        Data("Content-Length: \(content.count)\r\n\r\n".utf8) + content
    }

    private mutating func skip(_ count: Int) -> Int {
        let own = min(skipped, count)
        skipped -= own
        return own
    }

    private mutating func next() -> Part? {
        guard let end = bytes.range(of: Self.end) else {
            guard bytes.count > Self.largestHead else { return nil }
            bytes = Data()
            return .refused("the head of a message has no end")
        }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        guard let length = Self.length(in: head) else {
            bytes = Data(bytes[end.upperBound...])
            return .refused("a message has no `Content-Length`")
        }
        guard length <= largest else {
            let rest = bytes[end.upperBound...]
            skipped = length
            bytes = Data(rest.dropFirst(skip(rest.count)))
            return .refused("a message has \(length) bytes; at most \(largest) are read")
        }
        let content = bytes[end.upperBound...]
        guard content.count >= length else { return nil }
        let message = Data(content.prefix(length))
        bytes = Data(content.dropFirst(length))
        return .message(message)
    }

    /// The length that a head names. What stands before its line is ignored, so that the stream
    /// continues after bytes that are no message.
    private static func length(in head: String) -> Int? {
        for line in head.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            let words = parts[1].split(whereSeparator: \.isWhitespace)
            guard words.count == 1, words[0].utf8.count < 16, let length = Int(words[0]),
                length >= 0
            else { return nil }
            return length
        }
        return nil
    }
}
