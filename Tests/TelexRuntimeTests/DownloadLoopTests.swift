import Foundation
import HTTPTypes
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A download over a transport that drops connections")
struct DownloadLoopTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Answers as a server does that honours ranges, and drops each body after 1000 bytes.
    private static let transport = InMemoryTransport { request in
        let (head, body) = Document(bytes: bytes).answer(request.head.headerFields)
        let rest = Pieces(body, upTo: 1000)
        return TransportReply(
            head: head,
            body: ReplyBody(length: body.count) { () throws(TransportError) in
                try rest.next()
            })
    }

    @Test("arrives whole, and nothing is fetched twice")
    func arrives() async throws {
        let path = temporaryPath()
        defer { unlink(path) }
        let log = Log()
        try await download(to: path, log)
        #expect(try DiskFile.read(path) == Self.bytes)
        #expect(log.text == (0..<100).map { "\($0 * 1000)" }.joined(separator: "\n"))
    }

    private func download(to path: String, _ log: Log) async throws {
        var file = try PartialFile(destination: path, source: source())
        while !file.isWhole {
            log.add("\(file.resumption)")
            let head = HTTPRequest(
                method: .get, scheme: "https", authority: "files.example", path: "/",
                headerFields: file.requestFields)
            let reply = try await Self.transport.send(TransportRequest(head: head))
            guard try file.accept(reply.head, at: noon) == .receive else { continue }
            do {
                for try await chunk in reply.body { try file.write(chunk) }
            } catch is TransportError {}
        }
        try file.finish()
    }
}

/// Bytes that come in pieces of 300 and end early.
private final class Pieces: Sendable {
    private let bytes: [UInt8]
    private let limit: Int
    private let position = Mutex(0)

    init(_ bytes: [UInt8], upTo limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    func next() throws(TransportError) -> [UInt8]? {
        let start = position.withLock { position in
            defer { position += 300 }
            return position
        }
        if start >= bytes.count { return nil }
        if start >= limit {
            throw TransportError.truncated(received: limit, expected: bytes.count)
        }
        return Array(bytes[start..<min(start + 300, limit, bytes.count)])
    }
}
