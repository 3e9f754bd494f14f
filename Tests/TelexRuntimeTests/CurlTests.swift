import Foundation
import TestSupport
import Testing

@testable import TelexRuntime

@Suite("A request as a command line")
struct CurlTests {
    /// The words that a shell makes of a command line.
    private func words(_ line: String) async throws -> [String] {
        let printed = "curl() { printf '%s\\0' \"$@\"; }; \(line)"
        let run = try await Run.program("/bin/sh", ["-c", printed])
        return run.output.split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    @Test("can be read")
    func plain() {
        let request = RequestRecord(
            method: "POST", url: "https://a.test/x?y=1",
            fields: [RecordField("Accept", "*/*"), RecordField("Content-Length", "3")],
            body: RequestBodyRecord(
                type: "application/x-www-form-urlencoded", size: 3,
                parts: [
                    BodyPartRecord(name: "a b", value: "c&d"),
                    BodyPartRecord(name: "token", value: Redactor.mark),
                ]))
        #expect(
            request.curl == "curl -X POST 'https://a.test/x?y=1' -H 'Accept: */*' "
                + "--data-raw 'a+b=c%26d&token=‹redacted›'")
    }

    @Test("hands each value to the program as one word, whatever is in it")
    func hostile() async throws {
        let values = [
            "'; rm -rf / #", "$(id)", "`id`", "\\", "'", "''", "\"", "a\nb", "!x", "*", "~", "é🔑",
            "-o/etc/passwd", "@/etc/passwd", "<file", "", " ", "a'b'c", "\t", "&& id", "%s",
            "$HOME",
        ]
        for value in values {
            let request = RequestRecord(
                method: "PATCH", url: "https://a.test/\(value)",
                fields: [RecordField("X-A", value)],
                body: RequestBodyRecord(type: "text/plain", size: 1, text: value))
            #expect(try await words(request.curl) == request.command.options)
            #expect(request.command.options.contains(value.isEmpty ? "X-A;" : "X-A: \(value)"))
            #expect(request.command.options.suffix(2) == ["--data-raw", value])
            let form = RequestRecord(
                method: "POST", url: "https://a.test/",
                body: RequestBodyRecord(
                    type: "multipart/form-data; boundary=b", size: 1,
                    parts: [
                        BodyPartRecord(name: "f", value: value),
                        BodyPartRecord(name: "g", fileName: value, type: "image/png"),
                    ]))
            #expect(try await words(form.curl) == form.command.options)
            #expect(form.command.options.contains("f=\(value)"))
        }
    }

    @Test("asks for a head with the option for it, and takes brackets as they are")
    func options() {
        let request = RequestRecord(method: "HEAD", url: "http://[::1]/a[1]")
        #expect(request.curl == "curl --head --globoff 'http://[::1]/a[1]'")
    }

    @Test("quotes the name of a file for the program, too")
    func fileName() {
        let request = RequestRecord(
            method: "POST", url: "https://a.test/",
            body: RequestBodyRecord(
                type: "multipart/form-data; boundary=b", size: 1,
                parts: [BodyPartRecord(name: "f", fileName: "a\";b\\.png", type: "image/png")]))
        #expect(request.command.options.last == "f=@\"a\\\";b\\\\.png\";type=image/png")
    }

    @Test("takes no option for the program from the type of a file")
    func fileType() {
        for type in ["image/png;headers=@/etc/passwd", "a b/c", "image", "/", "a/b/c"] {
            let request = RequestRecord(
                method: "POST", url: "https://a.test/",
                body: RequestBodyRecord(
                    type: "multipart/form-data; boundary=b", size: 1,
                    parts: [BodyPartRecord(name: "f", fileName: "a.png", type: type)]))
            #expect(request.command.options.last == "f=@\"a.png\"")
        }
    }

    @Test("takes no value in the description of a request for an option or the name of a file")
    func description() async throws {
        for value in ["@/etc/passwd", "<file", "-o/etc/passwd", "'; rm -rf / #"] {
            var request = RequestBuilder(Tiny.APIMethod.usersSave)
            request.part("title", value)
            let command = try await words(request.finishEmpty().description)
            #expect(command.suffix(2) == ["--form-string", "title=\(value)"])
        }
        #expect(CurlCommand(method: "GET", target: "-o").options == ["-X", "GET", "--url", "-o"])
    }

    @Test("tells kind and size of a body that nobody asked for")
    func unknownBody() {
        let request = RequestRecord(
            method: "PUT", url: "https://a.test/",
            body: RequestBodyRecord(type: "image/png", size: 7))
        #expect(request.curl.hasSuffix("--data-raw '‹image/png, 7 bytes›'"))
        let type = "multipart/related; boundary=b"
        let related = RequestRecord(
            method: "POST", url: "https://a.test/", fields: [RecordField("Content-Type", type)],
            body: RequestBodyRecord(type: type, size: 7))
        #expect(
            related.curl.hasSuffix(
                "-H 'Content-Type: \(type)' --data-raw '‹\(type), 7 bytes›'"))
    }

    @Test("says that a text is only the beginning")
    func cutText() {
        let request = RequestRecord(
            method: "PUT", url: "https://a.test/",
            body: RequestBodyRecord(size: 9, text: "{\"a\"", isTextCut: true))
        #expect(request.curl.hasSuffix("--data-raw '{\"a\"‹cut›'"))
    }
}
