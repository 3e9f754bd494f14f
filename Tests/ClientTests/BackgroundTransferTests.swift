import Foundation
import GalleryClient
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests, but never returns a reply, like a process that ends during a transfer.
private final class EndingTransport: Transport {
    let transport: URLSessionTransport
    let hasReceived = Gate()
    private let unread = Lock<TransportReply?>(nil)
    private let never = Gate()

    init(_ transport: URLSessionTransport) {
        self.transport = transport
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        let reply = try await transport.send(request)
        unread.withLock { $0 = reply }
        hasReceived.open()
        await never.wait()
        throw .cancelled
    }
}

@Suite("Background transfers after the app's process has ended")
struct BackgroundTransferTests {
    private static let film = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }

    /// A transport as in a new process.
    private func transport(_ folder: String) -> URLSessionTransport {
        URLSessionTransport(
            background: BackgroundTransfers(
                identifier: "test", folder: URL(filePath: folder).appending(path: "kept")),
            system: BackgroundSystem(configuration: { _ in .ephemeral }, launch: UUID()))
    }

    private let options = CallOptions(timeouts: Timeouts(silence: .noTimeout))

    private func gallery(
        _ transport: any Transport, _ server: LoopbackServer
    ) -> APIManager<Gallery> {
        APIManager<Gallery>(
            transport: transport, credentials: .memory(Credential(token: "t0k3n"))
        ) { $0.server = .url("http://\(server.authority)/v1/") }
    }

    @Test("the same call in the next process gets the file without a request")
    func relaunch() async throws {
        let file = FileOnServer(Self.film, entityTag: "\"1\"")
        let server = try LoopbackServer(file.answer)
        defer { server.stop() }
        try await withPath { path in
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            let ending = EndingTransport(transport(folder))
            let lost = gallery(ending, server).pictures
                .archive(to: "\(path)-lost", options: options)
            lost.start()
            await ending.hasReceived.wait()
            let operation = gallery(transport(folder), server).pictures
                .archive(to: path, options: options)
            let archive = try await operation.value
            #expect(archive.bytes == Self.film.count)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(Self.film))
            #expect(server.requests.count == 1)
            #expect(server.requests.first?.fields[.authorization] == "Bearer t0k3n")
            lost.cancel()
        }
    }

    @Test("a partial file is continued after the app's process has ended")
    func part() async throws {
        let file = FileOnServer(Self.film, entityTag: "\"1\"")
        file.cutNextReply(after: 300_000)
        let server = try LoopbackServer(file.answer)
        defer { server.stop() }
        try await withPath { path in
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            // The first attempt receives bytes as they arrive, like ordinary sessions.
            let first = OrdinaryOnce(transport(folder))
            let archive = try await gallery(first, server).pictures
                .archive(to: path, options: options).value
            #expect(archive.bytes == Self.film.count)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(Self.film))
            let ranges = server.requests.map { $0.fields[.range] }
            #expect(ranges.count == 2 && ranges[0] == nil)
            #expect(ranges.last??.hasPrefix("bytes=") == true)
        }
    }
}

/// Sends its first request in an ordinary session.
private final class OrdinaryOnce: Transport {
    private let transport: URLSessionTransport
    private let isFirst = Lock(true)

    init(_ transport: URLSessionTransport) {
        self.transport = transport
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        var request = request
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isFirst { request.session = .shared }
        return try await transport.send(request)
    }
}
