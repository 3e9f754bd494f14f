import Foundation
import ProcessSupport
import TelexJSON
import TelexTemplates
import TelexTesting
import TelexURLSession
import Testing

@testable import SpecMock

/// Clients that telex did not generate.
@Suite("A mock and other clients")
struct OtherClientTests {
    private func serving(_ test: MockTest) throws -> LoopbackServer {
        var settings = LoopbackServer.Settings()
        settings.connectionLimit = 64
        settings.keepsRequests = false
        return try LoopbackServer(settings) { test.mock.answer($0) }
    }

    private static func has(_ program: String, _ arguments: String...) async -> Bool {
        let run = try? await Run.program("/usr/bin/env", [program] + arguments)
        return run?.status == 0
    }

    private static let withCurl: ConditionTrait = .enabled("curl is not installed") {
        await has("curl", "--version")
    }

    @Test("A mock answers curl, also with a part of a file", withCurl)
    func curl() async throws {
        let test = try MockTest("gallery")
        let server = try serving(test)
        defer { server.stop() }
        let address = "http://\(server.authority)/v1/pictures/7"
        let run = try await Run.program(
            "/usr/bin/env", ["curl", "-sf", "-H", "Authorization: Bearer a", address])
        #expect(run.status == 0)
        #expect(run.output.contains(#""id":7"#), "\(run.output)")
        let part = try await Run.program(
            "/usr/bin/env",
            [
                "curl", "-sf", "-o", "/dev/null", "-w", "%{http_code} %{size_download}", "-r",
                "0-99",
                "-H", "Authorization: Bearer a", address + "/original",
            ])
        #expect(part.output == "206 100")
        #expect(test.lines.count == 2)
    }

    @Test(
        "A mock answers the library requests of Python",
        .enabled("requests is not installed") { await has("python3", "-c", "import requests") })
    func python() async throws {
        let test = try MockTest("bookshelf")
        let server = try serving(test)
        defer { server.stop() }
        let script = """
            import requests
            api = requests.Session()
            url = "http://\(server.authority)/api/"
            token = api.post(url + "token/", json={"username": "a", "password": "b"}).json()
            api.headers["Authorization"] = "Bearer " + token["access"]
            book = {"isbn": "9783161484100", "title": "Notes", "genre": "novel", "price": "12.50"}
            made = api.post(url + "books/", json=book).json()
            assert api.get(url + f"books/{made['id']}/").json() == made, made
            bad = api.post(url + "books/", json={**book, "isbn": "1"})
            assert bad.status_code == 400, bad.text
            page, count = api.get(url + "books/").json(), 0
            while True:
                count += len(page["results"])
                if page["next"] is None: break
                page = api.get(page["next"]).json()
            assert count == page["count"] or count > 3, count
            print("good")
            """
        let run = try await Run.program("/usr/bin/env", ["python3", "-c", script])
        #expect(run.output == "good\n", "\(run.errors) \(test.lines)")
    }

    @Test(
        "A proxy passes calls on, reports what breaks the spec, and keeps replies as templates",
        withCurl)
    func proxy() async throws {
        let real = try LoopbackServer { request in
            request.path == "/real/account"
                ? .text(#"{"name": "Ada"}"#, fields: [.contentType: "application/json"])
                : .text(#"[{"id": "seven", "title": "x"}]"#)
        }
        defer { real.stop() }
        let store = KeptTemplates()
        let upstream = try Upstream(
            "http://\(real.authority)/real/", transport: .urlSession, store: store)
        let test = try MockTest("gallery") { $0.upstream = upstream }
        let server = try serving(test)
        defer { server.stop() }
        for path in ["account", "pictures"] {
            let run = try await Run.program(
                "/usr/bin/env", ["curl", "-sf", "http://\(server.authority)/v1/\(path)"])
            #expect(run.status == 0, "\(run.errors)")
        }
        #expect(
            test.lines.map { String($0.prefix { $0 != "(" }) } == [
                "GET /v1/account  account.get  200  kept as template",
                "GET /v1/pictures  pictures.list  200  "
                    + "[0].id: expected an integer, found \"seven\" ",
            ], "\(test.lines)")
        #expect(store.kept.withLock { $0 } == ["account.get": #"{"name": "Ada"}"#])
    }

    @Test(
        "An upstream without a scheme or a host is refused",
        arguments: ["", "a.example", "ftp://a/"])
    func badUpstream(address: String) {
        #expect(throws: MockError.self) { try Upstream(address, transport: .urlSession) }
    }

    @Test("A server with a limit of connections refuses a further one with 503", withCurl)
    func connections() async throws {
        var settings = LoopbackServer.Settings()
        settings.connectionLimit = 0
        let server = try LoopbackServer(settings) { _ in .text("ok") }
        defer { server.stop() }
        let run = try await Run.program(
            "/usr/bin/env", ["curl", "-s", "http://\(server.authority)/"])
        #expect(run.output == "too many connections\n")
    }

    @Test("A mock refuses a body that is declared as 1 GiB without waiting for it", withCurl)
    func large() async throws {
        let test = try MockTest("gallery")
        let server = try serving(test)
        defer { server.stop() }
        let run = try await Run.program(
            "/usr/bin/env",
            [
                "curl", "-s", "-H", "Content-Length: 1073741824", "-d", "x",
                "http://\(server.authority)/v1/pictures",
            ])
        #expect(run.output == "the body is too large\n", "\(run.errors)")
        #expect(test.lines.isEmpty)
    }

    @Test("A server on a port that is in use says so")
    func port() throws {
        let first = try LoopbackServer { _ in .text("ok") }
        defer { first.stop() }
        var settings = LoopbackServer.Settings()
        settings.port = first.port
        let error = #expect(throws: LoopbackError.self) {
            try LoopbackServer(settings) { _ in .text("ok") }
        }
        #expect(error?.description.hasPrefix("bind: ") == true)
    }
}

/// Templates in memory.
private final class KeptTemplates: TemplateStore {
    let kept = Lock<[String: String]>([:])

    func template(for method: String) throws -> Template? { nil }

    func record(
        _ reply: [UInt8], for method: String, mode: TemplateRecording, secrets: Set<String>
    ) async throws -> Bool {
        kept.withLock { $0[method] = String(decoding: reply, as: UTF8.self) }
        return true
    }
}
