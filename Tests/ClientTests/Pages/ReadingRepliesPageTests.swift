import Foundation
import GalleryClient
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("The pages on methods and on running calls")
struct RunningPageTests {
    @Test("the pages on methods and on running calls make calls by their names")
    func methods() async throws {
        let gallery = makeGallery()
        let picture = try await gallery.pictures.get(id: 7).value
        let dusk = try await gallery.pictures.rename(id: 7, title: "Dusk").value
        #expect(picture == dusk)
    }

    @Test("the pages on methods and on running calls let one call differ")
    func options() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .serviceUnavailable) }
        let gallery = makeGallery(transport)
        await #expect(throws: APIError.self) {
            let options = CallOptions(timeouts: Timeouts(silence: .seconds(5)), retry: .never)
            let pictures = try await gallery.pictures.list(options: options).value
            #expect(pictures.isEmpty)
        }
        #expect(transport.requests.map(\.request.timeout) == [.seconds(5)])
    }
}

@Suite("The page on reading replies")
struct ReadingRepliesPageTests {
    private let label = Display()

    @Test("the page on reading replies gives the head of a reply")
    func head() async throws {
        let count = try #require(HTTPField.Name("X-Total-Count"))
        let gallery = makeGallery(InMemoryTransport { _ in .json("[]", fields: [count: "41"]) })
        let response = try await gallery.pictures.list().response
        let total = HTTPField.Name("X-Total-Count").flatMap { response.head?.headerFields[$0] }
        label.show(response.value.count, response.head?.status.code, total)
        #expect(label.lines == ["0 200 41"])
    }

    @Test("the page on reading replies tells what was left out of a value")
    func skipped() async throws {
        let gallery = makeGallery(InMemoryTransport { _ in .json("[]") })
        let page = try await gallery.pictures.list().response
        label.show(page.value.count, page.skipped.count, page.skipped.violations.first?.path)
        #expect(label.lines == ["0 0 –"])
    }

    @Test("the page on reading replies changes a field of a value")
    func change() async throws {
        let gallery = makeGallery()
        let received = try await gallery.pictures.get(id: 7).value
        var picture = try await gallery.pictures.get(id: 7).value
        picture.title = "Dawn"
        #expect(picture != received)
    }

    @Test("the page on reading replies reads any JSON")
    func json() {
        let facts: JSONValue = ["name": "Ann", "tags": ["a", "b"], "age": 41]
        label.show(facts["name"]?.asString, facts["tags"]?[1]?.asString, facts["age"]?.asInt)
        #expect(label.lines == ["Ann b 41"])
    }

    @Test("the page on reading replies reads a model and writes JSON outside of a call")
    func models() {
        let bytes = Array(#"{"picture": {"id": 7, "title": "Dusk"}}"#.utf8)
        let result = JSONReader.read(bytes, at: ["picture"]) { json in Picture.read(from: &json) }
        label.show(result.value?.title, result.violations.isEmpty)

        var json = JSONWriter()
        json.beginObject()
        json.field("title", "Dusk")
        json.field("tags", ["evening", "sea"])
        json.endObject()
        label.show(String(decoding: json.bytes, as: UTF8.self), json.violations.isEmpty)

        #expect(
            label.lines == ["Dusk true", #"{"title":"Dusk","tags":["evening","sea"]} true"#])
    }
}

@Suite("The page on logins")
struct LoginsPageTests {
    struct DeviceRefresher: CredentialRefresher {
        let newToken: @Sendable (_ old: Credential?) async throws -> String

        func refresh(_ old: Credential?) async throws -> Credential {
            Credential(token: try await newToken(old), values: old?.values ?? [:])
        }
    }

    private let loginScreen = LoginScreen()

    /// A gallery that takes the token `fresh` only.
    private let transport = InMemoryTransport { request in
        request.head.headerFields[.authorization] == "Bearer fresh"
            ? .json("[]") : .bytes(status: .unauthorized)
    }

    @Test("the page on logins keeps a token, and asks for another")
    func token() async throws {
        try await withPath { path in
            let gallery = APIManager<Gallery>(transport: transport, credentials: .file(path)) {
                $0.refresher = .app { _ in try await loginScreen.credential() }
            }
            try await gallery.logIn(Credential(token: "t0k3n"))
            #expect(try await gallery.pictures.list().value == [])
            #expect(try await gallery.credentials.read()?.token == "fresh")
        }
    }

    @Test("the page on logins has a refresher of one's own")
    func refresher() async throws {
        let gallery = APIManager<Gallery>(
            transport: transport, credentials: .memory(Credential(token: "old"))
        ) { $0.refresher = DeviceRefresher { _ in "fresh" } }
        #expect(try await gallery.pictures.list().value == [])
    }

    @Test("the page on logins refreshes with the request of the spec")
    func declared() async throws {
        let service = TokenService()
        let (access, refresh) = (service.issue().access, service.issue().refresh)
        let pictures = service.protecting { _ in .text("[]") }
        let gallery = APIManager<Gallery>(
            transport: InMemoryTransport(serving: { request in
                request.path == "/token" ? service.refresh(request) : pictures(request)
            }))
        service.expireAccessTokens()
        try await gallery.logIn(Credential(token: access, refreshToken: refresh))
        #expect(try await gallery.pictures.list().value == [])
        #expect(service.counts.refreshes == 1)
    }
}
