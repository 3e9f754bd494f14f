import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("Background sessions")
struct BackgroundTests {
    private static let film = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private func kind(
        _ reply: LoopbackReply,
        _ request: (BackgroundFixture) -> TransportRequest = { $0.request() }
    ) async throws -> TransportError.Kind? {
        let fixture = try BackgroundFixture { _ in reply }
        defer { fixture.stop() }
        let sent = request(fixture)
        let kind = await TransportError.kind {
            _ = try await fixture.transport().send(sent).body.collect(upTo: .max)
        }
        #expect(fixture.files.isEmpty)
        return kind
    }

    // MARK: Failures

    @Test("a body that breaks off is truncated, and leaves no file")
    func truncated() async throws {
        let kind = try await kind(.truncated([1, 2, 3], declaring: 9))
        #expect(kind == .truncated(received: 3, expected: 9))
    }

    @Test("a connection without a reply is lost")
    func lost() async throws {
        #expect(try await kind(.reset) == .connectionLost)
    }

    @Test("a reply above the bound is too large, declared or not")
    func tooLarge() async throws {
        let small = { (fixture: BackgroundFixture) in
            var request = fixture.request()
            request.maximumReplyBytes = 5
            return request
        }
        #expect(try await kind(.bytes(Self.film), small) == .tooLarge(limit: 5))
        let chunks = LoopbackReply.chunked([[1, 2, 3], [4, 5, 6]])
        #expect(try await kind(chunks, small) == .tooLarge(limit: 5))
    }

    @Test("cancelling the call ends the task")
    func cancelled() async throws {
        let arrived = Gate()
        let fixture = try BackgroundFixture { _ in
            arrived.open()
            return .silence
        }
        defer { fixture.stop() }
        let transport = fixture.transport()
        let request = fixture.request()
        let call = Task { await TransportError.kind { _ = try await transport.send(request) } }
        await arrived.wait()
        call.cancel()
        #expect(await call.value == .cancelled)
        await fixture.server.waitUntilNoConnectionIsOpen()
    }

    @Test("the body of an error status is read, and not stored")
    func errorStatus() async throws {
        let fixture = try BackgroundFixture { _ in .text("no such film", status: 404) }
        defer { fixture.stop() }
        let reply = try await fixture.transport().send(fixture.request())
        #expect(reply.head.status == .notFound)
        let again = try await fixture.transport().send(fixture.request())
        #expect(try await reply.body.collect(upTo: 99) == Array("no such film".utf8))
        #expect(try await again.body.collect(upTo: 99) == Array("no such film".utf8))
        #expect(fixture.server.requests.count == 2)
    }

    @Test("a 401 is a reply, and a challenge that Foundation knows does not hang")
    func unauthorized() async throws {
        let fixture = try BackgroundFixture { request in
            .text(
                "who?", status: 401, fields: [.wwwAuthenticate: "\(request.path.dropFirst()) x=1"])
        }
        defer { fixture.stop() }
        let transport = fixture.transport()
        let reply = try await transport.send(fixture.request(.get, "/Bearer"))
        #expect(reply.head.status == .unauthorized)
        #expect(try await reply.body.collect(upTo: 4) == Array("who?".utf8))
        // corelibs-foundation drops the body of this one.
        let basic = try await transport.send(fixture.request(.get, "/Basic"))
        #expect(basic.head.status == .unauthorized)
    }

    @Test("a cancelled body throws, and its file is removed")
    func givenUp() async throws {
        let fixture = try BackgroundFixture { _ in .bytes(Self.film) }
        defer { fixture.stop() }
        let reply = try await fixture.transport().send(fixture.request())
        var chunks = reply.body.makeAsyncIterator()
        #expect(try await chunks.next()?.isEmpty == false)
        reply.body.cancel()
        let kind = await TransportError.kind { _ = try await reply.body.collect(upTo: .max) }
        #expect(kind == .cancelled)
        #expect(fixture.files.isEmpty)
    }

    // MARK: Downloads

    @Test("a download is complete, and its temporary file is removed")
    func whole() async throws {
        let fixture = try BackgroundFixture { _ in .bytes(Self.film, fields: [.eTag: "\"1\""]) }
        defer { fixture.stop() }
        let transport = fixture.transport()
        try await check(transport.send(fixture.request()))
        #expect(fixture.files.isEmpty)
    }

    private func check(_ reply: TransportReply) async throws {
        #expect(reply.head.status == .ok)
        #expect(reply.head.headerFields[.eTag] == "\"1\"")
        #expect(reply.body.length == Self.film.count)
        #expect(try await reply.body.collect(upTo: .max) == Self.film)
    }

    @Test("a reply without a body is whole too")
    func empty() async throws {
        let fixture = try BackgroundFixture { _ in .bytes(status: 204) }
        defer { fixture.stop() }
        let reply = try await fixture.transport().send(fixture.request())
        #expect(reply.head.status == .noContent)
        #expect(try await reply.body.collect(upTo: 0).isEmpty)
    }

    @Test("the rest of a document is asked for and comes as a part")
    func range() async throws {
        let file = FileOnServer(Self.film, entityTag: "\"1\"")
        let fixture = try BackgroundFixture(file.answer)
        defer { fixture.stop() }
        let fields: HTTPFields = [.range: "bytes=800000-", .ifRange: "\"1\""]
        let reply = try await fixture.transport().send(fixture.request(fields: fields))
        #expect(reply.head.status == .partialContent)
        #expect(reply.head.headerFields[.contentRange] == "bytes 800000-899999/900000")
        #expect(try await reply.body.collect(upTo: .max) == Array(Self.film[800_000...]))
    }

    // MARK: Uploads

    @Test("bytes, files and parts are sent from disk, and their replies are read")
    func uploads() async throws {
        let fixture = try BackgroundFixture {
            .text("\($0.body.count) \($0.fields[.contentType] ?? "-")")
        }
        defer { fixture.stop() }
        let path = try fixture.file("film.mov", Self.film)
        let bodies: [RequestBody] = [
            .bytes([1, 2, 3]), .file(path: path, length: Self.film.count),
            .parts([.bytes([1]), .file(path: path, length: Self.film.count), .bytes([2])]),
        ]
        for body in bodies {
            let sent = Lock(0)
            var request = fixture.request(
                .post, fields: [.contentType: "video/quicktime"], body: body)
            request.onBodySent = { total in sent.withLock { $0 = max($0, total) } }
            let reply = try await fixture.transport().send(request)
            let count = try #require(body.length)
            let text = Array("\(count) video/quicktime".utf8)
            #expect(try await reply.body.collect(upTo: 99) == text)
            #expect(sent.withLock { $0 } == count)
        }
        #expect(fixture.server.requests.map(\.body.count) == bodies.map(\.length))
        #expect(fixture.files.map(\.path) == [path])
    }

    @Test("the reply to an upload is bounded")
    func uploadReply() async throws {
        let upload = { (fixture: BackgroundFixture) in
            var request = fixture.request(.put, body: .bytes([1]))
            request.maximumReplyBytes = 5
            return request
        }
        #expect(try await kind(.bytes(Self.film), upload) == .tooLarge(limit: 5))
    }
}
