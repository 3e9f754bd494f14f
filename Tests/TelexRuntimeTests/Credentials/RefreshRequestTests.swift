import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

private let now = Date(timeIntervalSince1970: 1_000)
private let old = Credential(
    token: "old", values: ["user_id": "7"], expiry: now, refreshToken: "r&1")

/// Refreshes the old credential on a server that answers with a script.
private func refresh(
    _ request: RefreshRequest = RefreshRequest("https://id.test/token?x=1"),
    from credential: Credential? = old, secrets: [String: String] = [:],
    _ script: @escaping InMemoryTransport.Script
) async throws -> (credential: Credential, sent: SentRequest) {
    let transport = InMemoryTransport(script)
    let refresher = RequestCredentialRefresher(
        request, secrets: secrets, transport: transport,
        clock: VirtualClock(date: now).runtimeClock)
    let credential = try await refresher.refresh(credential)
    return (credential, try #require(transport.requests.first))
}

private func refresh(replying json: String) async throws -> Credential {
    try await refresh { _ in .json(json) }.credential
}

/// Returns the error of a refresh that has to fail.
private func failure(
    _ request: RefreshRequest = RefreshRequest("https://id.test/token?x=1"),
    from credential: Credential? = old,
    _ script: @escaping InMemoryTransport.Script = { _ in .json(#"{"access_token": "a"}"#) }
) async -> CredentialError? {
    await #expect(throws: CredentialError.self) {
        _ = try await refresh(request, from: credential, script)
    }
}

@Suite("The refresh request of a spec")
struct RefreshRequestTests {
    @Test("a refresh request sends the refresh token as a form and reads both tokens and expiry")
    func plain() async throws {
        let (new, sent) = try await refresh { _ in
            .json(#"{"access_token": "new", "refresh_token": "r2", "expires_in": 60}"#)
        }
        #expect(sent.head.method == .post)
        #expect(sent.head.path == "/token?x=1")
        #expect(sent.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(sent.head.headerFields[.accept] == "application/json")
        #expect(sent.text == "grant_type=refresh_token&refresh_token=r%261")
        #expect(
            new
                == Credential(
                    token: "new", values: ["user_id": "7"],
                    expiry: Date(timeIntervalSince1970: 1_060), refreshToken: "r2"))
    }

    @Test("a refresh request sends constants, secrets, token facts, as JSON if the spec says so")
    func json() async throws {
        let request = RefreshRequest(
            "http://127.0.0.1:8080/renew",
            .json([
                .init("client_id", .constant("app")), .init("client_secret", .secret("s")),
                .init("user", .fact("user_id")), .init("using", .refreshToken),
            ]),
            reply: TokenReplyRules(
                token: ["data", "jwt"], refreshToken: ["data", "renew"], expiresIn: ["ttl"]))
        let (new, sent) = try await refresh(request) { _ in
            .json(
                #"""
                {"data": {"jwt": "new", "renew": "r2", "premium": true, "token_type": "bearer"},
                "ttl": "5", "ok": true}
                """#)
        }
        #expect(sent.head.headerFields[.contentType] == "application/json")
        #expect(
            sent.text == #"{"client_id":"app","client_secret":"s","user":"7","using":"r&1"}"#)
        #expect(new.token == "new")
        #expect(new.refreshToken == "r2")
        #expect(new.values == ["user_id": "7", "premium": "true"])
        #expect(new.expiry == now.addingTimeInterval(5))
    }

    @Test("the refresh request of a spec keeps what the reply leaves out, and replaces the rest")
    func kept() async throws {
        let new = try await refresh(
            replying: #"{"access_token": "n", "user_id": 8, "scope": "a b", "expires_in": 0}"#)
        #expect(new.refreshToken == "r&1")
        #expect(new.values == ["user_id": "8", "scope": "a b"])
        #expect(new.scopes == ["a", "b"])
        #expect(new.expiry == nil)
    }

    @Test(
        "the refresh request of a spec keeps no old value that the reply has in another type",
        arguments: [
            (#"["x", "y z"]"#, "x y z"), ("[]", ""), (#"["x", 1]"#, nil), ("{}", nil),
            ("null", "x admin"), ("7", "7"),
        ] as [(String, String?)])
    func scopes(said: String, kept: String?) async throws {
        let old = Credential(
            token: "old", values: ["scope": "x admin", "role": "admin"], refreshToken: "r")
        let (new, _) = try await refresh(from: old) { _ in
            .json(#"{"access_token": "new", "scope": \#(said), "role": ["guest"]}"#)
        }
        #expect(new.values["scope"] == kept)
        #expect(new.values["role"] == nil)
    }

    /// A token service whose replies always have new names.
    private func inventing(_ count: Int, _ length: Int) -> InMemoryTransport {
        let replies = Lock(0)
        return InMemoryTransport { _ in
            let number = replies.withLock {
                $0 += 1; return $0
            }
            let text = String(repeating: "x", count: length)
            let facts = (0..<count).map { #""n\#(number)-\#($0)": "\#(text)""# }
            return .json(
                #"""
                {"access_token": "t\#(number)", "refresh_token": "r\#(number)",
                \#(facts.joined(separator: ","))}
                """#)
        }
    }

    @Test(
        "a refresh keeps credentials within the store's limit, however many names a server adds",
        arguments: [(60, 4_000), (1, 250_000), (64, 10), (1_000, 10)])
    func growth(count: Int, length: Int) async throws {
        let refresher = RequestCredentialRefresher(
            RefreshRequest("https://id.test/token"), transport: inventing(count, length),
            clock: VirtualClock(date: now).runtimeClock)
        var credential = old
        for number in 1...3 {
            credential = try await refresher.refresh(credential)
            #expect(credential.refreshToken == "r\(number)")
            #expect(credential.values["n\(number)-0"]?.utf8.count == length)
            #expect(credential.values["user_id"] == "7")
            #expect(credential.values.count <= 128)
            #expect(credential.stored.count < 300_000)
        }
        let texts = credential.values.values.map(\.utf8.count).reduce(0, +)
        #expect(credential.values.count > 64 || texts > 200_000)
    }

    @Test("a refresh request takes values from the object with the token, and no part of it twice")
    func nestedFacts() async throws {
        let request = RefreshRequest(
            "https://id.test/",
            reply: TokenReplyRules(
                token: ["a", "b", "jwt"], refreshToken: ["a", "b", "renew"],
                expiresIn: ["a", "ttl"]))
        let (new, _) = try await refresh(request) { _ in
            .json(
                #"""
                {"user_id": 9, "jwt": "x", "a": {"ttl": 5, "b": {"jwt": "new", "renew": "r2",
                "device_id": "d1", "ttl": 7, "more": {"z": 1}}}}
                """#)
        }
        #expect(new.values == ["user_id": "7", "device_id": "d1", "ttl": "7"])
    }

    @Test("a refresh request is not sent without a token, a refresh token, or a value it needs")
    func nothing() async {
        let needy = RefreshRequest(
            "https://id.test/", .form([.init("device", .fact("device_id"))]))
        let cases: [(RefreshRequest, Credential?, String)] = [
            (RefreshRequest("https://id.test/"), nil, "log in"),
            (RefreshRequest("https://id.test/"), Credential(token: "t"), "refresh token"),
            (needy, old, "`device_id`"),
        ]
        for (request, credential, words) in cases {
            let error = await failure(request, from: credential) { _ in
                Issue.record("it was sent")
                return .bytes()
            }
            #expect(error?.reason == .nothingToRefresh)
            #expect(error?.needsLogin == true)
            #expect(error?.description.contains(words) == true)
        }
    }

    @Test(
        "a refresh request logs in by name and password or own grant, whatever the old token",
        arguments: [nil, Credential(token: "t"), Credential(token: "t", refreshToken: "r")])
    func login(old: Credential?) async throws {
        let login = RefreshRequest(
            "https://id.test/login",
            .json([.init("username", .constant("a")), .init("password", .appSecret("PASSWORD"))]))
        let (_, sent) = try await refresh(login, from: old, secrets: ["PASSWORD": "p"]) { _ in
            .json(#"{"access_token": "new"}"#)
        }
        let refreshToken = old?.refreshToken.map { #","refresh_token":"\#($0)""# } ?? ""
        #expect(sent.text == #"{"username":"a","password":"p"\#(refreshToken)}"#)
        let grant = RefreshRequest(
            "https://id.test/token", .form([.init("grant_type", .constant("client_credentials"))]))
        let (_, other) = try await refresh(grant, from: old) { _ in
            .json(#"{"access_token": "new"}"#)
        }
        #expect(other.text == "grant_type=client_credentials")
        let transport = InMemoryTransport { _ in .bytes() }
        for request in [login, grant] {
            #expect(RequestCredentialRefresher(request, transport: transport).canLogIn)
        }
        let plain = RefreshRequest("https://id.test/", .form([.init("id", .constant("app"))]))
        for request in [plain, RefreshRequest("https://id.test/")] {
            #expect(!RequestCredentialRefresher(request, transport: transport).canLogIn)
        }
    }

    @Test(
        "the refresh request of a spec is not sent without a secret of the app",
        arguments: [[:], ["PASSWORD": ""]])
    func noSecret(secrets: [String: String]) async {
        let request = RefreshRequest(
            "https://id.test/", .form([.init("password", .appSecret("PASSWORD"))]))
        let error = await #expect(throws: CredentialError.self) {
            _ = try await refresh(request, secrets: secrets) { _ in
                Issue.record("it was sent")
                return .bytes()
            }
        }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.description.contains("`PASSWORD`") == true)
    }

    @Test("the refresh request of a spec may use the old token instead of a refresh token")
    func oldToken() async throws {
        let request = RefreshRequest("https://id.test/", .form([.init("old", .token)]))
        let (_, sent) = try await refresh(request, from: Credential(token: "t")) { _ in
            .json(#"{"access_token": "new"}"#)
        }
        #expect(sent.text == "old=t")
    }

    @Test(
        "the refresh request of a spec goes to no unencrypted address",
        arguments: [
            "http://id.test/token", "http://127.evil.test/", "http://127.0.0.256/",
            "http://127.0.0.-0/", "http://127.0.0.+1/", "http://127.0.0.0001/", "http://127.0..1/",
            "http://127.0.0.1.evil.test/", "http://localhost.evil.test/", "https://id.test/#a",
            "https://me@id.test/", "ftp://id.test/", "/token", "",
        ])
    func address(address: String) async {
        #expect(await failure(RefreshRequest(address))?.reason == .invalidRequest)
    }

    @Test(
        "the refresh request of a spec may go to localhost",
        arguments: ["http://localhost:1/", "http://[::1]/", "http://127.3.0.1"])
    func loopback(address: String) async throws {
        _ = try await refresh(RefreshRequest(address)) { _ in .json(#"{"access_token": "a"}"#) }
    }
}

@Suite("The reply to a refresh request")
struct RefreshReplyTests {
    @Test("a refresh reply that redirects is not followed")
    func redirect() async {
        for status in [301, 302, 303, 307, 308] as [HTTPResponse.Status] {
            let fields: HTTPFields = [.location: "https://evil.test/"]
            let gate = Gate()
            let error = await failure { request in
                #expect(request.head.authority == "id.test")
                return .chunks([[1]], after: gate, status: status, fields: fields)
            }
            #expect(error?.reason == .redirected(status: status.code))
        }
    }

    @Test("a refresh reply that refuses is detected by its code, whatever its status")
    func refused() async {
        let gone = await failure { _ in .tokenRefusal("invalid_grant", "Token revoked") }
        #expect(gone?.reason == .refused(.invalidGrant))
        #expect(gone?.needsLogin == true)
        #expect(gone?.isTemporary == false)
        #expect(
            gone?.description
                == "the token server https://id.test/token?‹redacted› refused: invalid_grant "
                + "(it says: Token revoked); log in again")
        let ok = await failure { _ in .json(#"{"error": "bad_verification_code"}"#) }
        #expect(ok?.reason == .refused(OAuthErrorCode(rawValue: "bad_verification_code")))
        #expect(ok?.needsLogin == false)
        let busy = await failure { _ in .tokenRefusal("temporarily_unavailable") }
        #expect(busy?.isTemporary == true)
        let object = await failure { _ in .json(#"{"error": {"error_code": 5}}"#) }
        #expect(object?.reason == .status(200))
        let down = await failure { _ in .bytes(Array("<html>".utf8), status: .badGateway) }
        #expect(down?.reason == .status(502))
        #expect(down?.isTemporary == true)
    }

    @Test(
        "the reply to a refresh request declares the refresh token expired in one of many forms",
        arguments: [
            (200, #"{"error": "bad_refresh_token"}"#), (401, #"{"error": "invalid_token"}"#),
            (200, #"{"ok": false, "error": "invalid_refresh_token"}"#),
            (400, #"{"error": "expired_token"}"#), (400, #"{"status": "BAD_REFRESH_TOKEN"}"#),
            (401, ""), (401, "<html>"), (400, #"{"error": {"code": 190}}"#),
            (401, #"{"statusCode": 401, "error": "Unauthorized"}"#),
            (400, #"{"status": 400, "error": "Bad Request"}"#),
            (400, #"{"error": "refresh_token_expired"}"#), (400, #"{"error": "invalid_code"}"#),
            (200, #"{"ok": false, "error": "token_revoked"}"#),
            (200, #"{"ok": false, "error": "token_expired"}"#),
            (400, #"{"error": "login_required"}"#), (400, #"{"error": "consent_required"}"#),
            (400, #"{"error": "interaction_required"}"#),
        ])
    func over(_ status: Int, _ body: String) async {
        let error = await failure { _ in
            .bytes(Array(body.utf8), status: .init(code: status))
        }
        #expect(error?.needsLogin == true)
        #expect(error?.isTemporary == false)
        #expect(error?.description.hasSuffix("; log in again") == true)
    }

    @Test(
        "a refresh reply asks for no log-in if it may not concern the refresh token",
        arguments: [
            (403, ""), (403, "<html>"), (404, ""), (429, ""), (500, ""), (200, #"{"error": {}}"#),
            (401, #"{"error": "invalid_client"}"#), (400, #"{"error": "invalid_request"}"#),
            (400, #"{"error": "temporarily_unavailable"}"#), (400, #"{"error": "slow_down"}"#),
            (400, #"{"error": "server_error"}"#), (401, #"{"error": "mfa_required"}"#),
            (403, #"{"error": "Forbidden"}"#), (401, #"{"error": "Bad Request"}"#),
            (429, #"{"error": "too_many_requests"}"#), (503, #"{"error": "Unauthorized"}"#),
        ])
    func notOver(_ status: Int, _ body: String) async {
        let error = await failure { _ in
            .bytes(Array(body.utf8), status: .init(code: status))
        }
        #expect(error?.needsLogin == false)
        #expect(error?.description.contains("log in") == false)
    }

    @Test(
        "a refresh reply that refuses has the delay that the server asks for",
        arguments: [
            (503, ""), (429, ""), (400, #"{"error": "temporarily_unavailable"}"#),
            (503, #"{"error": "Service Unavailable"}"#),
        ])
    func retryAfter(_ status: Int, _ body: String) async {
        for (fields, wait) in [
            ([.retryAfter: "120"], .seconds(120)), ([:], nil),
        ] as [(HTTPFields, Duration?)] {
            let error = await failure { _ in
                .bytes(Array(body.utf8), status: .init(code: status), fields: fields)
            }
            #expect(error?.isTemporary == true)
            #expect(error?.retryAfter == wait)
        }
    }

    @Test("a constant of a refresh is in no dump, unless its field name is known to be harmless")
    func dumped() {
        let request = RefreshRequest(
            "https://id.test/token",
            .form([
                .init("client_id", .constant("app-7")), .init("device", .constant("hunter2")),
                .init("client_secret", .secret("hunter3")), .init("user", .fact("user_id")),
            ]))
        let refresher = RequestCredentialRefresher(
            request, transport: InMemoryTransport { _ in .bytes() }, clock: .stopped)
        for value in [refresher, request, RefreshRequest.Value.constant("hunter2")] as [Any] {
            var text = "\(value) \(String(reflecting: value)) "
            dump(value, to: &text)
            #expect(!text.contains("hunter"))
            #expect(text.contains("app-7") || value is RefreshRequest.Value)
        }
        #expect("\(request)".contains("$token.user_id"))
    }

    @Test("the values of a refresh reply are kept, however many new ones come beside the old ones")
    func growth() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let count = Counter()
        let transport = InMemoryTransport { _ in
            let number = count.next()
            // JSON writes each character as six bytes.
            let text = String(repeating: #"\u0001"#, count: 700)
            let facts = (0..<50).map { #""k\#(number)_\#($0)": "\#(text)""# }
            return .json(
                #"{"access_token": "t\#(number)", "refresh_token": "r\#(number)", "#
                    + #""user_id": \#(number), \#(facts.joined(separator: ","))}"#)
        }
        let refresher = RequestCredentialRefresher(
            RefreshRequest("https://id.test/token"), transport: transport, clock: .stopped)
        try await place.store.save(old)
        for number in 1...10 {
            let stored = try await place.store.read()
            let new = try await place.store.renew(stored, with: refresher)
            #expect(new.refreshToken == "r\(number)" && new.values["user_id"] == "\(number)")
            #expect(new.values.count <= 128)
        }
    }

    @Test("a refresh reply that repeats a constant of a secret name does not show it")
    func constants() async {
        let request = RefreshRequest(
            "https://id.test/",
            .form([
                .init("client_id", .constant("app-7")),
                .init("client_secret", .constant("hunter2")),
            ]))
        let error = await failure(request) { _ in
            .tokenRefusal("invalid_client", "app-7 is not hunter2")
        }
        #expect(error?.description.contains("app-7 is not ‹redacted›") == true)
    }

    @Test(
        "a refresh reply is no refusal if its error field has a word for no error",
        arguments: ["null", "false", "0", #""""#])
    func noError(_ word: String) async throws {
        let (new, _) = try await refresh { _ in
            .json(#"{"error": \#(word), "access_token": "new", "refresh_token": "r2"}"#)
        }
        #expect(new.token == "new" && new.refreshToken == "r2")
    }

    @Test("a refresh error has no line breaks, excess or invisible characters of the refusal")
    func words() async {
        let words = #"a\nb\u001b[31m\u202e"# + String(repeating: "x", count: 100_000)
        let error = await failure { _ in .tokenRefusal("invalid_grant", words) }
        #expect(error?.description.contains("it says: ab[31mxxx") == true)
        #expect(error?.description.utf8.count ?? 0 < 400)
    }

    @Test("the reply to a refresh request may leave out the token type, or have null there")
    func type() async throws {
        for type in ["", #", "token_type": null"#, #", "token_type": "BEARER""#] {
            let reply = #"{"access_token": "a", "refresh_token": "b"\#(type)}"#
            let new = try await refresh(replying: reply)
            #expect(new.token == "a" && new.refreshToken == "b")
        }
    }

    @Test(
        "the reply to a refresh request may have an unknown token type",
        arguments: [#""bot""#, #""user""#, #""User Access Token""#, #""""#, "7", "[]"])
    func ownType(type: String) async throws {
        let new = try await refresh(
            replying: #"{"access_token": "a", "refresh_token": "b", "token_type": \#(type)}"#)
        #expect(new.token == "a" && new.refreshToken == "b")
    }

    @Test(
        "a refresh reply that is not as described is an error",
        arguments: [
            ("", "not a JSON object"), ("[]", "not a JSON object"), ("{", "not a JSON object"),
            (#"{"access_token": "a"} {}"#, "not a JSON object"), ("{}", "lacks `access_token`"),
            (#"{"access_token": null}"#, "lacks `access_token`"),
            (#"{"access_token": ""}"#, "no token"), (#"{"access_token": 5}"#, "no token"),
            (#"{"access_token": "a\nb"}"#, "no token"),
            (#"{"access_token": "ä"}"#, "no token"),
            (#"{"access_token": "a", "access_token": "b"}"#, "`access_token` more than once"),
            (
                #"{"access_token": "a", "x": 1, "access\u005ftoken": "a"}"#,
                "`access_token` more than once"
            ),
            (#"{"access_token": "a", "token_type": "mac"}"#, "`token_type` `mac`"),
            (#"{"access_token": "a", "token_type": "DPoP"}"#, "`token_type` `dpop`"),
            (#"{"access_token": "a", "token_type": "PoP"}"#, "`token_type` `pop`"),
            (#"{"access_token": "a", "token_type": "N_A"}"#, "`token_type` `n_a`"),
        ])
    func malformed(reply: String, words: String) async {
        let error = await failure { _ in .json(reply) }
        #expect(error?.reason == .malformedReply)
        #expect(error?.description.contains(words) == true)
        #expect(error?.needsLogin == false)
    }

    @Test(
        "a refresh reply has its token, whatever replaces the refresh token; the old one stays",
        arguments: [#""""#, "false", "0", "7", "null", "{}", #""a\nb""#])
    func unusableRefreshToken(text: String) async throws {
        let new = try await refresh(
            replying: #"{"access_token": "n", "refresh_token": \#(text), "user_id": 8}"#)
        #expect(new.token == "n")
        #expect(new.refreshToken == "r&1")
        #expect(new.values == ["user_id": "8"])
    }

    @Test(
        "a refresh reply that refuses shows no secret that is in it, at any depth",
        arguments: [
            #""data": {"access_token": "hunter2"}"#, #""data": [{"token": {"at": "hunter2"}}]"#,
            #""a": {"b": [[{"Id_Token": "hunter2"}]]}"#, #""token": {"value": ["hunter2"]}"#,
            #""jwt": "hunter2""#, #""renew": {"it": "hunter2"}"#,
            #""access_token": "hunter2", "access_token": "other""#,
        ])
    func nestedSecrets(member: String) async {
        let request = RefreshRequest(
            "https://id.test/",
            reply: TokenReplyRules(token: ["jwt"], refreshToken: ["renew", "it"]))
        let body = #"{"error": "no", "error_description": "not hunter2 for you", \#(member)}"#
        let error = await failure(request) { _ in .json(body) }
        #expect(error?.description.contains("it says: not ‹redacted› for you") == true)
    }

    @Test("a refresh reply that refuses with too many secrets shows no text of its own")
    func manySecrets() async {
        let tokens = (0..<10_000).map { #"{"token": "t\#($0)"}"# }.joined(separator: ",")
        for padding in ["", String(repeating: "x", count: 10_000)] {
            let error = await failure { _ in
                .json(
                    #"""
                    {"error": "odd t9999", "error_description": "not t9999\#(padding)",
                    "all": [\#(tokens)]}
                    """#)
            }
            #expect(error?.description.contains("9999") == false)
            #expect(error?.description.contains("xxxx") == false)
            #expect(error?.description.contains("refused: ‹redacted›") == true)
        }
    }

    @Test("a refresh that is refused shows nothing of the old credential but common values")
    func oldFacts() async {
        let known = Credential(
            token: "old", values: ["user_id": "7", "device": "phone-12", "token": "x9"],
            refreshToken: "r&1")
        let error = await failure(from: known) { _ in
            .tokenRefusal("invalid_grant", "7 with phone-12 and x9")
        }
        #expect(
            error?.description.contains("it says: 7 with ‹redacted› and ‹redacted›)") == true)
    }

    @Test("a refresh reply that does not arrive shows no secret in the transport's text")
    func transportWords() async {
        let request = RefreshRequest(
            "https://id.test/token?key=hunter2&abcd", .form([.init("s", .secret("swordfish"))]))
        let error = await failure(request) { sent throws(TransportError) in
            throw TransportError(
                .cannotConnect, "no way to \(sent.head.path ?? "") with r%261, \(sent.text)")
        }
        let words = "no way to /token?key=‹redacted›&‹redacted› with ‹redacted›"
        guard case .transport(let cause) = error?.reason else {
            Issue.record("it is another error")
            return
        }
        #expect(cause.kind == .cannotConnect)
        for text in [cause.message, error?.description ?? ""] {
            #expect(text.contains(words))
            #expect(!text.contains("swordfish"))
        }
    }

    @Test("a refresh reply that refuses does not show the hidden part of the address")
    func queryInWords() async {
        let request = RefreshRequest("https://id.test/token?key=hunter2")
        let error = await failure(request) { _ in
            .tokenRefusal("invalid_client", "the key hunter2 is over")
        }
        #expect(error?.description.contains("it says: the key ‹redacted› is over") == true)
    }

    @Test(
        "a refresh reply provides its tokens whatever it declares about their expiry",
        arguments: [
            ("0", nil), ("-1", nil), ("\"soon\"", nil), ("\"nan\"", nil), ("[]", nil),
            ("1e400", nil),
            ("2.5", 2.5), ("\"60\"", 60), ("9223372036854775807", TimeInterval(UInt32.max)),
        ] as [(String, TimeInterval?)])
    func life(text: String, seconds: TimeInterval?) async throws {
        let new = try await refresh(
            replying: #"{"access_token": "n", "refresh_token": "r2", "expires_in": \#(text)}"#)
        #expect(new.token == "n")
        #expect(new.refreshToken == "r2")
        #expect(new.expiry == seconds.map(now.addingTimeInterval))
    }

    @Test("a refresh reply that is huge, nested too deeply or truncated is an error")
    func hostile() async {
        let chunk = [UInt8](repeating: 0x20, count: 65_536)
        let huge = await failure { _ in .chunks(Array(repeating: chunk, count: 5)) }
        let limit = TokenReply.maximumBytes
        #expect(huge?.reason == .transport(.tooLarge(limit: limit)))
        let deep = String(repeating: "[", count: 100_000)
        let nested = await failure { _ in .json(#"{"access_token": "a", "x": "# + deep) }
        #expect(nested?.reason == .malformedReply)
        let short = await failure { _ in .truncated(Array("{".utf8), declaring: 9) }
        #expect(short?.reason == .transport(.truncated(received: 1, expected: 9)))
        #expect(short?.isTemporary == true)
    }

    @Test("a refresh reply that hangs in its head or its body ends in a time-out")
    func hanging() async {
        let gate = Gate()
        let headless = InMemoryTransport { _ in
            await gate.wait()
            return .bytes()
        }
        let bodiless = InMemoryTransport { _ in .chunks([Array("{".utf8)], after: gate) }
        for transport in [headless, bodiless] {
            let refresher = RequestCredentialRefresher(
                RefreshRequest("https://id.test/"), transport: transport, timeout: .seconds(9),
                clock: RuntimeClock(now: { now }, sleep: { _ in }))
            let error = await #expect(throws: CredentialError.self) {
                try await refresher.refresh(old)
            }
            #expect(
                error?.reason
                    == .transport(TransportError(.timedOut, "no reply within 9.0 seconds")))
            #expect(error?.isTemporary == true)
        }
    }

    @Test("the reply to a refresh request is not awaited after the task is cancelled")
    func cancelled() async throws {
        let met = Gate()
        let never = Gate()
        let transport = InMemoryTransport { _ in
            met.open()
            await never.wait()
            return .bytes()
        }
        let refresher = RequestCredentialRefresher(
            RefreshRequest("https://id.test/"), transport: transport, clock: .stopped)
        let task = Task { try await refresher.refresh(old) }
        await met.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

@Suite("A single-use refresh token")
struct RotationTests {
    private let tokens = TokenService()

    private func refresher(_ transport: any Transport) -> RequestCredentialRefresher {
        RequestCredentialRefresher(
            RefreshRequest("https://id.test/token"), transport: transport, clock: .stopped)
    }

    private var refresher: RequestCredentialRefresher {
        refresher(InMemoryTransport(serving: tokens.refresh))
    }

    /// A store as after a log-in.
    private func loggedIn() -> (store: MemoryCredentialStore, old: Credential) {
        let pair = tokens.issue()
        let old = Credential(token: pair.access, refreshToken: pair.refresh)
        return (MemoryCredentialStore(old), old)
    }

    @Test("a single-use token is used once by all users of a store, generation after generation")
    func generations() async throws {
        let (store, _) = loggedIn()
        for generation in 1...5 {
            let old = try await store.read()
            try await withThrowingTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask { [refresher] in
                        let new = try await store.renew(old, with: refresher)
                        #expect(new.token == "access-\(generation + 1)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(tokens.counts.refreshRequests == generation)
        }
        #expect(tokens.counts.reusedRefreshTokens == 0)
    }

    @Test("a single-use refresh token is stored before any call has the new token")
    func stored() async throws {
        let (store, old) = loggedIn()
        let new = try await store.renew(old, with: refresher)
        #expect(try await store.read() == new)
        #expect(new.refreshToken == "refresh-2")
    }

    @Test("a single-use refresh token survives a refresh that failed")
    func failing() async throws {
        let (store, old) = loggedIn()
        tokens.setRefreshing(.unavailable)
        let error = await #expect(throws: CredentialError.self) {
            try await store.renew(old, with: refresher)
        }
        #expect(error?.isTemporary == true)
        #expect(try await store.read() == old)
        tokens.setRefreshing(.working)
        #expect(try await store.renew(old, with: refresher).token == "access-2")
    }

    /// A refresher whose request runs a closure.
    private func refresher(
        during event: @escaping @Sendable () async -> Void
    ) -> RequestCredentialRefresher {
        let server = InMemoryTransport(serving: tokens.refresh)
        return refresher(
            InMemoryTransport { request throws(TransportError) in
                await event()
                return try await server.send(request.request)
            })
    }

    @Test("a single-use refresh token does not undo a concurrent log-out")
    func loggedOut() async throws {
        let (store, old) = loggedIn()
        let refresher = refresher(during: { try? await store.clear() })
        let error = await #expect(throws: CredentialError.self) {
            try await store.renew(old, with: refresher)
        }
        #expect(error?.needsLogin == true)
        #expect(tokens.counts.refreshes == 1)
        #expect(try await store.read() == nil)
    }

    @Test("a single-use token is not lost with the task that wanted the new token, nor used twice")
    func givenUp() async throws {
        let (store, old) = loggedIn()
        let (asked, answer) = (Gate(), Gate())
        let server = InMemoryTransport(serving: tokens.refresh)
        let refresher = refresher(
            InMemoryTransport { request throws(TransportError) in
                let reply = try await server.send(request.request)
                // The token is used up, and the reply comes later.
                asked.open()
                await answer.wait()
                return reply
            })
        let caller = Task { try await store.renew(old, with: refresher) }
        await asked.wait()
        caller.cancel()
        // At once, and not only when the server has replied.
        await #expect(throws: CancellationError.self) { try await caller.value }
        answer.open()
        #expect(try await store.renew(old, with: refresher).token == "access-2")
        #expect(tokens.counts.refreshes == 1 && tokens.counts.reusedRefreshTokens == 0)
    }

    @Test(
        "a task cancelled before uses no single-use token; a log-in is cancelled with its task")
    func givenUpBefore() async throws {
        for old in [loggedIn().old, Credential(token: "worn-out")] {
            let store = MemoryCredentialStore(old)
            let (began, ended) = (Gate(), Gate())
            let first = Task {
                try await store.exclusively {
                    began.open()
                    await ended.wait()
                }
            }
            await began.wait()
            let (asked, wasCancelled) = (Gate(), Gate())
            let refresher = AppCredentialRefresher { _ in
                asked.open()
                return try await withTaskCancellationHandler {
                    await wasCancelled.wait()
                    throw CancellationError()
                } onCancel: {
                    wasCancelled.open()
                }
            }
            let caller = Task { try await store.renew(old, with: refresher) }
            if old.refreshToken == nil {
                ended.open()
                await asked.wait()
            }
            caller.cancel()
            await #expect(throws: CancellationError.self) { try await caller.value }
            ended.open()
            try await first.value
            // The next caller has the store for itself.
            let next = AppCredentialRefresher { _ in Credential(token: "next") }
            #expect(try await store.renew(old, with: next).token == "next")
            #expect(asked.isOpen == (old.refreshToken == nil))
        }
    }

    @Test("a single-use refresh token yields to a credential that was stored meanwhile")
    func replaced() async throws {
        let (store, old) = loggedIn()
        let refresher = refresher(during: { try? await store.save(Credential(token: "login")) })
        #expect(try await store.renew(old, with: refresher).token == "login")
        #expect(try await store.read()?.token == "login")
    }
}
