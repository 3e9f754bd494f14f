import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A download over a transport that drops connections")
struct DownloadLoopTests {
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// Replies like a server that honours ranges, and drops each body after 1000 bytes.
    private static let transport = InMemoryTransport { request in
        let (head, body) = ServedDocument(bytes: bytes).answer(request.head.headerFields)
        let rest = Pieces(body, upTo: 1000)
        return TransportReply(
            head: head,
            body: ReplyBody(length: body.count) { () throws(TransportError) in
                try rest.next()
            })
    }

    @Test("a download over dropped connections is complete, and no byte is fetched twice")
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
            log.add("\(file.resumeOffset)")
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

@Suite("A download whose server cannot send the rest")
struct BadRangeTests {
    private static let bytes = [UInt8](0..<10)
    private static let tag: HTTPFields = [.eTag: "\"1\""]

    /// Leaves the first four bytes at a path, and requests the rest from a server that replies like
    /// this.
    private func rest(
        at path: String, _ answer: @escaping @Sendable (_ asksForRest: Bool) -> TransportReply
    ) async -> (error: APIError?, sent: Int) {
        let first = Self.manager(
            InMemoryTransport { _ in
                .chunks(
                    [Array(Self.bytes[..<4])], length: 10,
                    then: TransportError(.connectionLost, "x"), fields: Self.tag)
            })
        _ = await failure(first.operation(EngineRequests.download(id: 1, to: path)))
        let transport = InMemoryTransport { answer($0.head.headerFields[.range] == "bytes=4-") }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        let call = Self.manager(transport).operation(
            EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry))
        let error = await failure(call)
        return (error, transport.requests.count)
    }

    private static func manager(_ transport: any Transport) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
    }

    private static func part(_ range: String, _ size: Int) -> TransportReply {
        var fields = tag
        fields[.contentRange] = range
        return .chunks(bytes.chunks(of: size), status: .partialContent, fields: fields)
    }

    @Test(
        "a download whose server cannot send the rest restarts, and mixes nothing",
        arguments: [
            ("bytes 0-9/10", 10), ("bytes 4-9/10", 10), ("bytes 4-9/10", 3), ("bytes 4-9/10", 1),
            ("bytes 5-9/10", 10),
        ])
    func begins(_ range: String, _ size: Int) async throws {
        try await withFile { path in
            let (error, sent) = await rest(at: path) { asksForRest in
                asksForRest ? Self.part(range, size) : .bytes(Self.bytes, fields: Self.tag)
            }
            let written = try DiskFile.read(path)
            #expect(error == nil && sent == 2 && written == Self.bytes)
        }
    }

    @Test("a download that gets no rest fails if it does not improve, and is not repeated forever")
    func ends() async throws {
        for range in ["bytes 4-9/10", "bytes 0-3/10", "bytes 0-8/10"] {
            try await withFile { path in
                let (error, sent) = await rest(at: path) { _ in Self.part(range, 3) }
                guard case .download? = error?.reason else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                let written = try DiskFile.read(path)
                #expect(sent <= 4 && written == nil)
            }
        }
    }
}

/// Bytes that arrive in chunks of 300 and end early.
private final class Pieces: Sendable {
    private let bytes: [UInt8]
    private let limit: Int
    private let position = Lock(0)

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
