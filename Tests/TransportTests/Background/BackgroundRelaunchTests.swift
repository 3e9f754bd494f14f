import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Background sessions after the end of a process")
struct BackgroundRelaunchTests {
    private func text(
        _ transport: URLSessionTransport, _ request: TransportRequest
    ) async throws -> String {
        let reply = try await transport.send(request)
        return String(decoding: try await reply.body.collect(upTo: .max), as: UTF8.self)
    }

    /// A reply that a process received, but did not read before its end.
    private func leaveUnread(
        _ fixture: BackgroundFixture, _ request: TransportRequest
    ) async throws -> TransportReply {
        try await fixture.transport().send(request)
    }

    @Test("a finished reply is taken once, by the same call")
    func finished() async throws {
        let count = Lock(0)
        let fixture = try BackgroundFixture { _ in
            .text("film \(count.withLock { $0 += 1; return $0 })", fields: [.eTag: "\"1\""])
        }
        defer { fixture.stop() }
        let unread = try await leaveUnread(fixture, fixture.request())
        let transport = fixture.transport()
        let reply = try await transport.send(fixture.request())
        #expect(reply.head.headerFields[.eTag] == "\"1\"")
        #expect(try await text(transport, fixture.request()) == "film 2")
        #expect(try await reply.body.collect(upTo: 99) == Array("film 1".utf8))
        #expect(try await text(transport, fixture.request()) == "film 3")
        withExtendedLifetime(unread) {}
    }

    @Test("a reply is not taken by a later call of the same process", arguments: ["GET", "POST"])
    func sameProcess(method: String) async throws {
        let count = Lock(0)
        let fixture = try BackgroundFixture { _ in
            .text("film \(count.withLock { $0 += 1; return $0 })")
        }
        defer { fixture.stop() }
        let request = fixture.request(
            try #require(.init(method)), body: method == "POST" ? .bytes([1]) : nil)
        let launch = UUID()
        let unread = try await fixture.transport(launch: launch).send(request)
        let transport = fixture.transport(launch: launch)
        #expect(try await text(transport, request) == "film 2")
        #expect(try await unread.body.collect(upTo: 99) == Array("film 1".utf8))
    }

    @Test("a running task of an earlier process is awaited, and no request is sent")
    func running() async throws {
        let (arrived, goes) = (Gate(), Gate())
        let fixture = try BackgroundFixture { _ in
            arrived.open()
            return .text("film").held(by: goes)
        }
        defer { fixture.stop() }
        let request = fixture.request()
        let transport = fixture.transport(left: { session in
            let tasks = await fixture.left(by: request)(session)
            await arrived.wait()
            return tasks
        })
        async let film = text(transport, request)
        await arrived.wait()
        goes.open()
        #expect(try await film == "film")
        #expect(fixture.server.requests.count == 1)
    }

    @Test("a task of an earlier process ends when its call is cancelled")
    func cancelled() async throws {
        let arrived = Gate()
        let fixture = try BackgroundFixture { _ in
            arrived.open()
            return .silence
        }
        defer { fixture.stop() }
        let request = fixture.request()
        let transport = fixture.transport(left: fixture.left(by: request))
        let call = Task { await TransportError.kind { _ = try await transport.send(request) } }
        await arrived.wait()
        call.cancel()
        #expect(await call.value == .cancelled)
        await fixture.server.waitUntilNoConnectionIsOpen()
        #expect(fixture.server.requests.count == 1)
    }

    @Test("a task of an earlier process is restarted if the system ends it")
    func endedBySystem() async throws {
        let (arrived, isAdopted) = (Gate(), Gate())
        let count = Lock(0)
        let left = Lock<[URLSessionTask]>([])
        let fixture = try BackgroundFixture { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                arrived.open()
                return .silence
            }
            // A second request proves that the other call has adopted the earlier task.
            isAdopted.open()
            return .text("film \(number)")
        }
        defer { fixture.stop() }
        let request = fixture.request()
        let transport = fixture.transport(left: { session in
            let tasks = await fixture.left(by: request)(session)
            left.withLock { $0 = tasks }
            await arrived.wait()
            return tasks
        })
        async let film = text(transport, request)
        async let other = text(transport, request)
        await isAdopted.wait()
        for task in left.withLock({ $0 }) { task.cancel() }
        #expect(try await Set([film, other]) == ["film 2", "film 3"])
    }

    @Test("a stored reply is not given to another call")
    func others() async throws {
        let fixture = try BackgroundFixture { request in
            .text("\(request.path) \(request.fields[.authorization] ?? "-") \(request.body)")
        }
        defer { fixture.stop() }
        let mine: HTTPFields = [.authorization: "Bearer mine"]
        let unread = try await leaveUnread(fixture, fixture.request(fields: mine))
        let upload = try await leaveUnread(fixture, fixture.request(.post, body: .bytes([1])))
        let others = [
            fixture.request(.get, "/other", fields: mine),
            fixture.request(fields: [.authorization: "Bearer theirs"]), fixture.request(),
            fixture.request(fields: mine.merging([.range: "bytes=1-"])),
            fixture.request(.post, body: .bytes([2])), fixture.request(.put, body: .bytes([1])),
            fixture.request(.post),
        ]
        let transport = fixture.transport()
        for (number, request) in others.enumerated() {
            _ = try await text(transport, request)
            #expect(fixture.server.requests.count == 3 + number)
        }
        #expect(try await text(transport, fixture.request(fields: mine)) == "/film Bearer mine []")
        #expect(
            try await text(transport, fixture.request(.post, body: .bytes([1]))) == "/film - [1]")
        #expect(fixture.server.requests.count == 2 + others.count)
        withExtendedLifetime((unread, upload)) {}
    }

    @Test("a file is identified by name, size and modification date, in any folder")
    func files() throws {
        let fixture = try BackgroundFixture { _ in .silence }
        defer { fixture.stop() }
        let time = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_000_000)]
        let here = try fixture.file("a.mov", [1, 2])
        let there = here.replacingOccurrences(of: "uploads", with: "moved")
        func fingerprint(_ path: String) throws -> String {
            try fixture.request(.post, body: .file(path: path, length: 2)).fingerprint()
        }
        try FileManager.default.setAttributes(time, ofItemAtPath: here)
        let before = try fingerprint(here)
        try FileManager.default.createDirectory(
            atPath: (there as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: here, toPath: there)
        #expect(try fingerprint(there) == before)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 2_000_000)], ofItemAtPath: there)
        #expect(try fingerprint(there) != before)
        #expect(throws: TransportError.self) { try fingerprint(here) }
    }

    @Test("no file or description of a background session shows credentials once its process ends")
    func secrecy() async throws {
        let fixture = try BackgroundFixture { _ in
            .text("film", fields: [.setCookie: "id=SECRET", .eTag: "\"1\""])
        }
        defer { fixture.stop() }
        let request = fixture.request(
            .get, "/film?access_token=SECRET", fields: [.authorization: "Bearer SECRET"])
        let unread = try await leaveUnread(fixture, request)
        #expect(unread.head.headerFields[.setCookie] == "id=SECRET")
        let name = TransferName(fingerprint: try request.fingerprint(), launch: UUID())
        #expect(!name.text.contains("SECRET"))
        #expect(fixture.files.count == 2)
        for file in fixture.files {
            let content = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            #expect(!content.contains("SECRET") && !file.path.contains("SECRET"))
            let facts = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        let reply = try await fixture.transport().send(request)
        #expect(reply.head.headerFields[.eTag] == "\"1\"")
        #expect(reply.head.headerFields[.setCookie] == nil)
    }

    @Test("an error status without a waiter is not stored")
    func errors() async throws {
        let fixture = try BackgroundFixture { _ in .text("busy", status: 503) }
        defer { fixture.stop() }
        let unread = try await leaveUnread(fixture, fixture.request())
        #expect(try await text(fixture.transport(), fixture.request()) == "busy")
        #expect(fixture.server.requests.count == 2)
        withExtendedLifetime(unread) {}
    }
}

extension HTTPFields {
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        others.reduce(into: self) { $0.append($1) }
    }
}
