import HTTPTypes
import TelexTesting
import TestSupport
import Testing

@testable import TelexRuntime

@Suite("A call that must not be done twice")
struct UnrepeatableTests {
    private let save = UsersRequests.save(name: "Ivan", password: "1234")

    /// How often a call is sent, and what it fails with.
    private func sent<Output>(
        _ request: APIRequest<Output>, _ reply: @escaping @Sendable () -> TransportReply
    ) async -> (times: Int, error: APIError?) {
        let (manager, transport) = tiny { _ in reply() }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        let call = manager.operation(request, options: CallOptions(retry: retry))
        let error = await failure(call)
        return (transport.requests.count, error)
    }

    @Test(
        "is sent once if the connection fails after the head of a reply, however it fails",
        arguments: [
            TransportError.Kind.offline, .nameNotFound, .cannotConnect, .connectionLost,
        ])
    func afterHead(_ kind: TransportError.Kind) async {
        let reply: @Sendable () -> TransportReply = {
            .chunks([Array("{".utf8)], length: 9, then: TransportError(kind, "x"))
        }
        let (times, error) = await sent(save, reply)
        #expect(times == 1 && error?.isRetryable == false && error?.phase == .receive)
        // Only what does no harm twice is repeated.
        #expect(await sent(UsersRequests.get(ids: ["1"]), reply).times == 3)
    }

    @Test("is sent again if its server was never reached")
    func neverReached() async throws {
        let attempts = Counter()
        let transport = FailingTransport(TransportError(.cannotConnect, "x"), attempts)
        let manager = APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret)),
            settings: EngineSettings(clock: .stopped))
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        _ = await failure(manager.operation(save, options: CallOptions(retry: retry)))
        #expect(attempts.value == 3)
    }

    @Test(
        "is sent once if a 503 says to come back at once, or at a moment that has passed",
        arguments: ["0", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func noTime(_ wait: String) async {
        let (times, error) = await sent(save) {
            .bytes(status: .serviceUnavailable, fields: [.retryAfter: wait])
        }
        #expect(times == 1 && error?.isRetryable == false)
    }

    @Test("may be made again after the statuses of which the compiler knows that nothing was done")
    func statuses() async {
        for status in 400...599 {
            let (manager, _) = tiny { _ in
                .bytes(status: .init(code: status), fields: [.retryAfter: "5"])
            }
            let error = await failure(manager.operation(save))
            #expect(error?.isRetryable == statusesOfNothingDone.contains(status), "\(status)")
        }
    }

    @Test("is sent once if the body of a 503 says to come back at once")
    func noTimeInBody() async {
        let (times, error) = await sent(save) {
            .json(#"{"error":{"retry_after":0}}"#, status: .serviceUnavailable)
        }
        #expect(times == 1 && error?.isRetryable == false)
        let (manager, _) = tiny { _ in
            .json(#"{"error":{"retry_after":7}}"#, status: .serviceUnavailable)
        }
        #expect(await failure(manager.operation(save))?.isRetryable == true)
    }

    @Test("is sent once after a 503 whose rate is used up: that says nothing of this call")
    func hint() async throws {
        let fields = try rateFields(remaining: "0", reset: "30")
        let (times, error) = await sent(save) {
            .bytes(status: .serviceUnavailable, fields: fields)
        }
        #expect(times == 1 && error?.isRetryable == false && error?.retryAfter == nil)
    }
}

/// Reaches nobody.
private struct FailingTransport: Transport {
    let error: TransportError
    let attempts: Counter

    init(_ error: TransportError, _ attempts: Counter) {
        self.error = error
        self.attempts = attempts
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        _ = attempts.next()
        throw error
    }
}

/// What a server says about its rate.
func rateFields(remaining: String, reset: String) throws -> HTTPFields {
    var fields: HTTPFields = [:]
    fields[try #require(HTTPField.Name("X-RateLimit-Remaining"))] = remaining
    fields[try #require(HTTPField.Name("X-RateLimit-Reset"))] = reset
    return fields
}
