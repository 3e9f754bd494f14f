import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// An API with error codes inside of replies with status 200, also to a refresh.
private enum Polite {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case get

        var endpoint: Endpoint { Endpoint(.get, "get") }
    }

    /// The address of the token request of the managers that a task makes.
    @TaskLocal static var address = "auth/refresh"
    /// The success rules of the managers that a task makes.
    @TaskLocal static var success = ReplyRules(
        conditions: [.value(at: ["ok"], in: [true])], unwrap: ["data"])

    static var definition: APIDefinition {
        APIDefinition(
            name: "Polite", servers: [Server("main", "https://polite.test/v1/")], reply: success,
            errors: ErrorRules(
                at: ["error"], code: ["code"], message: ["text"], retryable: ["busy"]),
            auth: AuthRules(
                token: .bearer, expired: [.code("over")],
                refresh: .request(
                    RefreshRequest(
                        address,
                        reply: TokenReplyRules(
                            token: ["data", "access_token"],
                            refreshToken: ["data", "refresh_token"])))),
            retry: .never)
    }
}

@Suite("A refresh that a server of the API refuses with the API's error format")
struct RefreshRefusalTests {
    private static let old = Credential(
        token: "old-t0ken", values: ["device": "dev1ce-12"], refreshToken: "old-r3fresh")

    /// Returns the error of a call whose token must be refreshed, with this reply to the refresh.
    private func failure(_ body: String, status: Int = 200) async -> APIError? {
        let transport = InMemoryTransport { request in
            request.head.method == .post
                ? .bytes(Array(body.utf8), status: .init(code: status))
                : .json(#"{"ok": false, "error": {"code": "over"}}"#)
        }
        let manager = TestAPI.manager(
            Polite.definition, transport: transport, credentials: .memory(Self.old))
        let call = manager.operation(RequestBuilder(Polite.APIMethod.get).finishRaw())
        do {
            _ = try await call.value
            return nil
        } catch {
            return error as? APIError
        }
    }

    private func no(_ code: String, _ words: String = "gone") -> String {
        #"{"ok": false, "error": {"code": \#(code), "text": "\#(words)"}}"#
    }

    @Test(
        "a refresh's API error asks for a log-in, with the server's code and message",
        arguments: [(200, #""session_revoked""#), (401, #""session_revoked""#), (400, "190")])
    func over(status: Int, code: String) async {
        let error = await failure(no(code), status: status)
        let name = code.filter { $0 != "\"" }
        #expect(error?.phase == .auth)
        #expect(error?.needsLogin == true)
        #expect(error?.isRetryable == false)
        #expect(error?.fault == .caller)
        #expect(error?.code == name)
        #expect(
            error?.description
                == "`get` of Polite failed: there is no new token: the token server "
                + "https://polite.test/v1/auth/refresh refused: \(name) (it says: gone); "
                + "log in again")
    }

    @Test(
        "an API error that refuses a refresh is temporary if its code is retryable",
        arguments: [200, 400, 503])
    func busy(status: Int) async {
        let error = await failure(no(#""busy""#, "later"), status: status)
        #expect(error?.needsLogin == false)
        #expect(error?.isRetryable == true)
        #expect(error?.fault == .server)
        #expect(error?.code == "busy")
        #expect(error?.description.hasSuffix("(it says: later); it may be tried again") == true)
    }

    @Test("a refresh's API error asks for no log-in if its code may not concern the refresh token")
    func notOver() async {
        for (status, body) in [
            (403, no(#""blocked""#)), (200, no("0")), (200, no("null")), (200, #"{"ok": false}"#),
            (200, no(#""temporarily_unavailable""#)), (200, no(#""invalid_client""#)),
            (429, no(#""slow""#)), (503, no(#""down""#)), (200, "{}"),
        ] {
            let error = await failure(body, status: status)
            #expect(error?.phase == .auth)
            #expect(error?.needsLogin == false, "\(status) \(body)")
        }
        #expect(await failure(no("0"))?.description.contains("(it says: gone)") == true)
        let down = await failure(no(#""down""#), status: 503)
        #expect(down?.isRetryable == true && down?.code == "down")
        let missing = await failure(#"{"ok": false}"#)
        #expect(missing?.description.contains("and has no `") == true)
    }

    @Test("an API error that refuses a refresh is detected by a standard OAuth code, too")
    func oauth() async {
        for body in [
            no(#""invalid_grant""#), #"{"error": "invalid_grant", "error_description": "gone"}"#,
        ] {
            let error = await failure(body)
            #expect(error?.needsLogin == true)
            #expect(error?.description.contains("refused: invalid_grant (it says: gone)") == true)
        }
    }

    @Test("a refresh is refused by no API error if there is a token, or if nothing says so")
    func granted() async {
        let granted = #"{"ok": true, "data": {"access_token": "new-t0ken"}, "code": 7}"#
        #expect(await failure(granted)?.reason == .credentialRefused)
        let bare = #"{"data": {"access_token": "new-t0ken"}}"#
        #expect(await failure(bare)?.reason == .credentialRefused)
        let error = await failure(#"{"ok": true, "data": {}, "error": null}"#)
        #expect(error?.description.contains("lacks `data.access_token`") == true)
    }

    @Test("a refresh's API error is detected by its code alone if nothing else marks a success")
    func codeAlone() async {
        let error = await Polite.$success.withValue(ReplyRules()) {
            await failure(no(#""session_revoked""#))
        }
        #expect(error?.needsLogin == true)
    }

    @Test(
        "an API error that refuses a refresh shows no secret in its code, whatever its status",
        arguments: [200, 400, 429, 503])
    func secretCode(status: Int) async {
        let error = await failure(no(#""old-r3fresh""#), status: status)
        #expect(error?.code == "‹redacted›")
        #expect(error?.description.contains("old-r3fresh") == false)
        let long = String(repeating: "x", count: 9_000)
        let code = await failure(no("\"\(long)\""), status: status)?.code
        #expect(code?.count == 200)
    }

    @Test("an API error that refuses a refresh shows no secret in its code and message")
    func secrets() async {
        let error = await failure(
            #"""
            {"ok": false, "error": {"code": "no old-r3fresh", "text": "not dev1ce-12, not n3xt0ne"},
            "data": {"refresh_token": "n3xt0ne"}}
            """#)
        #expect(error?.code == "no ‹redacted›")
        #expect(error?.description.contains("(it says: not ‹redacted›, not ‹redacted›)") == true)
        let many = (0..<100).map { #"{"token": "t\#($0)"}"# }.joined(separator: ",")
        let silent = await failure(
            #"{"ok": false, "error": {"code": "no t99", "text": "for t99"}, "all": [\#(many)]}"#)
        #expect(silent?.description.contains("refused: ‹redacted› (it says: ‹redacted›)") == true)
    }

    @Test("a refused refresh ignores the API's error format in the replies of other servers")
    func foreign() async {
        let error = await Polite.$address.withValue("https://id.test/token") {
            await failure(no(#""session_revoked""#))
        }
        #expect(error?.needsLogin == false)
        #expect(error?.code == nil)
        let own = await Polite.$address.withValue("https://polite.test/token") {
            await failure(no(#""session_revoked""#))
        }
        #expect(own?.needsLogin == true)
    }
}
