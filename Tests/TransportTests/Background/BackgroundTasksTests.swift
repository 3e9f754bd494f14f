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

@Suite("Callbacks of background tasks")
struct BackgroundTasksTests {
    @Test("callbacks of background tasks store a reply without a waiter")
    func unasked() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        try fixture.finish([1, 2, 3])
        try fixture.complete(declaring: 3)
        // The task has ended, so that no call may wait for it.
        fixture.tasks.addExisting(fixture.task.taskIdentifier, name: fixture.name, cancel: {})
        fixture.tasks.finishFinding()
        #expect(!fixture.isAdopted())
        let reply = try #require(fixture.store.take(fixture.name.fingerprint, in: UUID()))
        let body = reply.reply(upTo: .max, from: nil).body
        #expect(try await body.collect(upTo: 3) == [1, 2, 3])
        #expect(fixture.store.take(fixture.name.fingerprint, in: UUID()) == nil)
        #expect(fixture.fixture.server.requests.isEmpty)
    }

    @Test(
        "an error after a head reports a truncated body, whatever the error is",
        arguments: [
            (.notConnectedToInternet, .offline), (.cannotFindHost, .nameNotFound),
            (.secureConnectionFailed, .tls),
        ] as [(URLError.Code, TransportError.Kind)])
    func afterHead(_ code: URLError.Code, _ kind: TransportError.Kind) throws {
        let url = try #require(URL(string: "https://films.test/"))
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: url)
        let head = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: "HTTP/1.1",
            headerFields: ["Content-Length": "9"])
        let kinds = [head, nil].map { response in
            #expect(throws: TransportError.self) {
                _ = try BackgroundRecord().reply(
                    of: task, response: response, error: URLError(code))
            }?.kind
        }
        #expect(kinds == [.truncated(received: 0, expected: 9), kind])
    }

    @Test(
        "callbacks of background tasks do not store incomplete replies or error statuses",
        arguments: [(200, 9), (500, 3)])
    func short(status: Int, length: Int) throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        try fixture.finish([1, 2, 3])
        try fixture.complete(status: status, declaring: length)
        #expect(fixture.store.take(fixture.name.fingerprint, in: UUID()) == nil)
        #expect(fixture.fixture.files.isEmpty)
    }

    @Test("callbacks of background tasks give the reply to a waiter that comes after the file")
    func late() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        try fixture.finish([1, 2, 3])
        fixture.tasks.addExisting(fixture.task.taskIdentifier, name: fixture.name, cancel: {})
        let exchange = BackgroundExchange(fixture.request)
        #expect(fixture.tasks.adopt(fixture.name.fingerprint, for: exchange, in: UUID()))
        #expect(!fixture.isAdopted())
        try fixture.complete(declaring: 3)
        let reply = try await exchange.reply().reply(upTo: 3, from: nil)
        #expect(fixture.store.take(fixture.name.fingerprint, in: UUID()) == nil)
        #expect(try await reply.body.collect(upTo: 3) == [1, 2, 3])
    }

    @Test("callbacks of background tasks drop the reply of a cancelled waiter")
    func abandoned() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let exchange = BackgroundExchange(fixture.request)
        fixture.tasks.add(fixture.task, name: fixture.name, exchange: exchange, cancel: {})
        exchange.end(.failure(.cancelled))
        try fixture.finish([1, 2, 3])
        try fixture.complete(declaring: 3)
        #expect(fixture.store.take(fixture.name.fingerprint, in: UUID()) == nil)
        #expect(fixture.fixture.files.isEmpty)
    }

    @Test("callbacks of background tasks fail the call if the file cannot be moved")
    func disk() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let exchange = BackgroundExchange(fixture.request)
        fixture.tasks.add(fixture.task, name: fixture.name, exchange: exchange, cancel: {})
        fixture.tasks.finished(URL(fileURLWithPath: "/nowhere/CFNetworkDownload.tmp"), fixture.task)
        try fixture.complete(declaring: 3)
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.message.hasPrefix("cannot store the reply") == true)
    }

    @Test("callbacks of background tasks fail the call if the body cannot be stored")
    func lostBody() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let exchange = BackgroundExchange(fixture.request)
        fixture.tasks.add(fixture.task, name: fixture.name, exchange: exchange, cancel: {})
        try fixture.finish([1, 2, 3])
        let place = fixture.fixture.folder.appendingPathComponent(fixture.name.text)
        try Data().write(to: place)
        try fixture.complete(declaring: 3)
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.kind == .other)
        #expect(error?.message.hasPrefix("cannot store the reply") == true)
        #expect(fixture.fixture.files.map(\.path) == [place.path])
    }

    @Test("callbacks of background tasks remove a file whose storing failed halfway")
    func orphan() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let exchange = BackgroundExchange(fixture.request)
        fixture.tasks.add(fixture.task, name: fixture.name, exchange: exchange, cancel: {})
        // It can be moved, but its permissions cannot be set.
        let link = URL(fileURLWithPath: try fixture.fixture.file("CFNetworkDownload.tmp", []))
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: "/nowhere/at/all")
        fixture.tasks.finished(link, fixture.task)
        try fixture.complete(declaring: 3)
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.message.hasPrefix("cannot store the reply") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.fixture.folder.path)
        #expect(left == ["uploads"])
    }

    @Test("callbacks of background tasks do not store a reply after unwanted transfers were ended")
    func forgotten() throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let isEnded = Lock(false)
        fixture.tasks.addExisting(fixture.task.taskIdentifier, name: fixture.name) {
            isEnded.withLock { $0 = true }
        }
        fixture.tasks.cancelUnclaimedTasks()
        #expect(isEnded.withLock { $0 })
        #expect(!fixture.isAdopted())
        try fixture.finish([1, 2, 3])
        try fixture.complete(declaring: 3)
        // The system removes its own file.
        #expect(fixture.fixture.files.map(\.lastPathComponent) == ["CFNetworkDownload.tmp"])
    }

    @Test("a background callback reports a lost connection if the system cancels an awaited task")
    func endedBySystem() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let exchange = BackgroundExchange(fixture.request)
        fixture.tasks.add(fixture.task, name: fixture.name, exchange: exchange, cancel: {})
        fixture.tasks.complete(fixture.task, response: nil, error: URLError(.cancelled))
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.kind == .connectionLost)
        #expect(error?.message.hasPrefix("the system ended the transfer") == true)
    }

    @Test("a background callback reports a cancellation if the call is cancelled before its task")
    func endedByCaller() async throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        let exchange = BackgroundExchange(fixture.request)
        fixture.tasks.add(fixture.task, name: fixture.name, exchange: exchange) {
            fixture.tasks.complete(fixture.task, response: nil, error: URLError(.cancelled))
        }
        exchange.stop(.failure(.cancelled))
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error == .cancelled)
    }

    @Test("callbacks of a background task give no reply to calls of the process that started it")
    func own() throws {
        let fixture = try BackgroundTasksFixture()
        defer { fixture.stop() }
        fixture.tasks.addExisting(fixture.task.taskIdentifier, name: fixture.name, cancel: {})
        let exchange = BackgroundExchange(fixture.request)
        #expect(
            !fixture.tasks.adopt(fixture.name.fingerprint, for: exchange, in: fixture.name.launch))
        #expect(fixture.isAdopted())
    }
}
