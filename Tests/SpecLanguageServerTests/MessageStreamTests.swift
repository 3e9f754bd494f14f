import Foundation
import SpecLanguageServer
import Testing

@Suite("The stream of messages")
struct MessageStreamTests {
    private static func head(_ count: Int) -> String { "Content-Length: \(count)\r\n\r\n" }

    private func parts(_ text: String, largest: Int = 1000) -> [MessageStream.Part] {
        var stream = MessageStream(largest: largest)
        return stream.take(Data(text.utf8))
    }

    private func message(_ text: String) -> MessageStream.Part { .message(Data(text.utf8)) }

    @Test("a stream is cut into its messages, whatever the pieces are that it arrives in")
    func pieces() {
        let text = Self.head(2) + "{}" + "content-type: x\r\n" + Self.head(5) + "[1,2]"
        for size in 1...text.utf8.count {
            var stream = MessageStream()
            var found: [MessageStream.Part] = []
            var rest = Data(text.utf8)
            while !rest.isEmpty {
                found += stream.take(Data(rest.prefix(size)))
                rest = Data(rest.dropFirst(size))
            }
            #expect(found == [message("{}"), message("[1,2]")], "pieces of \(size) bytes")
        }
    }

    @Test("a message has the length of its bytes, not of its characters")
    func bytes() {
        var stream = MessageStream()
        let framed = MessageStream.framed(Data("\"ü😀\"".utf8))
        #expect(stream.take(framed) == [message("\"ü😀\"")])
    }

    @Test(
        "a head without a valid length is refused, and the message after it is read",
        arguments: [
            "Content-Type: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: ten\r\n\r\n",
            "Content-Length: 99999999999999999999\r\n\r\n", "\r\n\r\n",
        ])
    func badHead(text: String) {
        #expect(
            parts(text + Self.head(2) + "{}")
                == [.refused("a message has no `Content-Length`"), message("{}")])
    }

    @Test("bytes before a head are ignored, so that a stream recovers")
    func noise() {
        #expect(parts("noise\n" + Self.head(2) + "{}") == [message("{}")])
    }

    @Test("a message that is too large is refused and skipped, also if it arrives in pieces")
    func tooLarge() {
        let text = Self.head(20) + String(repeating: "x", count: 20) + Self.head(2) + "{}"
        let refused = MessageStream.Part.refused("a message has 20 bytes; at most 10 are read")
        #expect(parts(text, largest: 10) == [refused, message("{}")])
        var stream = MessageStream(largest: 10)
        var found: [MessageStream.Part] = []
        for byte in text.utf8 { found += stream.take(Data([byte])) }
        #expect(found == [refused, message("{}")])
    }

    @Test("a head without an end does not fill the memory")
    func endlessHead() {
        var stream = MessageStream()
        let found = stream.take(Data(repeating: UInt8(ascii: "x"), count: 9000))
        #expect(found == [.refused("the head of a message has no end")])
        #expect(stream.take(Data((Self.head(2) + "{}").utf8)) == [message("{}")])
    }
}
