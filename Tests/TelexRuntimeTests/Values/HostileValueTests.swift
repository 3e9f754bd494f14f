import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexDownloads
@testable import TelexRuntime
@testable import TelexTransport

private let server = Address(scheme: "https", authority: "h", path: "/", query: nil)

/// Returns a template that a closure builds.
private func made(
    _ method: TinyAPI.APIMethod = .ping, _ build: (inout RequestBuilder) -> Void
) -> RequestTemplate {
    var request = RequestBuilder(method)
    build(&request)
    return request.template
}

/// An object with a sensitive member, which no header field can hold.
private struct Login: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("pin", "hunter2\n", sensitive: true)
        json.endObject()
    }
}

@Suite("Values from outside")
struct HostileValueTests {
    // MARK: Facts of the credential

    @Test("a value of the credential leads to no other path", arguments: ["", ".", ".."])
    func path(_ fact: String) throws {
        let template = made(.file) { $0.path("name", String?.none, orCredential: "user_id") }
        let credential = Credential(token: "t", values: ["user_id": fact])
        let error = #expect(throws: Violation.self) {
            try template.address(on: server, credential)
        }
        #expect(error?.path == "name" && error?.rule == "path")
    }

    @Test(
        "a value with slashes leads to no other path, also by its escapes",
        arguments: [
            "..", "a/../b", "a/..", "%2e%2e/a", "a/%2E./b", "a%2F..%2fb", "/a", "%2Fa", "", "./a",
        ])
    func escapes(_ value: String) {
        var request = RequestBuilder("m", .get, "files/{+name}")
        request.path("name", value)
        #expect(request.template.violations.map(\.rule) == ["path"], "\(value)")
    }

    @Test(
        "a value in a path adds neither a segment, a query item nor a fragment",
        arguments: [
            "a?b=c", "a#b", "..;/x", ".;?", "a;b/../c", "%2e%2e/x", "\\..\\x", "a\u{0}\r\nb",
        ])
    func oneSegment(_ value: String) throws {
        var request = RequestBuilder("m", .get, "files/{name}/end")
        request.path("name", value)
        let address = try request.template.address(on: server, nil)
        let pieces = address.path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(pieces.count == 4 && address.query == nil && !address.text.contains("#"))
        #expect(PercentEncoding.decode(pieces[2]) == value)
        #expect(!["", ".", ".."].contains(pieces[2].prefix { $0 != ";" }))
    }

    @Test(
        "a short secret in a path is found, whatever it contains", arguments: ["a=b", "a&", "=="])
    func shortSecret(_ secret: String) throws {
        let template = made(.file) { $0.path("name", secret, sensitive: true) }
        let address = try template.address(on: server, nil)
        #expect(template.containsSecret(in: address, credential: nil, placement: nil))
    }

    @Test(
        "a value of the credential is in a header field unchanged or not at all",
        arguments: ["7\r\nX-Admin: 1", "7\n", " 7", "\u{0}"])
    func header(_ fact: String) throws {
        let template = made { $0.header("X-User", String?.none, orCredential: "user_id") }
        let credential = Credential(token: "t", values: ["user_id": fact])
        let error = #expect(throws: Violation.self) { try template.fields(nil, credential) }
        #expect(error?.path == "X-User" && error?.found == Redactor.mark)
    }

    @Test(
        "a token is one cookie and its whole value",
        arguments: ["a; admin=1", ";", "a;"])
    func cookie(_ token: String) throws {
        let template = made { _ in }
        #expect(throws: Violation.self) {
            try template.fields(.cookie("sid"), Credential(token: token))
        }
    }

    // MARK: Whole addresses

    @Test(
        "a text in a path is one path segment, whatever it contains",
        arguments: ["https://evil.test/x", "//evil.test", "http:/x"])
    func addressInPath(_ text: String) throws {
        let template = made(.upload) { $0.path("upload_url", text) }
        let address = try template.address(on: server, nil)
        #expect(address.authority == server.authority)
        #expect(address.path.split(separator: "/").last == PercentEncoding.segment(text[...])[...])
        #expect(!template.isWholeAddress && template.wholeAddress == nil)
    }

    @Test(
        "an invalid address fails the call before it is sent",
        arguments: ["/up", "//other.test/up", "mailto:a@b", "http:/x", "ftp://a.test/", "up", ""])
    func noAddress(_ text: String) async {
        let (manager, transport) = tiny { _ in .bytes() }
        let file = UploadFile(bytes: [1], name: "a.txt")
        let error = await failure(manager.operation(UsersRequests.upload(to: text, file)))
        #expect(error?.reason == .invalidRequest)
        #expect(error?.violations.first?.path == "upload_url")
        #expect(transport.requests.isEmpty)
    }

    @Test("an invalid number is reported once, also as a path segment")
    func noNumber() {
        for number in [Double.nan, .infinity] {
            let template = made(.file) { $0.path("name", number) }
            #expect(template.violations.map(\.rule) == ["finite"])
        }
    }

    // MARK: What errors show

    @Test("an error is one line, whatever header field or file it shows")
    func lines() throws {
        let template = made(.upload) { request in
            request.header("X-A", "a\r\nX-Evil: 1")
            request.part("file", UploadFile(bytes: [1], name: "a", type: "image/png\r\nX: y"))
        }
        #expect(template.violations.map(\.rule) == ["header", "type"])
        let found = template.violations.map(\.found)
        #expect(found == [#""a\r\nX-Evil: 1""#, #""image/png\r\nX: y""#])
        let padded = made { $0.header("X-A", " a") }.violations.first
        #expect(padded?.expected.contains("without spaces at its ends") == true)
    }

    @Test("an error about a missing file says so, with its full path")
    func missingFile() async throws {
        let path = "/nowhere/at/all.png"
        let file = UploadFile(path: path)
        let template = made(.upload) { request in
            request.part("file", file)
            request.mime(file, ["image/*"])
            request.maxSize(file, 5)
        }
        let why = "No such file or directory: `\(path)`"
        #expect(template.violations.map(\.found) == [why])
        #expect(template.violations.map(\.rule) == ["readable"])
        #expect(template.violations.allSatisfy { $0.expected == "a file that can be read" })
        let (manager, _) = tiny { _ in .bytes() }
        let error = await failure(
            manager.operation(UsersRequests.upload(to: "https://a.test/", file)))
        #expect(error?.violations.map(\.found) == [why])
        #expect(error?.violations.map(\.rule) == ["readable"])
        #expect(UploadFile(path: "/a\n\u{202E}b").problem?.hasSuffix(#"`/a\n\u{202e}b`"#) == true)
        let opened = #expect(throws: TransportError.self) {
            _ = try InputFile(path: "/\n", length: 1)
        }
        #expect(opened?.message.contains(#"`/\n`"#) == true)
        #expect(UploadFile(path: "/tmp").problem == "it is not a file: `/tmp`")
    }

    @Test("a path with a NUL is not truncated, neither to look up nor to send")
    func nulInPath() async throws {
        let path = temporaryPath()
        defer { unlink(path) }
        try DiskFile.replace(path, with: Array("secret".utf8))
        let file = UploadFile(path: path + "\0.png", name: "a")
        #expect(file.size == nil && file.type == "application/octet-stream")
        #expect(file.problem?.hasPrefix("its path holds a NUL; give the path of a file") == true)
        #expect(throws: TransportError.self) {
            _ = try InputFile(path: path + "\0.png", length: 6)
        }
        let (manager, transport) = tiny { _ in .bytes() }
        let error = await failure(
            manager.operation(UsersRequests.upload(to: "https://a.test/", file)))
        #expect(error?.violations.first?.found.hasPrefix("its path holds a NUL") == true)
        #expect(transport.requests.isEmpty)
        #expect(UploadFile(path: "").problem == "its path is empty; give the path of a file: ``")
        #expect(throws: DiskFile.Problem.self) { try DiskFile.remove(path + "\0") }
        #expect(throws: DiskFile.Problem.self) { try DiskFile.move(path, to: path + "b\0") }
        #expect(DiskFile.size(path) == 6)
    }

    @Test(
        "no error shows the value of a header that carries credentials",
        arguments: ["Cookie", "X-Auth-Token", "Authorization"])
    func secretHeader(_ name: String) throws {
        let template = made { request in
            switch name {
            case "Cookie": request.header("Cookie", "sid=hunter2\n")
            case "X-Auth-Token": request.header("X-Auth-Token", "hunter2\n")
            default: request.header("Authorization", "Basic hunter2\n")
            }
        }
        let violation = try #require(template.violations.first)
        #expect(!"\(violation)".contains("hunter2"))
    }

    @Test("no error shows the sensitive part of an object in a header")
    func secretObject() throws {
        let template = made { $0.header("X-Login", Login(), list: .json) }
        let other = made { $0.header("X-Login", Login()) }
        for violation in template.violations + other.violations {
            #expect(!"\(violation)".contains("hunter2"))
        }
        #expect(!other.violations.isEmpty)
    }

    @Test("no error shows a sensitive property of the wrong type")
    func property() {
        var reader = PropertyReader(["pin": .int(5_551_234)], "ping")
        reader.hide("pin")
        let pin: String = reader.required("pin")
        #expect(pin.isEmpty)
        let isFine = reader.finish()
        let error = reader.error
        #expect(!isFine && error.violations.count == 1)
        #expect(!"\(error) \(error.violations)".contains("5551234"))
    }

    // MARK: Deep values

    @Test(
        "a value is sent or a violation at any depth, and never left out", arguments: [200, 600])
    func deep(_ depth: Int) throws {
        let deep = (0..<depth).reduce(JSONValue.int(1)) { value, _ in .array([value]) }
        let template = made { $0.query("q", deep) }
        let query = try template.address(on: server, nil).query
        #expect(query != nil || !template.violations.isEmpty)
    }

    // MARK: Replies

    @Test("a reply that declares too many bytes allocates no memory for them")
    func length() async throws {
        let chunks = Lock<ArraySlice<[UInt8]>>([[1], [2]])
        let body = ReplyBody(length: .max) { () throws(TransportError) in
            chunks.withLock { $0.popFirst() }
        }
        #expect(try await body.collect(upTo: .max) == [1, 2])
    }

    @Test("an invalid escape is decoded to itself")
    func decoding() {
        for text in ["%é", "%1é", "%", "%%", "%+1", "%４1", "a%F", "%\u{301}41"] {
            #expect(!PercentEncoding.decode(text[...]).isEmpty)
            _ = ContentDisposition.fileName("a; filename*=UTF-8''\(text)")
        }
    }
}
