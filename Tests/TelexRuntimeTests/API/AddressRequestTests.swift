import Foundation
import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A request that no method describes")
struct AddressRequestTests {
    private let words = Array("a picture".utf8)

    @Test("an undescribed request keeps its address and its fields, and has nothing of the API's")
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

    @Test("a request that no method describes has parameters, and a model as its value")
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

    @Test("an undescribed request takes run-time names in their order, encoded for their place")
    func namesAtRunTime() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        let values: Properties = [
            "user ids": ["1", "2"], "count": 20, "at": ["lat": 1.5], "all": true, "x&y": "a=b",
        ]
        let name = "pho" + "to"
        let calls = [
            manager.operation(address: "https://pictures.test/") { $0.query(values) },
            manager.operation(address: "https://pictures.test/") {
                $0.query(["ids": [1, 2]], list: .joined(","))
            },
            manager.operation(.post, address: "https://pictures.test/") { $0.form(values) },
            manager.operation(.put, address: "https://pictures.test/") { $0.json(values) },
            manager.operation(.post, address: "https://pictures.test/") {
                $0.form(["title": "Dusk"])
                $0.part(name, UploadFile(bytes: [1], name: "a.txt", type: "text/plain"))
            },
        ]
        for call in calls { _ = try await call.value }
        let sent = transport.requests
        let pairs = "all=true&at%5Blat%5D=1.5&count=20&user%20ids=1&user%20ids=2&x%26y=a%3Db"
        #expect(sent[0].head.path == "/?\(pairs)")
        #expect(sent[1].head.path == "/?ids=1,2")
        #expect(sent[2].form["x&y"] == "a=b" && sent[2].form["at[lat]"] == "1.5")
        let json =
            #"{"all":true,"at":{"lat":1.5},"count":20,"user ids":["1","2"],"x&y":"a=b"}"#
        #expect(sent[3].text == json)
        #expect(sent[4].text.contains(#"name="title""#) && sent[4].text.contains(#"name="photo";"#))
    }

    @Test("an undescribed request refuses a run-time header name that is none, before it is sent")
    func badFieldName() async {
        let (manager, transport) = tiny { _ in .bytes() }
        let call = manager.operation(address: "https://pictures.test/") { $0.header("a b", 1) }
        let error = await failure(call)
        #expect(error?.violations.first?.expected == "the name of a header field")
        #expect(transport.requests.isEmpty)
    }

    @Test("an undescribed request writes its reply to a file, and resumes after a lost connection")
    func download() async throws {
        try await withFile { path in
            let document = FileOnServer([UInt8](repeating: 7, count: 3000), entityTag: "\"1\"")
            document.cutNextReply(after: 1000)
            let transport = InMemoryTransport(serving: document.answer)
            let manager = TestAPI.manager(TinyAPI.definition, transport: transport)
            let file = try await manager.operation(
                address: "https://pictures.test/a", to: path, fields: [.accept: "image/*"],
                options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero)))
            ) { $0.query(["size": 2]) }.value
            #expect(file.bytes == 3000 && document.bodyBytesSent == 3000)
            #expect(try Data(contentsOf: URL(filePath: path)).count == 3000)
            let head = transport.requests.last?.head
            #expect(head?.path == "/a?size=2" && head?.headerFields[.accept] == "image/*")
            #expect(head?.headerFields[.authorization] == nil)
        }
    }

    @Test("an undescribed request downloads nothing by an empty path, bad address or bad status")
    func badDownload() async throws {
        try await withFile { path in
            let (manager, transport) = tiny { [words] _ in .bytes(words, status: .notFound) }
            let unnamed = await failure(manager.operation(address: "https://a.test/", to: ""))
            let user = await failure(
                manager.operation(address: "https://ann:pw@a.test/", to: path))
            #expect(unnamed?.violations.map(\.path) == ["to"])
            #expect(
                user?.violations.map(\.expected)
                    == ["an http or https address without a user name"])
            #expect(user?.description.contains("pw") == false && transport.requests.isEmpty)
            let lost = await failure(manager.operation(address: "https://a.test/", to: path))
            #expect(lost?.status == 404 && lost?.body == words)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("a request that no method describes sends the files and fields of a multipart body")
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

    @Test("an undescribed request sends a body once, with its media type, by any method")
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

    @Test("an undescribed request has the token only if it is to, and only for the API's server")
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
        "a request that no method describes fails before it is sent if the address is invalid",
        arguments: ["", "a/b", "http://a.test", "file:///etc/passwd"])
    func badAddress(_ address: String) async {
        let (manager, transport) = tiny { _ in .bytes() }
        let error = await failure(manager.operation(address: address, name: "picture"))
        #expect(error?.reason == .invalidRequest && error?.method == "picture")
        #expect(transport.requests.isEmpty)
    }

    @Test("an undescribed request fails with any other status; the error holds the reply's bytes")
    func status() async {
        let (manager, _) = tiny { [words] _ in .bytes(words, status: .notFound) }
        let error = await failure(manager.operation(address: "https://pictures.test/"))
        #expect(error?.reason == .status(404) && error?.body == words)
    }
}
