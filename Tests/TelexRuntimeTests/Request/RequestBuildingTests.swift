import Foundation
import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// The target of a request whose query is built by a closure.
private func query(_ build: (inout RequestBuilder) -> Void) throws -> String? {
    var request = RequestBuilder(TinyAPI.APIMethod.ping)
    build(&request)
    let server = try #require(Address("https://h/"))
    return try request.template.address(on: server, nil).query
}

private struct Filter: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("from", 1)
        json.field("tags", ["x", "y"])
        json.endObject()
    }
}

@Suite("A request")
struct RequestBuildingTests {
    @Test(
        "a request encodes values exactly once",
        arguments: [
            ("a b", "a%20b"), ("a/b", "a%2Fb"), ("%2F", "%252F"), ("é", "%C3%A9"), ("-._~", "-._~"),
            ("?#[]", "%3F%23%5B%5D"),
            ("\r\n\0", "%0D%0A%00"), ("👩‍👧", "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"), ("", ""),
        ])
    func encoding(_ text: String, _ encoded: String) throws {
        #expect(try query { $0.query("q", text) } == "q=\(encoded)")
        guard !text.isEmpty else { return }
        let template = UsersRequests.file(name: text).template
        let server = try #require(Address("https://h/base"))
        #expect(try template.address(on: server, nil).path == "/base/files/\(encoded)")
        #expect(PercentEncoding.decode(encoded[...]) == text)
    }

    @Test(
        "a request encodes in a path only what cannot be in a segment",
        arguments: [
            ("a,b;c=d!e$f&g'h(i)j*k+l", "a,b;c=d!e$f&g'h(i)j*k+l"), ("a:b@c", "a:b@c"),
            ("2024-01-01T00:00:00+02:00", "2024-01-01T00:00:00+02:00"), ("100%", "100%25"),
            ("%2e%2e", "%252e%252e"), ("a\\b", "a%5Cb"), ("a\\b,c", "a%5Cb,c"), ("..;x", "..%3Bx"),
            (";x", "%3Bx"),
            (".;", ".%3B"), ("...;x", "...;x"),
        ])
    func segment(_ text: String, _ encoded: String) throws {
        let server = try #require(Address("https://h/base"))
        let template = UsersRequests.file(name: text).template
        #expect(template.violations.isEmpty)
        #expect(try template.address(on: server, nil).path == "/base/files/\(encoded)")
        let shown = encoded.replacing("'", with: #"'\''"#)
        #expect(template.text.contains("files/\(shown)"))
        #expect(PercentEncoding.decode(encoded[...]) == text)
    }

    @Test("a request keeps the items of a list in a path apart from their separator")
    func listInPath() throws {
        var request = RequestBuilder("m", .get, "x/{ids}")
        request.path("ids", ["a,b", "c:d"])
        let server = try #require(Address("https://h/"))
        #expect(try request.template.address(on: server, nil).path == "/x/a%2Cb,c%3Ad")
        #expect(request.template.text.contains("x/a%2Cb,c%3Ad"))
    }

    @Test(
        "a request keeps the slashes and the escapes of a value where the path asks for it",
        arguments: [
            ("a/b c.jpg", "a/b%20c.jpg"), ("a//b/", "a//b/"), ("a%2Fb/..a", "a%2Fb/..a"),
            ("a?b#c/d", "a%3Fb%23c/d"), ("a:b@c,d;e=f/!$&'()*+", "a:b@c,d;e=f/!$&'()*+"),
            ("100%/%zz/%4", "100%25/%25zz/%254"), ("[é]", "%5B%C3%A9%5D"),
            ("a/..;b/c", "a/..%3Bb/c"),
            ("a/%2e%2E;b", "a/%2e%2E%3Bb"),
        ])
    func slashes(_ text: String, _ encoded: String) throws {
        var request = RequestBuilder("m", .get, "files/{+name}/x")
        request.path("name", text)
        let shown = encoded.replacing("'", with: #"'\''"#)
        #expect(request.template.text.contains("files/\(shown)/x"))
        let server = try #require(Address("https://h/base"))
        let address = try request.template.address(on: server, nil)
        #expect(address.path == "/base/files/\(encoded)/x")
        #expect(address.query == nil)
    }

    @Test(
        "a request refuses a value with slashes that would leave its place",
        arguments: ["", "/", "/a", "//h", "..", "a/..", "a/../b", "./a", "a/."])
    func unsafeSlashes(_ text: String) {
        var request = RequestBuilder("m", .get, "files/{+name}")
        request.path("name", text)
        #expect(request.state.template.violations.map(\.rule) == ["path"])
    }

    @Test("a request names any HTTP method, and is repeated only with an idempotent one")
    func otherMethods() {
        func template(_ name: String) -> RequestTemplate {
            RequestBuilder("m", .other(name), "p").template
        }
        #expect(template("PROPFIND").endpoint.method.rawValue == "PROPFIND")
        #expect(template("PROPFIND").mayRepeat)
        #expect(!template("LOCK").mayRepeat)
        #expect(template("no token").endpoint.method == .options)
    }

    @Test("a request hides a secret with slashes")
    func secretSlashes() throws {
        var request = RequestBuilder("m", .get, "files/{+name}")
        request.path("name", "a key/of mine", sensitive: true)
        var redactor = Redactor()
        request.template.addSecrets(to: &redactor, nil)
        let server = try #require(Address("https://h/base"))
        let address = try request.template.address(on: server, nil)
        #expect(!redactor.redact(address.path).contains("of%20mine"))
        #expect(request.template.containsSecret(in: address, credential: nil, placement: nil))
    }

    @Test(
        "a request does not take an invalid escape for an encoding",
        arguments: ["%-0", "%+5", "%4", "%", "%zz"])
    func noEncoding(_ text: String) {
        #expect(PercentEncoding.decode(text[...]) == text)
    }

    @Test("a request puts the server's query before the path's own")
    func queries() throws {
        let server = try #require(Address("https://h/base?key=k"))
        let address = RequestTemplate.join(server, "list?all")
        #expect(address.path == "/base/list")
        #expect(address.query == "key=k&all")
    }

    @Test(
        "a request sends lists in every style",
        arguments: [
            (ListStyle.repeated, "a=1&a=x%2Cy"), (.joined("|"), "a=1%7Cx%2Cy"),
            (.joined(" "), "a=1%20x%2Cy"),
            (.brackets, "a%5B%5D=1&a%5B%5D=x%2Cy"), (.indexed, "a%5B0%5D=1&a%5B1%5D=x%2Cy"),
            (.json, "a=%5B%221%22%2C%22x%2Cy%22%5D"),
            (.deep, "a%5B0%5D=1&a%5B1%5D=x%2Cy"), (.dots, "a%5B0%5D=1&a%5B1%5D=x%2Cy"),
        ])
    func lists(_ style: ListStyle, _ expected: String) throws {
        #expect(try query { $0.query("a", ["1", "x,y"], list: style) } == expected)
        #expect(try query { $0.query("a", ["1", "x|y"], joinedBy: ",") } == "a=1,x%7Cy")
    }

    @Test(
        "a request sends objects under the paths of their members",
        arguments: [
            (ListStyle.deep, "a[from]=1&a[tags][0]=x&a[tags][1]=y"),
            (.dots, "a.from=1&a.tags[0]=x&a.tags[1]=y"),
        ])
    func objects(_ style: ListStyle, _ expected: String) throws {
        func plain(_ value: some ParameterValue) throws -> String? {
            try query { $0.query("a", value, list: style) }
                .map { PercentEncoding.decode($0[...]) }
        }
        #expect(try plain(Filter()) == expected)
        let items = expected.replacing(/\ba(?=[\[.])/, with: "a[0]")
        #expect(try plain([Filter()]) == items)
        #expect(try plain([[1]]) == "a[0][0]=1")
        #expect(try plain([String: Int]()) == nil)
        #expect(
            try plain(["k]": JSONValue.null]) == (style == .deep ? "a[k]]=" : "a.k]="))
    }

    @Test("a request hides a member with the name of a secret", arguments: [ListStyle.deep, .dots])
    func secretMember(_ style: ListStyle) {
        var request = RequestBuilder("m", .get, "p")
        request.query("a", ["password": "hunter2"], list: style)
        #expect(!request.template.text.contains("hunter2"))
    }

    @Test("a request sends the nearest bound for a number outside, and nothing for an empty value")
    func sentValues() {
        #expect([0, 1, 5, 9, 10].map { SentValue.clamped($0, min: 1, max: 9) } == [1, 1, 5, 9, 9])
        #expect(SentValue.clamped(3, max: 2) == 2)
        #expect(SentValue.clamped(-1.5, min: 0) == 0)
        #expect(SentValue.clamped(Double.nan, min: 0, max: 1).isNaN)
        #expect(SentValue.clamped(Int?.none, min: 1) == nil)
        #expect(SentValue.unlessEmpty("") == nil)
        #expect(SentValue.unlessEmpty([Int]?.none) == nil)
        #expect(SentValue.unlessEmpty([1]) == [1])
        #expect(SentValue.unlessEmpty([String: Int]()) == nil)
    }

    @Test("a request sends each entry of a map under its own name, encoded, and lists repeat it")
    func entries() throws {
        let style = ListStyle.entries(besides: ["page"])
        #expect(
            try query { $0.query("f", ["size": "3", "a&b": "ü", "page2": "x"], list: style) }
                == "a%26b=%C3%BC&page2=x&size=3")
        #expect(try query { $0.query("f", ["t": [1, 2], "u": []], list: style) } == "t=1&t=2")
        #expect(
            try query { $0.query("f", ["t": true], list: style, booleans: .oneZero) } == "t=1")
    }

    @Test(
        "a request refuses an item with its list's separator, except in a header field's list",
        arguments: [",", "|", " "])
    func separators(separator: String) {
        var builder = RequestBuilder("a", .get, "a")
        builder.query("q", ["x\(separator)y", "z"], list: .joined(separator))
        builder.form("f", ["x\(separator)y"], list: .joined(separator), sensitive: true)
        builder.header("H", ["\"x, y\"", "z"])
        let violations = builder.template.violations
        #expect(violations.map(\.rule) == ["join", "join"])
        #expect(violations.map(\.path) == ["q", "f"])
        #expect(violations.map(\.found) == ["\"x\(separator)y\"", Redactor.mark])
    }

    @Test("a request refuses an entry that another parameter could have, or that has no name")
    func takenEntries() {
        let style = ListStyle.entries(besides: ["page", "tags"])
        var builder = RequestBuilder("a", .get, "a")
        builder.query("f", ["page": 1, "tags[]": 2, "": 3, "pages": 4], list: style)
        let violations = builder.template.violations
        #expect(violations.map(\.found) == ["\"\"", "\"page\"", "\"tags[]\""])
        #expect(violations.allSatisfy { $0.rule == "entries" && $0.path == "f" })
    }

    @Test(
        "a request sends nothing for nil or empty lists, and empty text for empty joined lists"
    )
    func absent() throws {
        #expect(try query { $0.query("a", String?.none) } == nil)
        #expect(try query { $0.query("a", [String]()) } == nil)
        #expect(try query { $0.query("a", [String](), list: .joined(",")) } == "a=")
    }

    @Test(
        "a request sends Booleans in every style",
        arguments: [
            (BooleanStyle.trueFalse, "a=true&b=false"), (.oneZero, "a=1&b=0"),
            (.words(true: "yes", false: "no"), "a=yes&b=no"),
            (.presence, "a"),
        ])
    func booleans(_ style: BooleanStyle, _ expected: String) throws {
        let text = try query {
            $0.query("a", true, booleans: style)
            $0.query("b", false, booleans: style)
        }
        #expect(text == expected)
    }

    @Test("a request sends enums, numbers, models, maps and Foundation's values")
    func values() throws {
        #expect(try query { $0.query("e", TinyAPI.ErrorCode.captcha) } == "e=14")
        #expect(try query { $0.query("d", 1.5) } == "d=1.5")
        #expect(
            try query { $0.query("f", Filter(), list: .brackets) }
                == "f%5Bfrom%5D=1&f%5Btags%5D%5B%5D=x&f%5Btags%5D%5B%5D=y")
        #expect(try query { $0.query("m", ["k": "a\"b"]) } == "m%5Bk%5D=a%22b")
        #expect(
            try query { $0.query("u", URL(literal: "http://h/?a=b")) }
                == "u=http%3A%2F%2Fh%2F%3Fa%3Db")
        #expect(try query { $0.query("x", Decimal(literal: "1.10")) } == "x=1.1")
        let date = Date(literal: "2024-05-31T20:15:00Z")
        #expect(try query { $0.query("t", ParameterText.date(date, .unix)) } == "t=1717186500")
        #expect(
            try query { $0.query("j", ParameterText.json(["a"]), sensitive: true) }
                == "j=%5B%22a%22%5D")
    }

    @Test("a request sends forms as browsers do")
    func forms() throws {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        request.form("a b", "c d&é~*")
        request.form("l", [1, 2], list: .brackets)
        let payload = try request.template.payload(placement: nil, credential: nil)
        guard case .bytes(let bytes) = payload?.body else { return }
        #expect(
            String(decoding: bytes, as: UTF8.self) == "a+b=c+d%26%C3%A9%7E*&l%5B%5D=1&l%5B%5D=2")
        #expect(payload?.type == "application/x-www-form-urlencoded")
    }

    @Test(
        "a request sends a text as its body, in the charset of its media type",
        arguments: [
            ("utf-8", [0x61, 0xC3, 0xA9]), ("UTF-8", [0x61, 0xC3, 0xA9]),
            ("iso-8859-1", [0x61, 0xE9]), ("windows-1252", [0x61, 0xE9]),
            ("utf-16", [0xFF, 0xFE, 0x61, 0, 0xE9, 0]), ("utf-16le", [0x61, 0, 0xE9, 0]),
            ("utf-16be", [0, 0x61, 0, 0xE9]),
        ] as [(String, [UInt8])])
    func text(_ charset: String, _ bytes: [UInt8]) throws {
        let type = "text/plain; charset=\(charset)"
        let template = body { $0.text("aé", type: type) }
        let payload = try template.payload(placement: nil, credential: nil)
        guard case .bytes(let sent) = payload?.body else {
            Issue.record("no bytes")
            return
        }
        #expect(sent == bytes && payload?.type == type && template.violations.isEmpty)
    }

    @Test(
        "a request fails before it is sent with a text that its charset does not have",
        arguments: [
            ("é", "us-ascii"), ("€", "iso-8859-1"), ("\u{85}", "iso-8859-1"), ("日", "windows-1252"),
            ("a", "koi8-r"),
        ])
    func textOutsideCharset(_ text: String, _ charset: String) throws {
        let template = body { $0.text(text, type: "text/plain; charset=\"\(charset)\"") }
        #expect(template.violations.map(\.rule) == ["charset"])
        #expect(template.violations.first?.path == "body")
    }

    @Test("a request sends a text as UTF-8 and unquoted, and no body for nil")
    func plainText() throws {
        let quoted = try body { $0.text("say \"é\"\n") }.payload(placement: nil, credential: nil)
        guard case .bytes(let bytes) = quoted?.body else {
            Issue.record("no bytes")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "say \"é\"\n")
        #expect(quoted?.type == "text/plain; charset=utf-8")
        #expect(try body { $0.text(nil) }.payload(placement: nil, credential: nil) == nil)
        let ascii = body { $0.text("a€", type: "text/csv;charset=windows-1252") }
        guard case .bytes(let euro, _) = ascii.body else {
            Issue.record("no bytes")
            return
        }
        #expect(euro == [0x61, 0x80])
    }

    private func body(_ build: (inout RequestBuilder) -> Void) -> RequestTemplate {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        build(&request)
        return request.template
    }

    @Test("a request puts the token into a JSON body, a form, or a body of its own")
    func tokenInBody() throws {
        func body(_ token: AuthRules.Placement, _ json: String?) throws -> String {
            var template = RequestTemplate(method: "m", endpoint: Endpoint(.post, "m"))
            if let json { template.body = .json(Array(json.utf8), sensitive: []) }
            let payload = try template.payload(placement: token, credential: Credential(token: "T"))
            guard case .bytes(let bytes) = payload?.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try body(.json("t"), #"{"a":1}"#) == #"{"t":"T","a":1}"#)
        #expect(try body(.json("t"), "{}") == #"{"t":"T"}"#)
        #expect(try body(.json("t"), nil) == #"{"t":"T"}"#)
        #expect(try body(.body("t"), nil) == "t=T")
        #expect(throws: Violation.self) { try body(.json("t"), "[1]") }
    }

    @Test("a request streams files from disk and refuses missing ones")
    func files() async throws {
        let path = temporaryPath()
        try DiskFile.replace(path, with: Array("content".utf8))
        defer { try? DiskFile.remove(path) }
        let (manager, transport) = tiny { _ in .bytes() }
        let request = UsersRequests.upload(to: "https://up.test/u?sig=1", UploadFile(path: path))
        _ = try await manager.operation(request).value
        let sent = try #require(transport.requests.first)
        #expect(sent.text.contains("\r\n\r\ncontent\r\n--"))
        #expect(sent.head.authority == "up.test")
        #expect(sent.head.path == "/u?sig=1", "no token, no base parameters for a stranger")
        let missing = UsersRequests.upload(to: "https://up.test/", UploadFile(path: path + ".no"))
        #expect(await failure(manager.operation(missing))?.phase == .build)
        #expect(transport.requests.count == 1)
    }

    @Test("a call sends its token to an absolute server address, and refuses a downgrade to http")
    func wholeAddress() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        let file = UploadFile(bytes: [1], name: "a")
        _ = try await manager.operation(UsersRequests.upload(to: "https://api.tiny.test/u", file))
            .value
        #expect(transport.requests.first?.head.path == "/u?access_token=\(secret)")
        let plain = manager.operation(UsersRequests.upload(to: "http://up.test/u", file))
        #expect(await failure(plain)?.phase == .build)
    }

    @Test("a request has the API's header fields at an absolute address of the server itself")
    func fieldsOfWholeAddress() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        let file = UploadFile(bytes: [1], name: "a")
        let addresses = [
            "https://api.tiny.test/u?page=2", "https://api.tiny.test:444/u", "https://up.test/u",
        ]
        for address in addresses {
            _ = try await manager.operation(UsersRequests.upload(to: address, file)).value
        }
        let languages = transport.requests.map { $0.head.headerFields[.acceptLanguage] }
        #expect(languages == ["en", nil, nil])
        let sent = try #require(transport.requests.first)
        #expect(sent.head.path == "/u?page=2&access_token=\(secret)", "no base parameters")
    }

    @Test("a request writes JSON in a header field in ASCII, and elsewhere unchanged")
    func json() throws {
        let value: JSONValue = ["/ü\u{7F}": "𝄞~\n", "l": ["é"]]
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.header("Dropbox-API-Arg", value, list: .json)
        request.header("List", JSONValue.array([["é": 1]]))
        request.header("Text", "ü")
        request.query("q", JSONValue.array(["é"]), list: .json)
        let template = request.template
        let fields = try template.fields(nil, nil)
        let text = try #require(fields[HTTPField.Name("Dropbox-API-Arg")!])
        #expect(text == #"{"/\u00fc\u007f":"\ud834\udd1e~\n","l":["\u00e9"]}"#)
        #expect(JSONReader.value(at: [], in: Array(text.utf8)) == value, "the same JSON")
        #expect(fields[HTTPField.Name("List")!] == #"{"\u00e9":1}"#)
        #expect(fields[HTTPField.Name("Text")!] == "ü")
        let server = try #require(Address("https://h/"))
        #expect(try template.address(on: server, nil).query == "q=%5B%22%C3%A9%22%5D")
        #expect(template.violations.isEmpty)
    }

    @Test("a request with a violation is never sent, and reports all violations")
    func violations() async {
        let (manager, transport) = tiny { _ in .bytes() }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1", "2", "3"])))
        #expect(error?.phase == .build)
        #expect(error?.violations.map(\.path) == ["user_ids"])
        for name in ["..", ".", ""] {
            let error = await failure(manager.operation(UsersRequests.file(name: name)))
            #expect(error?.violations.map(\.rule) == ["path"])
        }
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.header("X-A", "a\r\nX-B: c")
        request.header("bad name", "b")
        request.query("n", Double.nan)
        let all = await failure(manager.operation(request.finishEmpty()))
        #expect(all?.violations.map(\.rule) == ["header", "header", "finite"])
        #expect(all?.fault == .caller)
        #expect(transport.requests.isEmpty)
    }

    @Test("a request with a warning is sent")
    func warning() async throws {
        let (manager, transport) = tiny { _ in .bytes() }
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.query("a", "long")
        request.maxLength("long", 1, severity: .warning)
        try await manager.operation(request.finishEmpty()).value
        #expect(transport.requests.count == 1)
    }

    @Test("a request checks size and type of its files")
    func fileRules() {
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        let file = UploadFile(bytes: [1, 2, 3], name: "a", type: "image/png; q=1")
        request.part("photo", file)
        request.maxSize(file, 3)
        request.mime(file, ["text/plain", "image/*"])
        #expect(request.template.violations.isEmpty)
        request.maxSize(file, 2)
        request.mime(file, ["image/jpeg"])
        #expect(request.template.violations.map(\.rule) == ["max-size", "mime"])
        #expect(request.template.violations.map(\.path) == ["photo", "photo"])
    }

    @Test("a request made from properties reports unknown, missing and mistyped ones")
    func properties() throws {
        let request = try UsersRequests.get(properties: ["user_ids": ["1"], "owner_id": "3"])
        #expect(request.template.query.map(\.name) == ["user_ids", "owner_id"])
        func problem(_ properties: Properties) -> String? {
            do {
                _ = try UsersRequests.get(properties: properties)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(
            problem(["user_ids": [], "owner_ids": "1"])?.contains("did you mean `owner_id`?")
                == true)
        #expect(problem([:])?.contains("user_ids: expected the property") == true)
        #expect(problem(["user_ids": [1]])?.contains("user_ids[0]") == true)
    }

    @Test("a request goes to the chosen server, with its variables checked")
    func servers() async throws {
        let choices: [(ServerChoice, String?)] = [
            (.named("local"), "127.0.0.1:8080"),
            (.named("local", ["port": "9090"]), "127.0.0.1:9090"),
            (.url("http://[::1]:81"), "[::1]:81"), (.named("local", ["port": "1"]), nil),
            (.named("lokal"), nil), (.named("local", ["prot": "8080"]), nil),
            (.url("ftp://x"), nil),
        ]
        for (choice, authority) in choices {
            let (manager, transport) = tiny(server: choice) { _ in .bytes() }
            let error = await failure(manager.operation(UsersRequests.ping()))
            #expect(transport.requests.first?.head.authority == authority)
            #expect(error?.phase == (authority == nil ? .build : nil))
        }
        let (manager, transport) = tiny { _ in .bytes() }
        try await manager.operation(
            UsersRequests.ping(),
            options: CallOptions(timeouts: Timeouts(silence: .seconds(1)), server: .named("local"))
        ).value
        #expect(transport.requests.first?.request.timeout == .seconds(1))
        #expect(transport.requests.first?.head.authority == "127.0.0.1:8080")
    }

    @Test("a request is available as a head, for other code")
    func head() async throws {
        let (manager, _) = tiny { _ in .bytes() }
        let head = try await manager.httpRequest(for: UsersRequests.get(ids: ["1"]))
        #expect(head.path?.hasSuffix("access_token=\(secret)") == true)
        #expect(head.scheme == "https")
    }
}

/// An unused path in the folder for temporary files.
func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("telex-\(UUID())").path
}
