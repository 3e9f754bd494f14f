import Foundation
import HTTPTypes
import RuntimeTestSupport
import TelexFoundation
import TelexRuntime
import TelexTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A URLRequest as an operation")
struct URLRequestOperationTests {
    private let transport = InMemoryTransport { _ in .bytes(Array("a picture".utf8)) }

    private var manager: APIManager<TestAPI> {
        TestAPI.manager(
            APIDefinition(
                name: "Test", servers: [Server("main", "https://test.test/")],
                auth: AuthRules(token: .bearer), retry: .never),
            transport: transport, credentials: .memory(Credential(token: "s3cr3t-t0k3n")))
    }

    private func request(
        _ address: String = "https://pictures.test/a%20b?size=2", method: String = "GET"
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = method
        return request
    }

    private func error(_ request: URLRequest) async -> APIError? {
        await #expect(throws: APIError.self) { try await manager.operation(request).value }
    }

    @Test("a URLRequest's operation has its method, address, header fields and the reply's bytes")
    func plain() async throws {
        var request = try request(method: "PROPFIND")
        request.setValue("image/*", forHTTPHeaderField: "Accept")
        #expect(
            try await manager.operation(request, name: "picture").value
                == Data("a picture".utf8))
        let head = try #require(transport.requests.first?.head)
        #expect(head.method.rawValue == "PROPFIND" && head.authority == "pictures.test")
        #expect(head.path == "/a%20b?size=2" && head.headerFields == [.accept: "image/*"])
    }

    @Test("a URLRequest as an operation has the body, of its own media type or none in particular")
    func body() async throws {
        var request = try request(method: "POST")
        request.httpBody = Data("a=1".utf8)
        _ = try await manager.operation(request).value
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "content-type")
        _ = try await manager.operation(request).value
        #expect(transport.requests.map(\.text) == ["a=1", "a=1"])
        #expect(
            transport.requests.map { $0.head.headerFields[fields: .contentType].map(\.value) } == [
                ["application/octet-stream"], ["application/x-www-form-urlencoded"],
            ])
    }

    @Test("a URLRequest carries the token only if it is to, and only to the API's server")
    func token() async throws {
        let calls = [
            manager.operation(try request("https://test.test/a")),
            manager.operation(try request("https://test.test/a"), auth: .required),
            manager.operation(try request(), auth: .required),
        ]
        for call in calls { _ = try await call.value }
        let fields = transport.requests.map { $0.head.headerFields[.authorization] }
        #expect(fields == [nil, "Bearer s3cr3t-t0k3n", nil])
    }

    @Test(
        "a URLRequest as an operation refuses a header field that the transport sets",
        arguments: ["Content-Length", "Host"])
    func ownedField(_ name: String) async throws {
        var request = try request()
        request.setValue("5", forHTTPHeaderField: name)
        let error = await error(request)
        #expect(error?.phase == .build)
        #expect(error?.description.contains("`\(name)` is set by the transport") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "a URLRequest's operation refuses user names in an address, and all but web addresses",
        arguments: ["https://ann:pw@pictures.test/", "file:///etc/passwd", "a/b"])
    func address(_ address: String) async throws {
        let error = await error(try request(address))
        #expect(error?.reason == .invalidRequest)
        #expect(
            error?.violations.map(\.expected) == ["an http or https address without a user name"])
        #expect(error?.description.contains("pw") == false && transport.requests.isEmpty)
    }

    @Test("a URLRequest as an operation refuses a stream as the body, and a method that is none")
    func stream() async throws {
        var request = try request(method: "POST")
        request.httpBodyStream = InputStream(data: Data("a".utf8))
        let streamed = await error(request)
        #expect(streamed?.violations.map(\.path) == ["httpBodyStream"])
        let unnamed = await error(try self.request(method: "GET IT"))
        #expect(unnamed?.violations.map(\.path) == ["httpMethod"])
        #expect(transport.requests.isEmpty)
    }
}
