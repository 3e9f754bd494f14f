import Foundation
import ProcessSupport
import RuntimeTestSupport
import Testing

@testable import TelexRuntime

@Suite("A request as a command line")
struct CurlTests {
    /// Returns the words into which a shell splits a command line.
    private func words(_ line: String) async throws -> [String] {
        let words = try await words(line, of: "/bin/bash")
        // Some `sh` do not support dollar quotes.
        if !line.contains("$'") { #expect(try await self.words(line, of: "/bin/sh") == words) }
        return words
    }

    private func words(_ line: String, of shell: String) async throws -> [String] {
        let printed = "curl() { printf '%s\\0' \"$@\"; }; \(line)"
        let run = try await Run.program(shell, ["-c", printed])
        return run.output.split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    private func form(_ parts: BodyPartRecord...) -> RequestRecord {
        RequestRecord(
            method: "POST", url: "https://a.test/",
            body: RequestBodyRecord(
                type: "multipart/form-data; boundary=b", size: 9, parts: parts))
    }

    @Test("a request as a command line is readable")
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

    @Test("a command line passes each value to the program as one word, whatever it contains")
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

    @Test("a request as a command line uses the option for HEAD requests, and turns globbing off")
    func options() {
        let request = RequestRecord(method: "HEAD", url: "http://[::1]/a[1]")
        #expect(request.curl == "curl --head --globoff 'http://[::1]/a[1]'")
    }

    @Test("a request as a command line quotes the name of a file for the program, too")
    func fileName() {
        let request = RequestRecord(
            method: "POST", url: "https://a.test/",
            body: RequestBodyRecord(
                type: "multipart/form-data; boundary=b", size: 1,
                parts: [BodyPartRecord(name: "f", fileName: "a\";b\\.png", type: "image/png")]))
        #expect(request.command.options.last == "f=@\"a\\\";b\\\\.png\";type=image/png")
    }

    @Test("a request as a command line takes no option from the media type of a file")
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

    @Test("a request as a command line takes no value of a request for an option or a file name")
    func description() async throws {
        for value in ["@/etc/passwd", "<file", "-o/etc/passwd", "'; rm -rf / #"] {
            let save = TestAPI.APIMethod("users.save", Endpoint(.post, "users.save"))
            var request = RequestBuilder(save)
            request.part("title", value)
            let command = try await words(request.finishEmpty().description)
            #expect(command.suffix(2) == ["--form-string", "title=\(value)"])
        }
        #expect(CurlCommand(method: "GET", target: "-o").options == ["-X", "GET", "--url", "-o"])
    }

    @Test("a request as a command line is one line without terminal control characters")
    func controls() async throws {
        let values = [
            "a\u{3}\ntouch pwned\n#", "\u{1B}[201~\u{3}", "a\r\nb", "\u{9B}31m", "\u{7F}\u{8}",
            "it's\t\\n!", "7\u{1}7", "a\u{202E}b", "a\u{2028}b\u{2029}", "\u{FEFF}a\u{200D}",
        ]
        for value in values {
            let text = RequestRecord(
                method: "PUT", url: "https://a.test/",
                body: RequestBodyRecord(type: "text/plain", size: 1, text: value))
            let part = form(
                BodyPartRecord(name: value, value: value),
                BodyPartRecord(name: "g", fileName: value, type: "image/png"))
            for request in [text, part] {
                let unseen: [Unicode.GeneralCategory] = [
                    .control, .format, .lineSeparator, .paragraphSeparator,
                ]
                let isClean = request.curl.unicodeScalars.allSatisfy {
                    !unseen.contains($0.properties.generalCategory)
                }
                #expect(isClean)
                #expect(try await words(request.curl) == request.command.options)
            }
        }
    }

    @Test("a request as a command line gives type and size of a body that no shell word can hold")
    func unsayable() {
        let text = RequestRecord(
            method: "PUT", url: "https://a.test/",
            body: RequestBodyRecord(type: "text/plain", size: 3, text: "a\0b"))
        #expect(text.command.options.suffix(2) == ["--data-raw", "‹text/plain, 3 bytes›"])
        let type = "multipart/form-data; boundary=b"
        for part in [
            BodyPartRecord(name: "meta[k=1]", value: "v"), BodyPartRecord(name: "a", value: "\0"),
            BodyPartRecord(name: "ph=oto", fileName: "a.jpg", type: "image/jpeg"),
        ] {
            var request = form(BodyPartRecord(name: "b", value: "c"), part)
            request.fields = [RecordField("Content-Type", type)]
            #expect(
                request.command.options.suffix(4)
                    == ["-H", "Content-Type: \(type)", "--data-raw", "‹\(type), 9 bytes›"])
        }
    }

    @Test("a request as a command line passes the file name of the request to the server")
    func toldName() {
        let dash = form(BodyPartRecord(name: "f", fileName: "-", type: "image/png"))
        #expect(
            dash.command.options.last == "f=@\"./-\";filename=\"-\";type=image/png")
        let path = form(BodyPartRecord(name: "f", fileName: "./a.jpg", type: "image/jpeg"))
        #expect(
            path.command.options.last == "f=@\"./a.jpg\";filename=\"./a.jpg\";type=image/jpeg")
        let text = form(
            BodyPartRecord(name: "f", fileName: "a.txt", type: "text/plain; charset=utf-8"))
        #expect(text.command.options.last == "f=@\"a.txt\";type=text/plain; charset=utf-8")
    }

    @Test("a command line prevents the program from adding a type or changing the path")
    func untouched() {
        let request = RequestRecord(
            method: "HEAD", url: "https://a.test/a/../b",
            body: RequestBodyRecord(size: 1, text: "x"))
        #expect(
            request.command.options == [
                "-X", "HEAD", "--path-as-is", "https://a.test/a/../b", "-H", "Content-Type:",
                "--data-raw", "x",
            ])
    }

    @Test("a request as a command line keeps marks readable within the values of a form")
    func marks() {
        let request = RequestRecord(
            method: "POST", url: "https://a.test/",
            body: RequestBodyRecord(
                type: "application/x-www-form-urlencoded", size: 1,
                parts: [
                    BodyPartRecord(
                        name: "a",
                        value: "é \(Redactor.mark) & \(Redactor.mark)b\(BodyPartRecord.cut)")
                ]))
        #expect(
            request.command.options.last == "a=%C3%A9+‹redacted›+%26+‹redacted›b‹cut›")
    }

    @Test("a request as a command line gives type and size of a body that was not recorded")
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
}
