import BackendClient
import Foundation
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

    @Test("distinguishes a null member from an absent one")
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

    @Test("sends no value that breaks a rule, and shows no secret")
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

    @Test("expects no body where the spec promises none")
    func nothing() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .noContent) }
        try await backend(transport).users.delete(id: id).value
        #expect(transport.requests.first?.head.method == .delete)
    }
}
