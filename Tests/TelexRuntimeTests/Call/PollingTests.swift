import Foundation
import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

/// A reply whose value has this state.
private func reply(_ status: String, _ fields: HTTPFields = [:]) -> TransportReply {
    .bytes(Array(#"{"response":{"status":"\#(status)"}}"#.utf8), fields: fields)
}

@Suite("A call that waits for a state of its reply")
struct PollingTests {
    /// A client of a server that gives these replies, the last one again and again.
    private func client(_ replies: [TransportReply]) -> TestClient {
        let sent = Counter()
        return TestClient { _ in replies[min(sent.next(), replies.count) - 1] }
    }

    private func call(
        _ client: TestClient, _ options: CallOptions = CallOptions()
    ) -> DataOperation<Data> {
        client.manager.operation(
            RequestBuilder(TinyAPI.APIMethod.export).finishRaw(), options: options)
    }

    private func waits(_ operation: OperationHandle) async {
        await operation.reach { if case .waiting = $0 { true } else { false } }
    }

    @Test("a call waiting for a state repeats at growing intervals, and returns the final reply")
    func intervals() async throws {
        let client = client(Array(repeating: reply("new"), count: 3) + [reply("done")])
        let call = call(client)
        call.start()
        for (index, seconds) in [2, 4, 5].enumerated() {
            await waits(call)
            #expect(client.transport.requests.count == index + 1)
            let next = client.clock.date.addingTimeInterval(Double(seconds))
            #expect(call.state == .waiting(until: next))
            client.pass(.seconds(seconds) - .milliseconds(1))
            #expect(client.transport.requests.count == index + 1)
            client.pass(.milliseconds(1))
            await until { client.transport.requests.count == index + 2 }
        }
        #expect(String(decoding: try await call.value, as: UTF8.self).contains("done"))
        #expect(call.attempts.count == 4)
        #expect(client.log.text.contains("the reply is not final yet"))
    }

    @Test("a call waiting for a state ends at its total time-out, with the last state as a cause")
    func timeout() async throws {
        let client = client([reply("new")])
        let call = call(client, CallOptions(timeouts: Timeouts(total: .seconds(3))))
        call.start()
        await waits(call)
        client.pass(.seconds(2))
        await waits(call)
        client.pass(.seconds(1))
        let error = await failure(call)
        #expect(error?.reason == .timedOut(after: .seconds(3)))
        let cause = error?.cause as? APIError
        #expect(cause?.reason == .pending && cause?.violations.first?.found.contains("new") == true)
    }

    @Test(
        "a call that waits for a state of its reply fails in a state that counts as a failure",
        arguments: ["failed", "cancelled"])
    func fails(_ status: String) async {
        let error = await failure(call(client([reply(status)])))
        #expect(error?.reason == .failedState && error?.isRetryable == false)
        #expect(error?.description.contains(status) == true && error?.fault == .server)
        #expect(error?.attempts == 1)
    }

    @Test("a call waiting for a state fails with the refusal in a reply, which is more specific")
    func refused() async {
        let refusal = TransportReply.json(#"{"error":{"error_code":10,"error_msg":"no"}}"#)
        let error = await failure(call(client([refusal])))
        #expect(error?.reason == .refused && error?.code == "10")
    }

    @Test("a call waiting for a state waits longer if the server asks, and can be suspended then")
    func control() async throws {
        let client = client([reply("new", [.retryAfter: "60"]), reply("done")])
        let call = call(client)
        call.start()
        await waits(call)
        call.suspend()
        client.pass(.seconds(67))
        #expect(call.state == .suspended && client.transport.requests.count == 1)
        call.resume()
        _ = try await call.value
        #expect(client.transport.requests.count == 2)
    }
}
