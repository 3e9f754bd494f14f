import Foundation
import HTTPTypes
import Synchronization
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What the system tells about transfers")
struct BackgroundTasksTests {
    @Test("is kept if nobody asks, for whoever does later")
    func unasked() async throws {
        let told = try Told()
        defer { told.stop() }
        try told.finish([1, 2, 3])
        try told.complete(declaring: 3)
        // It has ended: whoever asks for what is left must not wait for it.
        told.tasks.find(told.task.taskIdentifier, told.name, cancel: {})
        told.tasks.foundAll()
        #expect(!told.isAdopted())
        let reply = try #require(told.store.take(told.name.fingerprint, in: UUID()))
        let body = reply.reply(upTo: .max, from: nil).body
        #expect(try await body.collect(upTo: 3) == [1, 2, 3])
        #expect(told.store.take(told.name.fingerprint, in: UUID()) == nil)
        #expect(told.rig.server.requests.isEmpty)
    }

    @Test(
        "has reached the server once there is a head, whatever ended it",
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
                _ = try BackgroundRecord().reply(task, response, URLError(code))
            }?.kind
        }
        #expect(kinds == [.truncated(received: 0, expected: 9), kind])
    }

    @Test("is not kept if it is not all, or no success", arguments: [(200, 9), (500, 3)])
    func short(status: Int, length: Int) throws {
        let told = try Told()
        defer { told.stop() }
        try told.finish([1, 2, 3])
        try told.complete(status: status, declaring: length)
        #expect(told.store.take(told.name.fingerprint, in: UUID()) == nil)
        #expect(told.rig.files.isEmpty)
    }

    @Test("is given to who began to wait after the file had come")
    func late() async throws {
        let told = try Told()
        defer { told.stop() }
        try told.finish([1, 2, 3])
        told.tasks.find(told.task.taskIdentifier, told.name, cancel: {})
        let exchange = BackgroundExchange(told.request)
        #expect(told.tasks.adopt(told.name.fingerprint, exchange, in: UUID()))
        #expect(!told.isAdopted())
        try told.complete(declaring: 3)
        let reply = try await exchange.reply().reply(upTo: 3, from: nil)
        #expect(told.store.take(told.name.fingerprint, in: UUID()) == nil)
        #expect(try await reply.body.collect(upTo: 3) == [1, 2, 3])
    }

    @Test("is dropped if whoever waited has given up")
    func abandoned() async throws {
        let told = try Told()
        defer { told.stop() }
        let exchange = BackgroundExchange(told.request)
        told.tasks.add(told.task, told.name, exchange, cancel: {})
        exchange.end(.failure(.cancelled))
        try told.finish([1, 2, 3])
        try told.complete(declaring: 3)
        #expect(told.store.take(told.name.fingerprint, in: UUID()) == nil)
        #expect(told.rig.files.isEmpty)
    }

    @Test("fails the call if the disk does not take it")
    func disk() async throws {
        let told = try Told()
        defer { told.stop() }
        let exchange = BackgroundExchange(told.request)
        told.tasks.add(told.task, told.name, exchange, cancel: {})
        told.tasks.finished(URL(fileURLWithPath: "/nowhere/CFNetworkDownload.tmp"), told.task)
        try told.complete(declaring: 3)
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.message.hasPrefix("cannot store the reply") == true)
    }

    @Test("fails the call if its body is lost before it is kept")
    func lostBody() async throws {
        let told = try Told()
        defer { told.stop() }
        let exchange = BackgroundExchange(told.request)
        told.tasks.add(told.task, told.name, exchange, cancel: {})
        try told.finish([1, 2, 3])
        let place = told.rig.folder.appendingPathComponent(told.name.text)
        try Data().write(to: place)
        try told.complete(declaring: 3)
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.kind == .other)
        #expect(error?.message.hasPrefix("cannot store the reply") == true)
        #expect(told.rig.files.map(\.path) == [place.path])
    }

    @Test("leaves nothing behind that the disk took by half")
    func orphan() async throws {
        let told = try Told()
        defer { told.stop() }
        let exchange = BackgroundExchange(told.request)
        told.tasks.add(told.task, told.name, exchange, cancel: {})
        // It can be moved, but nobody can say whose it is.
        let link = URL(fileURLWithPath: try told.rig.file("CFNetworkDownload.tmp", []))
        try FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: "/nowhere/at/all")
        told.tasks.finished(link, told.task)
        try told.complete(declaring: 3)
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.message.hasPrefix("cannot store the reply") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: told.rig.folder.path)
        #expect(left == ["uploads"])
    }

    @Test("is not kept once the transfers that nobody waits for have been ended")
    func forgotten() throws {
        let told = try Told()
        defer { told.stop() }
        let isEnded = Mutex(false)
        told.tasks.find(told.task.taskIdentifier, told.name) { isEnded.withLock { $0 = true } }
        told.tasks.endUnwanted()
        #expect(isEnded.withLock { $0 })
        #expect(!told.isAdopted())
        try told.finish([1, 2, 3])
        try told.complete(declaring: 3)
        // What the system has is the system's.
        #expect(told.rig.files.map(\.lastPathComponent) == ["CFNetworkDownload.tmp"])
    }

    @Test("is a lost connection if the system cancels a task that somebody waits for")
    func endedBySystem() async throws {
        let told = try Told()
        defer { told.stop() }
        let exchange = BackgroundExchange(told.request)
        told.tasks.add(told.task, told.name, exchange, cancel: {})
        told.tasks.complete(told.task, nil, URLError(.cancelled))
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error?.kind == .connectionLost)
        #expect(error?.message.hasPrefix("the system ended the transfer") == true)
    }

    @Test("is a cancellation if the call is cancelled and its task after it")
    func endedByCaller() async throws {
        let told = try Told()
        defer { told.stop() }
        let exchange = BackgroundExchange(told.request)
        told.tasks.add(told.task, told.name, exchange) {
            told.tasks.complete(told.task, nil, URLError(.cancelled))
        }
        exchange.stop(.failure(.cancelled))
        let error = await #expect(throws: TransportError.self) { try await exchange.reply() }
        #expect(error == .cancelled)
    }

    @Test("is not for calls of the process that asked")
    func own() throws {
        let told = try Told()
        defer { told.stop() }
        told.tasks.find(told.task.taskIdentifier, told.name, cancel: {})
        let exchange = BackgroundExchange(told.request)
        #expect(!told.tasks.adopt(told.name.fingerprint, exchange, in: told.name.launch))
        #expect(told.isAdopted())
    }
}
