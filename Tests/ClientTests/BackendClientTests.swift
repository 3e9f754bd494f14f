import BackendClient
import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("The generated client of the backend")
struct BackendClientTests {
    private let id = UUID(uuidString: "123E4567-E89B-42D3-A456-426614174000") ?? UUID()

    private func backend(_ transport: InMemoryTransport) -> APIManager<Backend> {
        APIManager<Backend>(
            transport: transport, credentials: .memory(Credential(token: "0123456789abcdef")))
    }

    @Test("the generated client of the backend distinguishes a null member from an absent one")
    func patch() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .internalServerError) }
        let update = backend(transport).users.update(id: id, firstName: "Ada", phone: .null)
        await #expect(throws: APIError.self) { try await update.value }
        let request = try #require(transport.requests.first)
        #expect(request.text == #"{"first_name":"Ada","phone":null}"#)
        #expect(request.head.path == "/v1/users/123e4567-e89b-42d3-a456-426614174000")
        let token = request.head.headerFields.first { $0.name.rawName == "X-Api-Auth-Token" }
        #expect(token?.value == "0123456789abcdef")
    }

    @Test("the client of the backend sends no value that breaks a rule, and shows no secret")
    func rules() async throws {
        let transport = InMemoryTransport { _ in .json("{}") }
        let call = backend(transport).accounts.signIn(email: "nobody", password: "hunter2")
        do {
            _ = try await call.value
            Issue.record("the call succeeded")
        } catch let error as APIError {
            #expect(error.violations.map(\.path) == ["email", "password"])
            #expect(!"\(error)".contains("hunter2"))
        }
        #expect(transport.requests.isEmpty)
    }

    private static let person = """
        "id": "123E4567-E89B-42D3-A456-426614174000", "version": "1", "first_name": "Ada",
        "last_name": "L", "email": "a@b.de", "role": "member", "phone": null, "birthday": null,
        "credit_limit": null, "created_at": "2020-01-01T00:00:00Z", "settings": {}
        """

    @Test("the generated client checks a rule between fields of a reply when the object is whole")
    func pageRule() async throws {
        let page =
            #"{"users": [{\#(Self.person), "tags": []}], "page": 1, "total": 0, "by_role": {}}"#
        let transport = InMemoryTransport { _ in .json(page) }
        let list = backend(transport).users.list()
        let error = await #expect(throws: APIError.self) { try await list.value }
        let violation = try #require(error?.violations.first)
        #expect(violation.path == "users" && violation.rule == "total")
        #expect(violation.message == "A page has no more users than all.")
        #expect(violation.found == "`users`, `total` 0")
        let broken = page.replacing(#""total": 0, "#, with: "")
        let partial = backend(InMemoryTransport { _ in .json(broken) }).users.list()
        let other = await #expect(throws: APIError.self) { try await partial.value }
        #expect(other?.violations.map(\.rule) == ["required"])
    }

    @Test("the client of the backend leaves out unreadable elements and tells so, without secrets")
    func skipped() async throws {
        let page = """
            {"users": [{\(Self.person), "tags": []}, {\(Self.person), "tags": ["a", "a"]}, null,
             {\(Self.person.replacing("a@b.de", with: "0123456789abcdef")), "tags": []}],
             "page": 1, "total": 4, "by_role": {}}
            """
        let transport = InMemoryTransport { _ in .json(page) }
        let response = try await backend(transport).users.list().response
        #expect(response.value.users.map(\.firstName) == ["Ada"])
        #expect(response.skipped.count == 3)
        #expect(
            response.skipped.violations.map { "\($0.path): \($0.rule)" } == [
                "users[1].tags: unique", "users[2]: type", "users[3].email: format",
            ])
        // The server repeated the token.
        #expect(!"\(response.skipped)".contains("0123456789abcdef"))
    }

    @Test(
        "the backend's client fails if what is left of a page is not enough, or is not JSON",
        arguments: [
            #"{"users": null, "page": 1, "total": 4, "by_role": {}}"#,
            #"{"users": [{}}], "page": 1, "total": 4, "by_role": {}}"#,
            #"{"users": [{}], "total": 4, "by_role": {}}"#,
        ])
    func invalidPage(page: String) async throws {
        let transport = InMemoryTransport { _ in .json(page) }
        let call = backend(transport).users.list()
        await #expect(throws: APIError.self) { try await call.response }
    }

    @Test("the generated client of the backend reads and writes a model that no method uses")
    func push() throws {
        #expect(throws: ValidationReport.self) { try Notice(json: ["user_id": "1", "text": "Hi"]) }
        let notice = try Notice(json: ["user_id": .string(id.uuidString), "text": "Hi"])
        #expect(notice.userID == id)
        #expect(try Notice(json: notice.jsonBytes()).text == "Hi")
    }

    @Test("the client keeps a codable model in any format, with the keys and rules of the API")
    func codable() throws {
        let text = """
            {"token": "0123456789abcdef", "expires_at": "2020-01-01T00:00:00Z",
             "user": {\(Self.person), "tags": ["a"]}}
            """
        let session = try JSONDecoder().decode(Session.self, from: Data(text.utf8))
        let stored = try PropertyListEncoder().encode(session)
        let read = try PropertyListDecoder().decode(Session.self, from: stored)
        #expect(read.token == "0123456789abcdef")
        #expect(read.expiresAt == session.expiresAt)
        #expect(read.user.tags == ["a"])
        let short = Data(text.replacing("0123456789abcdef", with: "secret").utf8)
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Session.self, from: short)
        }
        #expect(!"\(String(describing: error))".contains("secret"))
    }

    @Test("the generated client of the backend expects no body where the spec promises none")
    func nothing() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .noContent) }
        try await backend(transport).users.delete(id: id).value
        #expect(transport.requests.first?.head.method == .delete)
    }
}
