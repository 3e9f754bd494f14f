import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import SpecMock

@Suite("A mock")
struct MockServerTests {
    private static let token: HTTPFields = [.init("X-Api-Auth-Token")!: "token"]
    private static let id = "1b4e28ba-2fa1-41d2-883f-0016d3cca427"

    // MARK: Requests

    @Test("A mock refuses a request that breaks the spec, with the place of each parameter")
    func violations() throws {
        let test = try MockTest("backend")
        let reply = test.send(
            "POST", "/v1/sessions", json: #"{"email": "nobody", "password": "short"}"#)
        #expect(reply.status == 400)
        let violations = try #require(reply.json?["violations"]?.asArray)
        #expect(violations.map { $0["path"]?.asString } == ["email", "password"])
        #expect(violations[0]["place"] == "accounts.yaml:21")
        #expect(!reply.text.contains("short"))
        #expect(
            test.lines == [
                "POST /v1/sessions  accounts.signIn  400  "
                    + "email: expected an e-mail address and 1 more (accounts.yaml:21)"
            ])
    }

    @Test("A mock does not refuse what a browser prefers", arguments: ["*/*", "text/html"])
    func preferences(accept: String) throws {
        var fields = Self.token
        fields[.accept] = accept
        #expect(
            try MockTest("backend").send("GET", "/users/\(Self.id)", fields: fields).status == 200)
    }

    @Test("A mock names the nearest methods for a path that no method has")
    func unknown() throws {
        let reply = try MockTest("backend").send("GET", "/v1/userz")
        #expect(reply.status == 404)
        #expect(reply.json?["nearest"]?[0] == "users.list (GET /users)")
    }

    @Test("A mock shows no control characters of a request in its lines")
    func lines() throws {
        let test = try MockTest("backend")
        _ = test.send("GET", "/\u{1B}[31m")
        #expect(test.lines.first?.hasPrefix("GET / [31m") == true)
    }

    @Test("A mock lets a page of another address call it")
    func origins() throws {
        let test = try MockTest("gallery")
        let asked = test.send(
            "OPTIONS", "/v1/pictures",
            fields: [.origin: "http://app.test", .accessControlRequestMethod: "GET"])
        #expect(asked.status == 204)
        #expect(asked.fields[.accessControlAllowOrigin] == "http://app.test")
    }

    // MARK: Tokens

    @Test("A mock refuses an expired token by the status that the spec declares")
    func expiredStatus() throws {
        let test = try MockTest("backend") { $0.tokenLife = .seconds(60) }
        #expect(test.send("GET", "/users/\(Self.id)").status == 401)
        #expect(test.send("GET", "/users/\(Self.id)", fields: Self.token).status == 200)
        test.clock.advance(by: .seconds(61))
        #expect(test.send("GET", "/users/\(Self.id)", fields: Self.token).status == 401)
        #expect(
            test.lines.last
                == "GET /users/\(Self.id)  users.get  401  "
                + "token expired (auth.token.expired, api.yaml:22)")
    }

    @Test(
        "A mock refuses an expired token by a code in a reply of status 200 where the spec has that"
    )
    func expiredCode() throws {
        let test = try MockTest("vk") { $0.tokenLife = .seconds(60) }
        let target = "/method/users.get?v=5.199&user_ids=1&access_token=abc"
        #expect(test.send("GET", target).status == 200)
        test.clock.advance(by: .seconds(61))
        let refused = test.send("GET", target)
        #expect(refused.status == 200)
        #expect(refused.json?["error"]?["error_code"] == 5)
    }

    @Test(
        "A mock refuses an expired token by an error of a procedure call, with the id of the call")
    func expiredProcedure() throws {
        let test = try MockTest(
            methods: """
                methods:
                  things.count: { params: { of: string }, returns: int }
                """,
            api: """
                rpc: json-rpc-2.0
                prefix: rpc
                auth: { user: { token: bearer, expired: { error: -32001 } } }
                """
        ) { $0.tokenLife = .seconds(60) }
        let body = #"{"jsonrpc":"2.0","method":"things.count","params":{"of":"a"},"id":9}"#
        let fields: HTTPFields = [.authorization: "Bearer abc"]
        let good = test.send("POST", "/v1/rpc", fields: fields, json: body)
        #expect(good.json?["id"] == 9 && good.json?["result"]?.asInt != nil, "\(good.text)")
        test.clock.advance(by: .seconds(61))
        let refused = test.send("POST", "/v1/rpc", fields: fields, json: body)
        #expect(refused.status == 200)
        #expect(refused.json?["error"]?["code"] == -32001 && refused.json?["id"] == 9)
    }

    @Test("A mock renews a token once for each refresh token")
    func refresh() throws {
        let test = try MockTest("gallery")
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let body = Array("grant_type=refresh_token&refresh_token=old".utf8)
        let first = test.send("POST", "/token", fields: form, body: body)
        #expect(first.json?["access_token"]?.asString?.isEmpty == false)
        let again = test.send("POST", "/token", fields: form, body: body)
        #expect(again.status == 400 && again.json?["error"] == "invalid_grant")
    }

    // MARK: Trouble

    @Test("A mock refuses requests above its limit with the time to wait")
    func limit() throws {
        let test = try MockTest("gallery") { $0.limit = (2, .seconds(1)) }
        let fields: HTTPFields = [.authorization: "Bearer a"]
        let replies = (0..<3).map { _ in test.send("GET", "/v1/account", fields: fields) }
        #expect(replies.map(\.status) == [200, 200, 429])
        #expect(replies[2].fields[.retryAfter] == "1")
        #expect(test.lines.last?.hasSuffix("429  above the limit") == true)
        test.clock.advance(by: .seconds(1))
        #expect(test.send("GET", "/v1/account", fields: fields).status == 200)
    }

    @Test("A mock holds replies back by a time that varies within its bounds")
    func delay() throws {
        let times = Lock<[Duration]>([])
        let test = try MockTest("gallery") {
            $0.delay = Delay(.milliseconds(200), percent: 50)
            $0.after = { time, _ in times.withLock { $0.append(time) } }
        }
        let replies = (0..<50).map { _ in test.send("GET", "/v1/archive") }
        #expect(
            replies.allSatisfy { if case .wait? = $0.reply.steps.first { true } else { false } })
        let all = times.withLock { $0 }
        #expect(all.count == 50 && Set(all).count > 10)
        #expect(all.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(300) })
    }

    @Test("A mock gives a share of its replies a fault")
    func faults() throws {
        let test = try MockTest("gallery") {
            $0.faults = [FaultShare(.tooManyRequests(retryAfter: "7"), percent: 30)]
        }
        let fields: HTTPFields = [.authorization: "Bearer a"]
        let replies = (0..<200).map { _ in test.send("GET", "/v1/account", fields: fields).status }
        #expect((30...90).contains(replies.count { $0 == 429 }))
        #expect(replies.allSatisfy { $0 == 200 || $0 == 429 })
    }

    @Test(
        "A delay is read with its unit and its variation",
        arguments: [
            ("200ms", Delay(.milliseconds(200))), ("1.5s±50%", Delay(.seconds(1.5), percent: 50)),
            ("1m+-10%", Delay(.seconds(60), percent: 10)), ("200", nil), ("-1s", nil),
            ("1s±500%", nil), ("", nil), ("1s±5", nil), ("nans", nil),
        ])
    func delays(text: String, delay: Delay?) { #expect(Delay(text) == delay) }

    @Test("A fault without a name or a share is refused with the nearest name")
    func badFaults() throws {
        let name = Fault.tooManyRequests(retryAfter: "7").name
        #expect(try FaultShare("\(name):10%").percent == 10)
        for text in ["x", "\(name):0%", "\(name):101%", "\(name)", ":5%"] {
            #expect(throws: MockError.self) { try FaultShare(text) }
        }
        let error = #expect(throws: MockError.self) { try FaultShare("504 3 times:10%") }
        #expect(
            error?.description == "there is no fault `504 3 times`; did you mean `503 3 times`?")
    }

    // MARK: Files

    @Test("A mock sends a part of a file, and the same file again")
    func ranges() throws {
        let test = try MockTest("gallery")
        var fields: HTTPFields = [.authorization: "Bearer a"]
        let whole = test.send("GET", "/v1/pictures/7/original", fields: fields)
        #expect(whole.status == 200 && whole.fields[.eTag] != nil)
        fields[.range] = "bytes=10-19"
        let part = test.send("GET", "/v1/pictures/7/original", fields: fields)
        #expect(part.status == 206)
        #expect(part.reply.body == Array(whole.reply.body[10..<20]))
    }

    @Test("A mock takes a file in a form of parts")
    func uploads() throws {
        let test = try MockTest("gallery")
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n"
            + "abc\r\n--b--\r\n"
        let fields: HTTPFields = [
            .authorization: "Bearer a", .contentType: "multipart/form-data; boundary=b",
        ]
        let reply = test.send("POST", "/v1/pictures", fields: fields, body: Array(text.utf8))
        #expect(reply.status == 200)
        let missing = test.send(
            "POST", "/v1/pictures", fields: fields, body: Array("--b--\r\n".utf8))
        #expect(missing.status == 400)
    }

    // MARK: Values

    @Test(
        "A made text matches its pattern",
        arguments: [
            "^[0-9]{13}$", "^\\+[0-9]{6,15}$", "^(ab|cd)+x?$", "[a-z]", "^[^a-z]+$", "^a.*b$",
            "^[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+)*$",
        ])
    func patterns(source: String) throws {
        let test = try MockTest(
            methods: """
                methods:
                  things.get: { get: things, returns: { code: { type: string, pattern: '\(source)' } } }
                """)
        let reply = test.send("GET", "/v1/things")
        let code = try #require(reply.json?["code"]?.asString)
        #expect(code.firstMatch(of: try Regex(source)) != nil, "\(code)")
    }

    @Test(
        "A mock answers although a spec asks for more than there can be",
        arguments: [
            "{ type: int, min: -9223372036854775808, max: -9223372036854775807 }",
            "{ type: int, min: 9223372036854775806 }", "{ type: int32, above: 2147483646 }",
            "{ type: double, min: 1e300 }", "{ type: decimal, max: -99999999999999999999.5 }",
            "{ type: string, min-length: 1000000000 }", "{ type: [int], min-items: 1000000000 }",
            "{ type: '[[[[int]]]]', min-items: 1000 }", "{ type: Date, within: 3000000d }",
            "{ type: string, pattern: '^[a-c]{900}$' }",
            "{ type: [bool], unique: true, min-items: 9 }",
        ])
    func extremes(type: String) throws {
        let test = try MockTest(
            methods: "methods:\n  things.get: { get: things, returns: { value: \(type) } }\n")
        let reply = test.send("GET", "/v1/things")
        #expect(reply.status == 200 && reply.json?["value"] != nil)
    }

    @Test("A mock with another spec keeps what was created")
    func reload() throws {
        let test = try MockTest("backend")
        let change = test.send(
            "PATCH", "/users/\(Self.id)", fields: Self.token, json: #"{"first_name": "Zoe"}"#)
        #expect(change.status == 200)
        let again = try MockTest("backend")
        test.mock.use(again.spec)
        let reply = test.send("GET", "/users/\(Self.id)", fields: Self.token)
        #expect(reply.json?["first_name"] == "Zoe")
    }
}
