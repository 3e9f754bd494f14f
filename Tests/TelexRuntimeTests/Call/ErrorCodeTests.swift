import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The code of a server's error")
struct ErrorCodeTests {
    /// Returns the error and the number of requests of a call with a sensitive value that the
    /// server refuses with this code.
    private func refused(
        _ code: String, pin: String, options: CallOptions = CallOptions()
    ) async -> (error: APIError?, requests: Int) {
        let body = #"{"error":{"error_code":"\#(code)","error_msg":"no: \#(code)"}}"#
        let client = TestClient { _ in .json(body) }
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.query("pin", pin, sensitive: true)
        let call = client.manager.operation(
            request.finishEmpty() as APIRequest<Void>, options: options)
        return (await failure(call), client.transport.requests.count)
    }

    /// Repeats without delay.
    private func repeating(_ conditions: [RetryPolicy.Condition]) -> CallOptions {
        let backoff = Backoff(initial: .zero)
        return CallOptions(retry: RetryPolicy(attempts: 3, on: conditions, backoff: backoff))
    }

    @Test("a server's error code is shown if the description knows it, though a secret equals it")
    func known() async {
        let (error, requests) = await refused("6", pin: "6", options: repeating([]))
        #expect(error?.code == "6" && error?.code(in: TinyAPI.self)?.rawValue == 6)
        #expect(error?.isRetryable == true && requests == 3)
        #expect(error?.message == "no: ‹redacted›")
    }

    @Test("the code of a server's error is not redacted for a short secret")
    func short() async {
        let error = await refused("1142", pin: "14").error
        #expect(error?.code == "1142")
        #expect(error?.code(in: TinyAPI.self)?.rawValue == 1_142)
        #expect(await refused("14", pin: "14").error?.code(in: TinyAPI.self) == .captcha)
    }

    @Test("a server's error code is redacted if it may repeat a longer secret, but still followed")
    func long() async {
        let options = repeating([.code("no-4711")])
        let (error, requests) = await refused("no-4711", pin: "4711", options: options)
        #expect(error?.code == "no-‹redacted›")
        #expect(requests == 3)
    }

    @Test("the code of a server's error is redacted in the reason of a repeated call")
    func events() async {
        let client = TestClient { _ in .json(#"{"error":{"error_code":"no-4711"}}"#) }
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.query("pin", "4711", sensitive: true)
        let call = client.manager.operation(
            request.finishEmpty() as APIRequest<Void>, options: repeating([.code("no-4711")]))
        _ = await failure(call)
        #expect(client.log.text.contains("code no-‹redacted›"))
        #expect(!client.log.text.contains("4711"))
    }
}
