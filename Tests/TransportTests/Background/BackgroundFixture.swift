import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport with ordinary sessions in place of background sessions, and a folder that outlives
/// the transport as it would outlive a process.
struct BackgroundFixture: Sendable {
    static let session = TransportSession("transfers", isBackground: true)

    let server: LoopbackServer
    let folder: URL

    init(_ handler: @escaping LoopbackServer.Handler) throws {
        server = try LoopbackServer(handler)
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-background-\(UUID().uuidString)")
    }

    func stop() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    var settings: BackgroundTransfers { BackgroundTransfers(identifier: "test", folder: folder) }

    /// A transport as in a new process.
    ///
    /// - Parameters:
    ///   - launch: The identifier of the process; a new one by default.
    ///   - left: Makes the running tasks of an earlier process.
    func transport(
        _ settings: BackgroundTransfers? = nil, launch: UUID = UUID(),
        left: @escaping @Sendable (URLSession) async -> [URLSessionTask] = { _ in [] }
    ) -> URLSessionTransport {
        URLSessionTransport(
            background: settings ?? self.settings,
            system: BackgroundSystem(
                configuration: { _ in .ephemeral }, existingTasks: left, launch: launch))
    }

    func request(
        _ method: HTTPRequest.Method = .get, _ path: String = "/film", fields: HTTPFields = [:],
        body: RequestBody? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "http", authority: server.authority, path: path,
                headerFields: fields),
            body: body, timeout: .noTimeout, maximumReplyBytes: .max, session: Self.session)
    }

    /// A running task that an ended process started for a request.
    func left(
        by request: TransportRequest
    ) -> @Sendable (URLSession) async -> [URLSessionTask] {
        { session in
            guard let urlRequest = try? URLRequest(checking: request),
                let fingerprint = try? request.fingerprint()
            else { return [] }
            let task = session.downloadTask(with: urlRequest)
            task.taskDescription = TransferName(fingerprint: fingerprint, launch: UUID()).text
            task.resume()
            return [task]
        }
    }

    /// All files in the folder and its subfolders.
    var files: [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
    }

    /// A temporary file with bytes, in the folder above.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let elsewhere = folder.appendingPathComponent("uploads")
        try FileManager.default.createDirectory(
            at: elsewhere, withIntermediateDirectories: true)
        let url = elsewhere.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }
}
