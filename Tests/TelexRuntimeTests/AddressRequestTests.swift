import Foundation
import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A request that no method describes")
struct AddressRequestTests {
    private let words = Array("a picture".utf8)

    @Test("goes to the address as it is, with its fields and nothing of the API's")
    func plain() async throws {
        let (manager, transport) = tiny { [words] _ in .bytes(words) }
        let call = manager.operation(
            address: "https://pictures.test/a%20b?size=2", fields: [.accept: "image/*"])
        #expect(transport.requests.isEmpty && call.state == .ready)
        #expect(try await call.value == Data(words))
        let head = try #require(transport.requests.first?.head)
        #expect(head.method == .get && head.authority == "pictures.test")
        #expect(head.path == "/a%20b?size=2")
        #expect(head.headerFields == [.accept: "image/*"])
    }

    @Test("has parameters, and a model as its value")
    func typed() async throws {
        let (manager, transport) = tiny { _ in
            .json(#"{"items":[{"id":"1","name":"Ada"}]}"#)
        }
        let call = manager.operation(
            address: "https://pictures.test/a?size=2", returning: [User].self, unwrap: ["items"]
        ) {
            $0.query("limit", 20)
            $0.header("X-Kind", "small")
        }
        #expect(try await call.value.map(\.name) == ["Ada"])
        let head = try #require(transport.requests.first?.head)
        #expect(head.path == "/a?size=2&limit=20" && head.authority == "pictures.test")
        #expect(head.headerFields[HTTPField.Name("X-Kind")!] == "small")
        let form = manager.operation(.post, address: "https://pictures.test/") {
            $0.form("title", "a b")
        }
        _ = try await form.value
        #expect(transport.requests.last?.body == Array("title=a+b".utf8))
    }

    @Test("sends the files and fields of a multipart body")
    func multipart() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        let file = UploadFile(bytes: words, name: "words.txt", type: "text/plain")
        let call = manager.operation(.post, address: "https://pictures.test/") {
            $0.part("title", "Dusk")
            $0.part("photo", file)
        }
        _ = try await call.value
        let body = String(decoding: transport.requests.first?.body ?? [], as: UTF8.self)
        #expect(body.contains("name=\"title\"") && body.contains("filename=\"words.txt\""))
        let type = transport.requests.first?.head.headerFields[.contentType]
        #expect(type?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test("sends a body once, with its media type, by any method")
    func body() async throws {
        let (manager, transport) = tiny { _ throws(TransportError) in
            throw TransportError(.connectionLost, "gone")
        }
        let method = try #require(HTTPRequest.Method("NOTIFY"))
        let call = manager.operation(
            method, address: "https://pictures.test/",
            body: UploadFile(bytes: words, name: "words.txt", type: "text/plain"),
            options: TestClient.retrying)
        #expect(await failure(call)?.reason != nil)
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.head.method == method)
        #expect(transport.requests.first?.head.headerFields[.contentType] == "text/plain")
        #expect(transport.requests.first?.body == words)
    }

    @Test("carries the token only if it is to, and only to the API's server")
    func token() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        for (address, auth) in [
            ("https://api.tiny.test/a", Endpoint.Auth.none), ("https://api.tiny.test/a", .required),
            ("https://pictures.test/a", .required),
        ] {
            _ = try await manager.operation(address: address, auth: auth).value
        }
        let shown = transport.requests.map { $0.head.path?.contains(secret) == true }
        #expect(shown == [false, true, false])
    }

    @Test(
        "fails before it is sent if the address is invalid",
        arguments: ["", "a/b", "http://a.test", "file:///etc/passwd"])
    func badAddress(_ address: String) async {
        let (manager, transport) = tiny { _ in .bytes() }
        let error = await failure(manager.operation(address: address, name: "picture"))
        #expect(error?.reason == .invalidRequest && error?.method == "picture")
        #expect(transport.requests.isEmpty)
    }

    @Test("fails with any other status, and the error holds the bytes of that reply")
    func status() async {
        let (manager, _) = tiny { [words] _ in .bytes(words, status: .notFound) }
        let error = await failure(manager.operation(address: "https://pictures.test/"))
        #expect(error?.reason == .status(404) && error?.body == words)
    }
}
