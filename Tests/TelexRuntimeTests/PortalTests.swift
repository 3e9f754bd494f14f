import HTTPTypes
import Synchronization
import Testing

@testable import TelexRuntime
@testable import TelexTesting

@Suite("A network that answers in place of the server")
struct PortalTests {
    private static let page = "<!DOCTYPE html><html><body>Log in</body></html>"

    /// An API behind a network that may want its user to log in.
    private final class Desk: Sendable {
        let checks = Counter()
        let manager: APIManager<Tiny>

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
                return isCaptive ? PortalTests.html() : .bytes(status: .noContent)
            }
            manager = APIManager<Tiny>(
                transport: transport, credentials: .memory(Credential(token: secret)),
                server: server,
                settings: EngineSettings(
                    clock: .stopped, diagnosis: DiagnosisRules(probe: probe, portal: portal)))
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
        "is told by a page where JSON is promised, declared or not",
        arguments: [
            (page, "text/html; charset=utf-8"), ("hello", "Text/HTML"), ("", "text/html"),
            (page, "application/json"), (page, "text/plain"), ("no page", "application/xhtml+xml"),
        ])
    func pages(text: String, type: String) async {
        let desk = Desk { _ in Self.html(text, type: type) }
        let error = await desk.users()
        #expect(
            error?.diagnosis
                == Diagnosis(
                    host: "api.tiny.test", port: 443, reached: .tls, broken: .http, isCaptive: true)
        )
        #expect(error?.fault == .network)
        #expect(error?.isRetryable == true)
        #expect(
            error?.description
                == "`users.get` of Tiny failed: a network that wants its user to log in answers in "
                + "place of the server; log in there and try again (status 200)")
    }

    @Test("is told by where a redirect led, in the name of the server that was called")
    func redirect() async {
        let desk = Desk(server: .url("http://api.tiny.test/")) { request in
            request.head.authority == "api.tiny.test"
                ? .bytes(status: .found, fields: .location("http://login.test/"))
                : Self.html()
        }
        let call = RequestBuilder(Tiny.APIMethod.ping).finish(UsersMapper.get)
        let error = await failure(desk.manager.operation(call))
        #expect(
            error?.diagnosis
                == Diagnosis(
                    host: "api.tiny.test", port: 80, reached: .connect, broken: .http,
                    isCaptive: true))
    }

    @Test("is told by redirects that are not followed")
    func refusedRedirects() async {
        for address in ["http://login.test/", "https://api.tiny.test/again"] {
            let desk = Desk { _ in .bytes(status: .found, fields: .location(address)) }
            let error = await desk.users()
            #expect(error?.diagnosis?.isCaptive == true)
            #expect(error?.description.contains("answers in place of the server") == true)
        }
    }

    @Test("is told by a page without the keys of a success, where no value is promised")
    func pageForNothing() async {
        let rules = ReplyRules(conditions: [.value(at: ["ok"], in: [true])])
        let draft = RequestDraft(method: "ping", endpoint: Endpoint(.get, "ping", reply: rules))
        let desk = Desk { _ in Self.html() }
        let error = await failure(desk.manager.operation(RequestBuilder(draft).finishEmpty()))
        #expect(error?.diagnosis?.isCaptive == true && error?.fault == .network)
    }

    @Test("says so itself with a status that is made for it, and nobody has to look")
    func status511() async {
        let desk = Desk(knowsPortals: false) { _ in
            Self.html(status: .init(code: 511))
        }
        let error = await desk.users()
        #expect(error?.reason == .status(511))
        #expect(error?.diagnosis?.isCaptive == true && error?.fault == .network)
        #expect(desk.checks.value == 0)
        // Whoever answers so has kept the request.
        let save = UsersRequests.save(name: "Ada", password: "hunter2")
        #expect(await failure(desk.manager.operation(save))?.isRetryable == true)
    }

    @Test("may have let a request through whose reply it kept: what cannot be repeated is not")
    func unrepeatable() async {
        let desk = Desk { _ in
            .bytes(status: .temporaryRedirect, fields: .location("https://login.test/"))
        }
        let save = UsersRequests.save(name: "Ada", password: "hunter2")
        let error = await failure(desk.manager.operation(save))
        #expect(error?.diagnosis?.isCaptive == true && error?.isRetryable == false)
        #expect(error?.description.hasSuffix("in place of the server; log in there") == true)
    }

    @Test("is not to blame when the known answer comes: then the server talks strangely itself")
    func innocent() async {
        let desk = Desk(isCaptive: false) { _ in Self.html() }
        let error = await desk.users()
        #expect(desk.checks.value == 1)
        #expect(error?.diagnosis == nil && error?.fault == .server)
        #expect(error?.description.contains("not JSON") == true || error?.phase == .map)
    }

    @Test("is not looked for when a status says that the server failed, nor after JSON")
    func unsuspected() async {
        for status in [502, 503, 404, 403] as [Int] {
            let desk = Desk { _ in Self.html(status: .init(code: status)) }
            let error = await desk.users()
            #expect(error?.status == status && error?.diagnosis == nil)
            #expect(desk.checks.value == 0)
        }
        for text in [#"{"response":7}"#, #"{"response":[{"id":1}"#] {
            let desk = Desk { _ in Self.html(text, type: "application/json") }
            #expect(await desk.users()?.diagnosis == nil)
            #expect(desk.checks.value == 0)
        }
        // Many servers call their JSON so.
        let desk = Desk { _ in Self.html(#"{"response":7}"#) }
        #expect(await desk.users()?.reason == .unexpectedReply)
        #expect(desk.checks.value == 0)
    }

    @Test("is not looked for where nobody says how, nor after pages that are the value")
    func unasked() async throws {
        let error = await Desk(knowsPortals: false) { _ in Self.html() }.users()
        #expect(error?.phase == .map && error?.diagnosis == nil)
        let desk = Desk { _ in Self.html() }
        let file = try await desk.manager.operation(UsersRequests.file(name: "a")).value
        #expect(file.count == Self.page.utf8.count)
        #expect(desk.checks.value == 0)
    }

    @Test("is looked for once for many calls")
    func shared() async {
        let desk = Desk { _ in Self.html() }
        await withTaskGroup(of: APIError?.self) { group in
            for _ in 0..<20 { group.addTask { await desk.users() } }
            for await error in group { #expect(error?.diagnosis?.isCaptive == true) }
        }
        #expect(desk.checks.value == 1)
    }

    @Test("is told by a page in place of a stream")
    func stream() async {
        let desk = Desk { _ in Self.html() }
        let call = desk.manager.operation(EngineRequests.events())
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
