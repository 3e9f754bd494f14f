import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The code of a server's error")
struct ErrorCodeTests {
    /// What becomes of a call with a sensitive value if the server refuses it with a code.
    private func refused(
        _ code: String, pin: String, options: CallOptions = CallOptions()
    ) async -> (error: APIError?, requests: Int) {
        let body = #"{"error":{"error_code":"\#(code)","error_msg":"no: \#(code)"}}"#
        let desk = Desk { _ in .json(body) }
        var request = RequestBuilder(Tiny.APIMethod.ping)
        request.query("pin", pin, sensitive: true)
        let call = desk.manager.operation(
            request.finishEmpty() as APIRequest<Void>, options: options)
        return (await failure(call), desk.transport.requests.count)
    }

    /// Sent again without a wait.
    private func repeating(_ conditions: [RetryPolicy.Condition]) -> CallOptions {
        let backoff = Backoff(initial: .zero)
        return CallOptions(retry: RetryPolicy(attempts: 3, on: conditions, backoff: backoff))
    }

    @Test("is shown if the description knows it, though a secret is the same")
    func known() async {
        let (error, requests) = await refused("6", pin: "6", options: repeating([]))
        #expect(error?.code == "6" && error?.code(in: Tiny.self)?.rawValue == 6)
        #expect(error?.isRetryable == true && requests == 3)
        #expect(error?.message == "no: ‹redacted›")
    }

    @Test("is not taken for a secret of few characters")
    func short() async {
        let error = await refused("1142", pin: "14").error
        #expect(error?.code == "1142")
        #expect(error?.code(in: Tiny.self)?.rawValue == 1_142)
        #expect(await refused("14", pin: "14").error?.code(in: Tiny.self) == .captcha)
    }

    @Test("is hidden if it may repeat a longer secret, but heeded all the same")
    func long() async {
        let options = repeating([.code("no-4711")])
        let (error, requests) = await refused("no-4711", pin: "4711", options: options)
        #expect(error?.code == "no-‹redacted›")
        #expect(requests == 3)
    }

    @Test("is hidden where it is told why a call is sent again")
    func events() async {
        let desk = Desk { _ in .json(#"{"error":{"error_code":"no-4711"}}"#) }
        var request = RequestBuilder(Tiny.APIMethod.ping)
        request.query("pin", "4711", sensitive: true)
        let call = desk.manager.operation(
            request.finishEmpty() as APIRequest<Void>, options: repeating([.code("no-4711")]))
        _ = await failure(call)
        #expect(desk.log.text.contains("code no-‹redacted›"))
        #expect(!desk.log.text.contains("4711"))
    }
}
