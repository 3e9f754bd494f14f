import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// A stream of these chunks.
private func stream(_ chunks: [[UInt8]] = [[1], [2, 3]], length: Int? = nil) -> UploadFile {
    let rest = Lock(chunks[...])
    return UploadFile(streaming: length ?? chunks.joined().count, name: "a.bin") {
        rest.withLock { $0.popFirst() }
    }
}

/// A call without a limit of attempts, with the stream as its body.
private func put(_ file: UploadFile) -> APIRequest<Void> {
    let rules = OperationRules(
        kind: .upload, retry: RetryPolicy(backoff: Backoff(initial: .zero)), idempotencyKey: "Key")
    var request = RequestBuilder(
        RequestTemplate(method: "put", endpoint: Endpoint(.put, "put", operation: rules)))
    request.file(file)
    return request.finishEmpty()
}

/// Fails its first call before it reads the body.
private final class Refusing: Transport {
    let count = Counter()
    let inner: InMemoryTransport

    init(_ inner: InMemoryTransport) { self.inner = inner }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        if count.next() == 1 { throw TransportError(.cannotConnect, "refused") }
        return try await inner.send(request)
    }
}

@Suite("An upload from a stream")
struct UploadStreamTests {
    @Test("an upload from a stream is sent chunk by chunk, with its length")
    func whole() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        let file = stream()
        #expect(file.size == 3)
        #expect(file.description == "a.bin (application/octet-stream, 3 bytes)")
        try await manager.operation(put(file)).value
        #expect(transport.requests.map(\.body) == [[1, 2, 3]])
    }

    @Test("an upload from a stream is a part among others")
    func part() async throws {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        request.part("photo", stream([Array("con".utf8), Array("tent".utf8)]))
        request.part("title", "t")
        let body = try #require(
            try request.template.payload(placement: nil, credential: nil, boundary: "B")
        ).body
        #expect(!body.isReplayable)
        let (manager, transport) = tiny { _ in .bytes() }
        try await manager.operation(request.finishEmpty()).value
        let sent = try #require(transport.requests.first)
        let longer = 3 * (Multipart.randomBoundary().count - 1)
        #expect(body.length == sent.body.count - longer, "the boundary is there three times")
        #expect(sent.text.contains("\r\n\r\ncontent\r\n--"))
        #expect(sent.text.contains("filename=\"a.bin\""))
    }

    @Test("a stream upload is not repeated once read, whatever method, key and retries allow")
    func never() async {
        let replies: [Result<TransportReply, TransportError>] = [
            .success(.bytes(status: .serviceUnavailable)),
            .success(.bytes(status: .internalServerError)),
            .failure(TransportError(.connectionLost, "lost")),
            .failure(TransportError(.cannotConnect, "none")),
        ]
        for (index, reply) in replies.enumerated() {
            let (manager, transport) = tiny { _ throws(TransportError) in try reply.get() }
            let error = await failure(manager.operation(put(stream())))
            #expect(transport.requests.count == 1, "\(index)")
            #expect(error?.attempts == 1 && error?.isRetryable == false, "\(index)")
            #expect(error?.reason != .invalidRequest, "what went wrong is told: \(index)")
        }
    }

    @Test("an upload from a stream is not repeated after an attempt time-out, and reports that")
    func attemptTimeout() async {
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return .bytes()
        }
        let options = CallOptions(timeouts: Timeouts(attempt: .seconds(3)))
        let call = client.manager.operation(put(stream()), options: options)
        call.start()
        await arrived.wait()
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .seconds(3))
        let error = await failure(call)
        #expect(error?.reason == .attemptTimedOut(after: .seconds(3)))
        #expect(error?.isRetryable == false)
        #expect(client.transport.requests.count == 1)
    }

    @Test("an upload from a stream is repeated if nothing of it was read")
    func unread() async throws {
        let inner = InMemoryTransport { _ in .bytes() }
        let transport = Refusing(inner)
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
        try await manager.operation(put(stream())).value
        #expect(transport.count.value == 2)
        #expect(inner.requests.map(\.body) == [[1, 2, 3]])
    }

    @Test("an upload from a stream is not repeated with a new token, which the next call uses")
    func token() async throws {
        let refreshes = Counter()
        let transport = InMemoryTransport { request in
            request.head.path?.contains("access_token=new") == true
                ? .bytes() : .json(#"{"error":{"error_code":5}}"#)
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old"))
        ) {
            $0.refresher = .app { _ in
                _ = refreshes.next()
                return Credential(token: "new")
            }
            $0.settings.clock = .stopped
        }
        func upload() -> DataOperation<Void> {
            var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
            request.part("photo", stream())
            return manager.operation(request.finishEmpty())
        }
        let error = await failure(upload())
        #expect(error?.reason == .credentialRefused)
        #expect(error?.description.contains("make the call again") == true)
        #expect(transport.requests.count == 1)
        try await upload().value
        #expect(transport.requests.count == 2 && refreshes.value == 1)
    }

    @Test("an upload from a stream follows only redirects that do not need the body again")
    func redirects() async throws {
        for (status, hasListener) in [(307, false), (308, false), (303, true)] {
            let (manager, transport) = tiny { request in
                request.head.path?.hasPrefix("/there") == true
                    ? .bytes()
                    : .bytes(status: .init(code: status), fields: .location("/there"))
            }
            let error = await failure(manager.operation(put(stream())))
            #expect((error == nil) == hasListener)
            #expect(transport.requests.count == (hasListener ? 2 : 1))
            if !hasListener {
                guard case .refusedRedirect(let why) = error?.reason else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(why.contains("repeat the call with a new stream"))
            }
        }
    }

    @Test("a stream upload asks for a log-in once only that helps, and not to repeat the call")
    func nothingNew() async {
        let failed = Gate()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(#"{"error":{"error_code":5}}"#) },
            credentials: MemoryCredentialStore(Credential(token: "worn-out"))
        ) {
            $0.refresher = .app { _ in
                throw CredentialError(.refused(.invalidGrant), "it is over")
            }
            $0.settings.clock = .stopped
            $0.onEvent = { if case .refreshFailed = $0.kind { failed.open() } }
        }
        let first = await failure(manager.operation(put(stream())))
        #expect(first?.needsLogin == false)
        #expect(first?.description.contains("make the call again") == true)
        await failed.wait()
        await until { manager.engine.refreshError() != nil }
        let second = await failure(manager.operation(put(stream())))
        #expect(second?.needsLogin == true)
        #expect(second?.description.contains("log in again") == true)
    }

    @Test("an upload from a stream reports the pause of a busy token server")
    func paused() async {
        let failed = Gate()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(#"{"error":{"error_code":5}}"#) },
            credentials: MemoryCredentialStore(Credential(token: "worn-out"))
        ) {
            $0.refresher = .app { _ in
                throw CredentialError(.status(429), "it is busy", retryAfter: .seconds(60))
            }
            $0.settings.clock = VirtualClock().runtimeClock
            $0.onEvent = { if case .refreshFailed = $0.kind { failed.open() } }
        }
        _ = await failure(manager.operation(put(stream())))
        await failed.wait()
        await until { manager.engine.refreshPause(of: .login) != nil }
        let error = await failure(manager.operation(put(stream())))
        #expect(error?.retryAfter == .seconds(60))
        #expect(error?.description.contains("it is busy; it asks to wait 60.0 seconds") == true)
    }

    @Test("a stream upload is refused in a second call, with a remedy, before anything is sent")
    func second() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        let file = stream()
        try await manager.operation(put(file)).value
        let error = await failure(manager.operation(put(file)))
        #expect(error?.phase == .build && error?.reason == .invalidRequest)
        let found = error?.violations.first?.found
        #expect(found?.contains("repeat the call with a new stream") == true)
        #expect(transport.requests.count == 1)
    }

    @Test("an upload from a stream gives no byte to a request that comes too late")
    func exclusive() async throws {
        let file = stream()
        guard case .stream(_, let first) = file.part, case .stream(_, let late) = file.part else {
            Issue.record("no streams")
            return
        }
        #expect(try await first() == [1])
        await #expect(throws: TransportError.self) { try await late() }
        #expect(try await first() == [2, 3])
        #expect(file.part == nil)
    }

    @Test("a stream upload fails if its length is not the declared one, and never exceeds that")
    func lengths() async throws {
        for length in [0, 2, 4, -1] {
            let (manager, transport) = tiny { _ in .bytes() }
            let error = await failure(manager.operation(put(stream(length: length))))
            #expect(error?.phase == .build, "\(length)")
            #expect(transport.requests.isEmpty, "\(length)")
        }
        let rest = Lock<ArraySlice<[UInt8]>>([[1], [2, 3]])
        let body = RequestBody.stream(length: 2) { rest.withLock { $0.popFirst() } }
        var received: [UInt8] = []
        await #expect(throws: TransportError.self) { try await body.read { received += $0 } }
        #expect(received == [1])
    }

    @Test("an upload from a stream fails with the error of its source, once")
    func source() async {
        let asked = Counter()
        let file = UploadFile(streaming: 1, name: "a") { () throws(TransportError) in
            _ = asked.next()
            throw TransportError(.connectionLost, "the pipe broke")
        }
        let (manager, _) = tiny { _ in .bytes() }
        let error = await failure(manager.operation(put(file)))
        #expect(error?.reason == .transport(TransportError(.connectionLost, "the pipe broke")))
        #expect(asked.value == 1)
    }
}
