import HTTPTypes
import Testing

@testable import TelexRuntime
@testable import TelexTesting

@Suite("A network that answers in place of the server")
struct CaptivePortalTests {
    private static let page = "<!DOCTYPE html><html><body>Log in</body></html>"

    /// An API behind a network that may demand a log-in.
    private final class TestClient: Sendable {
        let checks = Counter()
        let manager: APIManager<TinyAPI>

        init(
            isCaptive: Bool = true, knowsPortals: Bool = true, server: ServerChoice = .first,
            _ script: @escaping InMemoryTransport.Script
        ) {
            let checks = checks
            let probe = ReachabilityProbe(
                hasLink: { true }, resolves: { _ in true }, connects: { _, _ in true })
            let portal = knowsPortals ? PortalCheck("http://check.test/204") : nil
            let transport = InMemoryTransport { request throws(TransportError) in
                guard request.head.authority == "check.test" else {
                    return try await script(request)
                }
                _ = checks.next()
                return isCaptive ? CaptivePortalTests.html() : .bytes(status: .noContent)
            }
            manager = APIManager<TinyAPI>(
                transport: transport, credentials: .memory(Credential(token: secret))
            ) {
                $0.server = server
                $0.settings.clock = .stopped
                $0.settings.diagnosis = DiagnosisRules(probe: probe, portal: portal)
            }
        }

        func users() async -> APIError? {
            await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        }
    }

    private static func html(
        _ text: String = page, type: String = "text/html; charset=utf-8",
        status: HTTPResponse.Status = .ok
    ) -> TransportReply {
        .bytes(Array(text.utf8), status: status, fields: [.contentType: type])
    }

    @Test(
        "a captive network is detected by a page in place of JSON, declared or not",
        arguments: [
            (page, "text/html; charset=utf-8"), ("hello", "Text/HTML"), ("", "text/html"),
            (page, "application/json"), (page, "text/plain"), ("no page", "application/xhtml+xml"),
        ])
    func pages(text: String, type: String) async {
        let client = TestClient { _ in Self.html(text, type: type) }
        let error = await client.users()
        #expect(
            error?.diagnosis
                == Diagnosis(
                    host: "api.tiny.test", port: 443, reached: .tls, broken: .http, isCaptive: true)
        )
        #expect(error?.fault == .network)
        #expect(error?.isRetryable == true)
        #expect(
            error?.description
                == "`users.get` of Tiny failed: a network that asks its user to log in answers in "
                + "place of the server; log in there and try again (status 200)")
    }

    @Test("a captive network is detected by a redirect's target, reported for the called server")
    func redirect() async {
        let client = TestClient(server: .url("http://api.tiny.test/")) { request in
            request.head.authority == "api.tiny.test"
                ? .bytes(status: .found, fields: .location("http://login.test/"))
                : Self.html()
        }
        let call = RequestBuilder(TinyAPI.APIMethod.ping).finish(UsersMapper.get)
        let error = await failure(client.manager.operation(call))
        #expect(
            error?.diagnosis
                == Diagnosis(
                    host: "api.tiny.test", port: 80, reached: .connect, broken: .http,
                    isCaptive: true))
    }

    @Test("a captive network is detected by redirects that are not followed")
    func refusedRedirects() async {
        for address in ["http://login.test/", "https://api.tiny.test/again"] {
            let client = TestClient { _ in .bytes(status: .found, fields: .location(address)) }
            let error = await client.users()
            #expect(error?.diagnosis?.isCaptive == true)
            #expect(error?.description.contains("answers in place of the server") == true)
        }
    }

    @Test("a captive network is detected by a page without success keys, if no value is promised")
    func pageForNothing() async {
        let rules = ReplyRules(conditions: [.value(at: ["ok"], in: [true])])
        let template = RequestTemplate(
            method: "ping", endpoint: Endpoint(.get, "ping", reply: rules))
        let client = TestClient { _ in Self.html() }
        let error = await failure(client.manager.operation(RequestBuilder(template).finishEmpty()))
        #expect(error?.diagnosis?.isCaptive == true && error?.fault == .network)
    }

    @Test("a captive network is detected by its own status code (511), without a check")
    func status511() async {
        let client = TestClient(knowsPortals: false) { _ in
            Self.html(status: .init(code: 511))
        }
        let error = await client.users()
        #expect(error?.reason == .status(511))
        #expect(error?.diagnosis?.isCaptive == true && error?.fault == .network)
        #expect(client.checks.value == 0)
        // A network that answers with this status has kept the request.
        let save = UsersRequests.save(name: "Ada", password: "hunter2")
        #expect(await failure(client.manager.operation(save))?.isRetryable == true)
    }

    @Test("an unsafe request is not repeated: a captive network may pass it on and keep its reply")
    func unrepeatable() async {
        let client = TestClient { _ in
            .bytes(status: .temporaryRedirect, fields: .location("https://login.test/"))
        }
        let save = UsersRequests.save(name: "Ada", password: "hunter2")
        let error = await failure(client.manager.operation(save))
        #expect(error?.diagnosis?.isCaptive == true && error?.isRetryable == false)
        #expect(error?.description.hasSuffix("in place of the server; log in there") == true)
    }

    @Test("a captive network is ruled out by a check's known answer: then the reply is malformed")
    func innocent() async {
        let client = TestClient(isCaptive: false) { _ in Self.html() }
        let error = await client.users()
        #expect(client.checks.value == 1)
        #expect(error?.diagnosis == nil && error?.fault == .server)
        #expect(error?.description.contains("not JSON") == true || error?.phase == .map)
    }

    @Test("a captive network is not checked for after a server error, nor after JSON")
    func unsuspected() async {
        for status in [502, 503, 404, 403] as [Int] {
            let client = TestClient { _ in Self.html(status: .init(code: status)) }
            let error = await client.users()
            #expect(error?.status == status && error?.diagnosis == nil)
            #expect(client.checks.value == 0)
        }
        for text in [#"{"response":7}"#, #"{"response":[{"id":1}"#] {
            let client = TestClient { _ in Self.html(text, type: "application/json") }
            #expect(await client.users()?.diagnosis == nil)
            #expect(client.checks.value == 0)
        }
        // Many servers send JSON with this media type.
        let client = TestClient { _ in Self.html(#"{"response":7}"#) }
        #expect(await client.users()?.reason == .unexpectedReply)
        #expect(client.checks.value == 0)
    }

    @Test("a captive network is not checked for if no check is set, nor after pages as the value")
    func unasked() async throws {
        let error = await TestClient(knowsPortals: false) { _ in Self.html() }.users()
        #expect(error?.phase == .map && error?.diagnosis == nil)
        let client = TestClient { _ in Self.html() }
        let file = try await client.manager.operation(UsersRequests.file(name: "a")).value
        #expect(file.count == Self.page.utf8.count)
        #expect(client.checks.value == 0)
    }

    @Test("a network that answers in place of the server is checked for once for many calls")
    func shared() async {
        let client = TestClient { _ in Self.html() }
        await withTaskGroup(of: APIError?.self) { group in
            for _ in 0..<20 { group.addTask { await client.users() } }
            for await error in group { #expect(error?.diagnosis?.isCaptive == true) }
        }
        #expect(client.checks.value == 1)
    }

    @Test("a captive network is detected by a page in place of a stream")
    func stream() async {
        let client = TestClient { _ in Self.html() }
        let call = client.manager.operation(EngineRequests.events())
        do {
            _ = try await call.value
            Issue.record("a page is no stream")
        } catch {
            let error = error as? APIError
            #expect(error?.reason == .unexpectedReply)
            #expect(error?.diagnosis?.isCaptive == true && error?.fault == .network)
        }
    }
}
