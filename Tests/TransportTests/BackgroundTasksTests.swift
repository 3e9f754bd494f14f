import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tasks of a session that tells what a test says, and a task in it that was never started.
private struct Told {
    let rig: BackgroundRig
    let store: ReplyStore
    let tasks: BackgroundTasks
    let task: URLSessionTask
    let name: TransferName
    let request: TransportRequest
    private let session = URLSession(configuration: .ephemeral)

    init() throws {
        rig = try BackgroundRig { _ in .silence }
        store = ReplyStore(rig.folder, age: .seconds(60), bytes: 1000)
        tasks = BackgroundTasks(store)
        request = rig.request()
        task = session.downloadTask(with: try URLRequest(checking: request))
        name = TransferName(fingerprint: try request.fingerprint())
        task.taskDescription = name.text
    }

    func stop() {
        session.invalidateAndCancel()
        rig.stop()
    }

    /// The system has put bytes into a file.
    func finish(_ bytes: [UInt8]) throws {
        tasks.finished(URL(fileURLWithPath: try rig.file("CFNetworkDownload.tmp", bytes)), task)
    }

    func complete(status: Int = 200, declaring length: Int) throws {
        let url = try #require(URL(string: "http://\(rig.server.authority)/film"))
        let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: nil,
            headerFields: ["Content-Length": "\(length)"])
        tasks.complete(task, response, nil)
    }
}

@Suite("What the system tells about transfers", .timeLimit(.minutes(1)))
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
        #expect(!told.tasks.adopt(told.name.fingerprint, BackgroundExchange(told.request)))
        let reply = try #require(told.store.take(told.name.fingerprint))
        let body = reply.reply(upTo: .max, from: nil).body
        #expect(try await body.collect(upTo: 3) == [1, 2, 3])
        #expect(told.store.take(told.name.fingerprint) == nil)
        #expect(told.rig.server.requests.isEmpty)
    }

    @Test("is not kept if it is not all, or no success", arguments: [(200, 9), (500, 3)])
    func short(status: Int, length: Int) throws {
        let told = try Told()
        defer { told.stop() }
        try told.finish([1, 2, 3])
        try told.complete(status: status, declaring: length)
        #expect(told.store.take(told.name.fingerprint) == nil)
        #expect(told.rig.files.isEmpty)
    }

    @Test("is given to who began to wait after the file had come")
    func late() async throws {
        let told = try Told()
        defer { told.stop() }
        try told.finish([1, 2, 3])
        told.tasks.find(told.task.taskIdentifier, told.name, cancel: {})
        let exchange = BackgroundExchange(told.request)
        #expect(told.tasks.adopt(told.name.fingerprint, exchange))
        #expect(!told.tasks.adopt(told.name.fingerprint, BackgroundExchange(told.request)))
        try told.complete(declaring: 3)
        let reply = try await exchange.reply().reply(upTo: 3, from: nil)
        #expect(told.store.take(told.name.fingerprint) == nil)
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
        #expect(told.store.take(told.name.fingerprint) == nil)
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

    @Test("is all told when the system says so, which is waited for and not missed")
    func events() async throws {
        let events = BackgroundEvents()
        let wait = Task { await events.wait() }
        events.end()
        await wait.value
        let waiting = Task { await events.wait() }
        waiting.cancel()
        await waiting.value
        let rig = try BackgroundRig { _ in .silence }
        defer { rig.stop() }
        #expect(await !rig.transport().handleBackgroundEvents(ofSession: "other.0.transfers"))
        let asked = Gate()
        let transport = rig.transport(left: { _ in
            asked.open()
            return []
        })
        let handling = Task {
            await transport.handleBackgroundEvents(ofSession: "test.0.transfers")
        }
        await asked.wait()
        handling.cancel()
        #expect(await handling.value)
    }
}
