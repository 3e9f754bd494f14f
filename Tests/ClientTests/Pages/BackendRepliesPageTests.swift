import BackendClient
import Foundation
import HTTPTypes
import InstagramClient
import TelexRuntime
import TelexTesting
import Testing
import VKClient

/// A reply of the backend, with which most of its calls fail.
private func failure(_ code: String, _ more: String = "") -> TransportReply {
    .json(#"{"error": {"code": "\#(code)", "message": "no"\#(more)}}"#, status: .badRequest)
}

@Suite("The page on replies and errors")
struct RepliesAndErrorsPageTests {
    private let screen = Display()
    private let email = "ann@example.com"
    private let password = "correct horse"

    @Test(
        "the page on replies and errors tells failures apart",
        arguments: [
            (failure("wrong_password"), "Wrong password"),
            (failure("invalid_input", #", "fields": {"email": ["too long"]}"#), "too long"),
            (.bytes(status: .notFound), "No such account"),
        ])
    func failures(_ reply: TransportReply, _ words: String) async throws {
        let backend = APIManager<Backend>(transport: InMemoryTransport { _ in reply })
        do {
            _ = try await backend.accounts.signIn(email: email, password: password).value
        } catch let error as APIError where error.code(in: Backend.self) == .wrongPassword {
            screen.show("Wrong password")
        } catch let error as APIError where error.code(in: Backend.self) == .invalidInput {
            let input = error.detail(as: InvalidInput.self)
            screen.show(input?.fields["email"]?.first)
        } catch let error as APIError where error.reason == .status(404) {
            screen.show("No such account")
        }
        #expect(screen.lines == [words])
    }

    @Test("the page on replies and errors reads and writes a model outside of a call")
    func notice() throws {
        let label = screen
        let text = #"{"user_id": "123e4567-e89b-42d3-a456-426614174000", "text": "Hi"}"#
        let notice = try Notice(json: text)
        let same = try Notice(json: notice.jsonValue())
        label.show(same.text, try notice.jsonBytes().count)
        #expect(label.lines == ["Hi 62"])
    }
}

@Suite("The pages on servers and on the API file")
struct ServersPageTests {
    @Test("the pages choose a server of the spec, or another")
    func servers() async throws {
        let transport = InMemoryTransport { _ in .json(#"{"response": []}"#) }
        let local = APIManager<VK>(transport: transport) {
            $0.server = .named("local", ["port": "9090"])
        }
        let staging = APIManager<VK>(transport: transport) {
            $0.server = .url("https://staging.vk.example/method/")
            $0.servers = ["oauth": .url("https://oauth.staging.vk.example/")]
        }
        try await local.logIn(Credential(token: "t"))
        try await staging.logIn(Credential(token: "t"))
        _ = try await local.users.get().value
        _ = try await staging.users.get().value
        _ = try? await staging.auth.logout().value
        let hosts = transport.requests.map(\.head.authority)
        #expect(
            hosts == ["127.0.0.1:9090", "staging.vk.example", "oauth.staging.vk.example"])
    }

    @Test("the pages on servers and on the API file give a value of every request once")
    func parameters() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .badRequest) }
        let instagram = APIManager<Instagram>(
            transport: transport, parameters: Instagram.Parameters(clientID: "my-app"))
        try await instagram.logIn(Credential(token: "t"))
        _ = try? await instagram.users.current().value
        #expect(transport.requests.first?.head.path?.contains("client_id=my-app") == true)
    }
}

@Suite("The page on logins, with the backend")
struct BackendLoginsPageTests {
    private let email = "ann@example.com"
    private let password = "correct horse"
    private let apiKey = "k3y"

    private static let session = """
        {"token": "0123456789abcdef", "expires_at": "2099-01-01T00:00:00Z", "user": {
        "id": "123E4567-E89B-42D3-A456-426614174000", "version": "1", "first_name": "Ann",
        "last_name": "A", "email": "ann@example.com", "role": "member", "phone": null,
        "birthday": null, "credit_limit": null, "created_at": "2020-01-01T00:00:00Z",
        "settings": {}, "tags": []}}
        """

    /// A backend that takes every password, and whose other calls are found nowhere.
    private let transport = InMemoryTransport { request in
        switch request.head.path {
        case "/v1/sessions": .json(session, fields: [.setCookie: "sid=c00k1e; HttpOnly"])
        case "/v1/sessions/current": .bytes(status: .noContent)
        default: .bytes(status: .notFound)
        }
    }

    /// The token of the last request.
    private var sentToken: String? {
        transport.requests.last?.head.headerFields.first { $0.name.rawName == "X-Api-Auth-Token" }?
            .value
    }

    @Test("the page on logins gives a key as a credential")
    func key() async throws {
        let keyed = APIManager<Backend>(
            transport: transport, credentials: .memory(Credential(token: apiKey)))
        _ = try? await keyed.users.list().value
        #expect(sentToken == "k3y")
    }

    @Test("the page on logins encodes a name and a password")
    func basic() async throws {
        let (name, backend) = ("Aladdin", APIManager<Backend>(transport: transport))
        let password = "open sesame"
        try await backend.logIn(Credential(user: name, password: password))
        _ = try? await backend.users.list().value
        #expect(sentToken == "QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test("the page on logins makes a credential of a reply")
    func reply() async throws {
        let backend = APIManager<Backend>(transport: transport)
        let session = try await backend.accounts.signIn(email: email, password: password).value
        try await backend.logIn(
            Credential(
                token: session.token, values: ["user_id": session.user.id.uuidString],
                expiry: session.expiresAt))
        _ = try? await backend.users.list().value
        #expect(sentToken == "0123456789abcdef")
        try await backend.logOut(backend.accounts.signOut())
        #expect(sentToken == "0123456789abcdef")
        #expect(try await backend.credentials.read() == nil)
    }

    @Test("the page on logins makes a credential of a cookie")
    func cookie() async throws {
        let backend = APIManager<Backend>(transport: transport)
        let head = try await backend.accounts.signIn(email: email, password: password).response.head
        let cookies = head?.headerFields[values: .setCookie] ?? []
        if let cookie = cookies.first(where: { $0.hasPrefix("sid=") }) {
            let sid = cookie.dropFirst("sid=".count).prefix { $0 != ";" }
            try await backend.logIn(Credential(token: String(sid)))
        }
        _ = try? await backend.users.list().value
        #expect(sentToken == "c00k1e")
    }
}

@Suite("The page on reading replies, with the backend")
struct BackendRepliesPageTests {
    @Test("the page on reading replies keeps, sets and clears a value")
    func nullable() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .badRequest) }
        let backend = APIManager<Backend>(
            transport: transport, credentials: .memory(Credential(token: "t")))
        let id = UUID()
        let keep = backend.users.update(id: id, firstName: "Ann")
        let set = backend.users.update(id: id, phone: .value("+491701234567"))
        let clear = backend.users.update(id: id, phone: .null)
        for update in [keep, set, clear] { _ = try? await update.value }
        #expect(
            transport.requests.map(\.text) == [
                #"{"first_name":"Ann"}"#, #"{"phone":"+491701234567"}"#, #"{"phone":null}"#,
            ])
    }
}
