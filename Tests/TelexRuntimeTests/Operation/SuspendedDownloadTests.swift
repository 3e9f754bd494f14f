import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// A transport without back-pressure. It sends half of a reply, and after a gate the rest, unless
/// the buffer is bounded.
private final class UnpausableTransport: Transport {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let (hasBegun, mayGoOn, hasAsked) = (Gate(), Gate(), Gate())
    /// The `Range` of each request.
    let ranges = Lock<[String?]>([])
    /// The buffer bounds of each reply.
    let bounds = Lock<[Int?]>([])
    private let fields: HTTPFields
    private let givesUp: Bool

    init(_ fields: HTTPFields, givesUp: Bool = false) {
        self.fields = fields
        self.givesUp = givesUp
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        let isFirst = ranges.withLock { ranges in
            ranges.append(request.head.headerFields[.range])
            return ranges.count == 1
        }
        guard isFirst else { return rest }
        let step = Counter()
        let body = ReplyBody(length: bytes.count) { () async throws(TransportError) in
            switch step.next() {
            case 1: return Array(self.bytes.prefix(5_000))
            case 2: return try await self.more(request)
            default: return nil
            }
        }
        return TransportReply(head: HTTPResponse(status: .ok, headerFields: fields), body: body)
    }

    private func more(_ request: TransportRequest) async throws(TransportError) -> [UInt8] {
        hasBegun.open()
        await mayGoOn.wait()
        let bound = request.maximumUnreadBytes?()
        bounds.withLock { $0.append(bound) }
        hasAsked.open()
        if givesUp || bound != nil { throw .readerHeld }
        return Array(bytes.dropFirst(5_000))
    }

    private var rest: TransportReply {
        var fields = fields
        fields[.contentRange] = "bytes 5000-9999/10000"
        return .bytes(Array(bytes.dropFirst(5_000)), status: .partialContent, fields: fields)
    }
}

@Suite("A download over a transport without back-pressure")
struct SuspendedDownloadTests {
    private let tagged: HTTPFields = [.eTag: "\"1\""]

    private func operation(
        _ transport: UnpausableTransport, _ path: String
    ) -> DownloadOperation {
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
        return manager.operation(
            EngineRequests.download(id: 1, to: path), options: CallOptions(retry: .never))
    }

    /// Suspends a running download, and lets more bytes arrive than it reads.
    private func suspend(_ operation: DownloadOperation, _ transport: UnpausableTransport) async {
        operation.start()
        await transport.hasBegun.wait()
        operation.suspend()
        transport.mayGoOn.open()
        await transport.hasAsked.wait()
    }

    @Test("a suspended download without back-pressure disconnects, and continues the same attempt")
    func goesOn() async throws {
        try await withFile { path in
            let transport = UnpausableTransport(tagged)
            let operation = operation(transport, path)
            await suspend(operation, transport)
            #expect(transport.ranges.withLock { $0.count } == 1)
            operation.resume()
            let file = try await operation.value
            #expect(file.bytes == transport.bytes.count)
            #expect(try DiskFile.read(path) == transport.bytes)
            #expect(transport.bounds.withLock { $0 } == [8_388_608])
            #expect(transport.ranges.withLock { $0 } == [nil, "bytes=5000-"])
            #expect(operation.attempts.count == 1)
        }
    }

    @Test(
        "a download without back-pressure has no bound if it could not be continued",
        arguments: [
            [:], [.eTag: "W/\"1\""], [.eTag: "\"1\"", .acceptRanges: "none"],
        ] as [HTTPFields])
    func cannotGoOn(_ fields: HTTPFields) async throws {
        try await withFile { path in
            let transport = UnpausableTransport(fields)
            let operation = operation(transport, path)
            await suspend(operation, transport)
            operation.resume()
            _ = try await operation.value
            #expect(try DiskFile.read(path) == transport.bytes)
            #expect(transport.bounds.withLock { $0 } == [nil])
        }
    }

    @Test("a download without back-pressure has no bound while it is not suspended")
    func notHeld() async throws {
        try await withFile { path in
            let transport = UnpausableTransport(tagged)
            let operation = operation(transport, path)
            operation.start()
            await transport.hasBegun.wait()
            operation.suspend()
            operation.resume()
            transport.mayGoOn.open()
            _ = try await operation.value
            #expect(transport.bounds.withLock { $0 } == [nil])
        }
    }

    @Test("an aborted but not suspended download without back-pressure fails as if disconnected")
    func unasked() async throws {
        try await withFile { path in
            let transport = UnpausableTransport(tagged, givesUp: true)
            transport.mayGoOn.open()
            let error = await failure(operation(transport, path))
            #expect(error?.reason == .transport(.readerHeld))
            #expect(transport.ranges.withLock { $0.count } == 1)
        }
    }

    @Test("a download without back-pressure has no bound if the request must not be repeated")
    func notRepeatable() async throws {
        try await withFile { path in
            let transport = UnpausableTransport(tagged)
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
            ) { $0.settings.clock = .stopped }
            let operation = manager.operation(
                RequestBuilder(TinyAPI.APIMethod.usersSave).finishDownload(to: path),
                options: CallOptions(retry: .never))
            await suspend(operation, transport)
            operation.resume()
            _ = try await operation.value
            #expect(try DiskFile.read(path) == transport.bytes)
            #expect(transport.bounds.withLock { $0 } == [nil])
        }
    }

    @Test("a download without back-pressure keeps nothing of the old reply for its next request")
    func nextRequest() {
        let hold = DownloadHold()
        hold.begin()
        hold.set(isHeld: true)
        #expect(hold.maximumUnreadBytes == nil)
        hold.receive(head(200), canContinue: true)
        #expect(hold.maximumUnreadBytes == DownloadHold.unreadBytes)
        let error = APIError(method: "m", phase: .receive, reason: .transport(.readerHeld))
        #expect(hold.explains(error))
        hold.begin()
        #expect(hold.maximumUnreadBytes == nil)
        #expect(!hold.explains(error))
    }
}
