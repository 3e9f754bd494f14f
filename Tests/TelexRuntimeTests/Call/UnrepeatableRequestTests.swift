import HTTPTypes
import TelexTesting
import TestSupport
import Testing

@testable import TelexRuntime

@Suite("An unsafe call")
struct UnrepeatableRequestTests {
    private let save = UsersRequests.save(name: "Ivan", password: "1234")

    /// Returns how often a call is sent, and its error.
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
        "an unsafe call is sent once if the connection fails in any way after the reply's head",
        arguments: [
            TransportError.Kind.offline, .nameNotFound, .cannotConnect, .connectionLost,
        ])
    func afterHead(_ kind: TransportError.Kind) async {
        let reply: @Sendable () -> TransportReply = {
            .chunks([Array("{".utf8)], length: 9, then: TransportError(kind, "x"))
        }
        let (times, error) = await sent(save, reply)
        #expect(times == 1 && error?.isRetryable == false && error?.phase == .receive)
        // Only safe calls are repeated.
        #expect(await sent(UsersRequests.get(ids: ["1"]), reply).times == 3)
    }

    @Test("an unsafe call is repeated if its server was never reached")
    func neverReached() async throws {
        let attempts = Counter()
        let transport = FailingTransport(TransportError(.cannotConnect, "x"), attempts)
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        _ = await failure(manager.operation(save, options: CallOptions(retry: retry)))
        #expect(attempts.value == 3)
    }

    @Test(
        "an unsafe call is sent once if a 503 asks to return at once, or at a past moment",
        arguments: ["0", "Sun, 06 Nov 1994 08:49:37 GMT"])
    func noTime(_ wait: String) async {
        let (times, error) = await sent(save) {
            .bytes(status: .serviceUnavailable, fields: [.retryAfter: wait])
        }
        #expect(times == 1 && error?.isRetryable == false)
    }

    @Test("an unsafe call may be repeated after the statuses that exclude an effect")
    func statuses() async {
        for status in 400...599 {
            let (manager, _) = tiny { _ in
                .bytes(status: .init(code: status), fields: [.retryAfter: "5"])
            }
            let error = await failure(manager.operation(save))
            #expect(error?.isRetryable == statusesOfNothingDone.contains(status), "\(status)")
        }
    }

    @Test("an unsafe call is sent once if the body of a 503 asks to return at once")
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

    @Test("an unsafe call is sent once after a 503 with a used-up rate, which excludes no effect")
    func hint() async throws {
        let fields = try rateFields(remaining: "0", reset: "30")
        let (times, error) = await sent(save) {
            .bytes(status: .serviceUnavailable, fields: fields)
        }
        #expect(times == 1 && error?.isRetryable == false && error?.retryAfter == nil)
    }
}

/// A transport without a connection.
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

/// The rate fields of a reply.
func rateFields(remaining: String, reset: String) throws -> HTTPFields {
    var fields: HTTPFields = [:]
    fields[try #require(HTTPField.Name("X-RateLimit-Remaining"))] = remaining
    fields[try #require(HTTPField.Name("X-RateLimit-Reset"))] = reset
    return fields
}
