import Foundation
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tasks of a session whose callbacks a test calls, with one task that was never started.
struct BackgroundTasksFixture {
    let fixture: BackgroundFixture
    let store: ReplyStore
    let tasks: BackgroundTasks
    let task: URLSessionTask
    let name: TransferName
    let request: TransportRequest
    private let session = URLSession(configuration: .ephemeral)

    init() throws {
        fixture = try BackgroundFixture { _ in .silence }
        store = ReplyStore(fixture.folder, age: .noTimeout, bytes: 1000)
        tasks = BackgroundTasks(store)
        request = fixture.request()
        task = session.downloadTask(with: try URLRequest(checking: request))
        name = TransferName(fingerprint: try request.fingerprint(), launch: UUID())
        task.taskDescription = name.text
    }

    func stop() {
        session.invalidateAndCancel()
        fixture.stop()
    }

    /// Reports a finished file with these bytes.
    func finish(_ bytes: [UInt8]) throws {
        tasks.finished(URL(fileURLWithPath: try fixture.file("CFNetworkDownload.tmp", bytes)), task)
    }

    /// Whether another call could adopt the task.
    func isAdopted() -> Bool {
        tasks.adopt(name.fingerprint, for: BackgroundExchange(request), in: UUID())
    }

    func complete(status: Int = 200, declaring length: Int) throws {
        let url = try #require(URL(string: "http://\(fixture.server.authority)/film"))
        let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: nil,
            headerFields: ["Content-Length": "\(length)"])
        tasks.complete(task, response: response, error: nil)
    }
}
