import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// A file of these bytes, sent as the parameter `photo`.
private func upload(
    _ name: String, _ bytes: [UInt8] = [1], sensitive: Bool = false
) -> RequestTemplate {
    var request = RequestBuilder(TinyAPI.APIMethod.upload)
    request.part("photo", UploadFile(bytes: bytes, name: name), sensitive: sensitive)
    return request.template
}

extension RequestTemplate.Payload {
    fileprivate var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite("A multipart body")
struct MultipartTests {
    @Test("a multipart body is written byte for byte, quotes escaped and backslashes unchanged")
    func bytes() throws {
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        request.part("title", "é")
        request.part(
            "ph\"oto", UploadFile(bytes: [0x78], name: #"a"b\.png"#, type: "image/png"))
        let payload = try #require(
            try request.template.payload(placement: nil, credential: nil, boundary: "B"))
        #expect(payload.type == "multipart/form-data; boundary=B")
        let expected = [
            "--B", #"Content-Disposition: form-data; name="title""#, "", "é", "--B",
            #"Content-Disposition: form-data; name="ph%22oto"; filename="a%22b\.png""#,
            "Content-Type: image/png", "", "x", "--B--", "",
        ]
        #expect(payload.text == expected.joined(separator: "\r\n"))
    }

    @Test("a multipart body has a boundary of 128 random bits, new in each body")
    func boundary() throws {
        let template = upload("a")
        let types = try Set(
            (0..<100).map { _ in
                try #require(try template.payload(placement: nil, credential: nil)).type
            })
        #expect(types.count == 100)
        for type in types {
            let boundary = type.dropFirst("multipart/form-data; boundary=telex-".count)
            #expect(boundary.count == 32 && boundary.allSatisfy(\.isHexDigit))
        }
    }

    @Test("a multipart body has all digits of its boundary also if the numbers are small")
    func digits() {
        struct Counter: RandomNumberGenerator {
            var last: UInt64 = 0
            mutating func next() -> UInt64 {
                last += 1
                return last
            }
        }
        var random = Counter()
        #expect(
            Multipart.randomBoundary(from: &random) == "telex-00000000000000010000000000000002")
    }

    @Test("a multipart body cannot get another part from a file that contains an earlier boundary")
    func injection() async throws {
        let seen = try #require(try upload("a").payload(placement: nil, credential: nil))
        let path = temporaryPath()
        try DiskFile.replace(path, with: Array(seen.text.utf8))
        defer { try? DiskFile.remove(path) }
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        request.part("photo", UploadFile(path: path))
        let payload = try #require(try request.template.payload(placement: nil, credential: nil))
        var bytes: [UInt8] = []
        try await payload.body.read { bytes += $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(seen.text))
        let boundary = try #require(payload.type.split(separator: "=").last)
        #expect(text.components(separatedBy: "--\(boundary)").count == 3, "a beginning, an end")
    }

    @Test(
        "a multipart body refuses empty file names and control characters, naming the parameter",
        arguments: [
            "a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\tb", "a\u{1B}b", "a\u{7F}b", "\r\n", "",
        ])
    func fileNames(_ name: String) async {
        let (manager, transport) = tiny { _ in .bytes() }
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        request.part("photo", UploadFile(bytes: [1], name: name))
        let error = await failure(manager.operation(request.finishEmpty()))
        #expect(error?.phase == .build)
        #expect(error?.reason == .invalidRequest)
        #expect(error?.fault == .caller)
        #expect(error?.violations.map(\.path) == ["photo"])
        #expect(error?.violations.map(\.rule) == ["file-name"])
        #expect(error?.violations.first?.expected.contains("rename the file") == true)
        #expect(error?.description.contains(where: \.isASCIIControl) == false)
        #expect(transport.requests.isEmpty)
    }

    @Test("a multipart body accepts all other characters in file names")
    func fineNames() {
        for name in ["a b", #"a"\b"#, "é👩‍👧.png", "..", "a;b", "\u{A0}"] {
            #expect(upload(name).violations.isEmpty, "\(name)")
        }
    }

    @Test("a multipart body refuses field names with control characters, in any source and order")
    func fieldNames() throws {
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        request.form("early", ["a\r\nb": "1"])
        request.part("filter", ["fine": "1", "x\0y": "2"])
        request.part("photo", UploadFile(bytes: [1], name: "\n"))
        let violations = request.template.errors
        #expect(violations.map(\.path) == ["early", "filter", "photo"])
        #expect(violations.map(\.rule) == ["field-name", "field-name", "file-name"])
        #expect(violations.first?.found == #""early[a\r\nb]""#)
        var base = RequestBuilder(TinyAPI.APIMethod.upload)
        base.form("base", ["a\u{7F}b": "1"])
        var completed = upload("a")
        completed.add(base: base.template)
        #expect(completed.errors.map(\.path) == ["base"])
    }

    @Test("a multipart body leaves names unchanged in a URL-encoded form")
    func plainForm() {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        request.form("filter", ["a\r\nb": "1"])
        #expect(request.template.violations.isEmpty)
    }

    @Test("a multipart body shows no name of a sensitive file")
    func secrecy() {
        let violation = upload("hunter2\n", sensitive: true).violations.first
        #expect(violation?.found == Redactor.mark)
        #expect(upload("hunter2\n").violations.first?.found == #""hunter2\n""#)
    }
}

extension Character {
    fileprivate var isASCIIControl: Bool {
        asciiValue.map { $0 < 0x20 && $0 != 0x0A } ?? (self == "\r\n")
    }
}
