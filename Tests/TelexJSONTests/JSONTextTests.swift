import Testing

@testable import TelexJSON

/// What generated code makes of a model with `{ type: Meta, from: string }`.
private struct Post: JSONReadable, JSONWritable, Hashable {
    var meta: Meta

    struct Meta: JSONReadable, JSONWritable, Hashable {
        var id: Int
        var secret: String?

        static func read(from json: inout JSONReader) -> Meta? {
            json.enterObject(
                required: "id", optional: "secret", nullable: "", sensitive: "secret")
            var (id, secret) = (0, String?.none)
            while let field = json.nextField() {
                if field == 0 {
                    if json.int(&id) { json.minimum(id, 1) }
                } else {
                    json.string(&secret)
                }
            }
            return json.endObject(Meta(id: id, secret: secret))
        }

        func write(to json: inout JSONWriter) {
            json.beginObject()
            json.field("id", id)
            json.minimum(id, 1)
            json.field("secret", secret, sensitive: true)
            json.endObject()
        }
    }

    static func read(from json: inout JSONReader) -> Post? {
        json.enterObject(required: "meta", optional: "")
        var meta: Meta?
        while json.nextField() != nil { json.jsonText(&meta) { json in json.value() } }
        guard json.endObject(), let meta else { return nil }
        return Post(meta: meta)
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("meta", meta) { json, value in json.jsonText { json in json.value(value) } }
        json.endObject()
    }
}

@Suite("JSON inside a text")
struct JSONTextTests {
    private func read(
        _ text: String, limits: JSONLimits = JSONLimits(), checks: JSONChecks = .all
    ) -> JSONResult<Post> {
        JSONReader.read(Array(text.utf8), limits: limits, checks: checks) { $0.value() }
    }

    private func violations(_ text: String, checks: JSONChecks = .all) -> [String] {
        read(text, checks: checks).report.violations.map(\.description)
    }

    @Test("JSON inside a text is read as the value, and written as a text again")
    func both() throws {
        let text = #"{"meta":"{\"id\":7,\"secret\":\"\\u00e9 \\\"\"}"}"#
        let post = try #require(read(text).value)
        #expect(post == Post(meta: Post.Meta(id: 7, secret: #"é ""#)))
        var writer = JSONWriter()
        post.write(to: &writer)
        let written = String(decoding: writer.bytes, as: UTF8.self)
        #expect(written == #"{"meta":"{\"id\":7,\"secret\":\"é \\\"\"}"}"#)
        #expect(read(written).value == post)
    }

    @Test(
        "JSON inside a text that is none, or is cut off, is a violation of the type",
        arguments: [
            #""""#, #""no""#, #""{\"id\":""#, #""{\"id\":1}}""#, #""\u0000""#, "{\"id\":1}", "7",
            "[]",
        ])
    func malformed(text: String) {
        let result = read("{\"meta\":\(text)}")
        #expect(result.value == nil && result.report.syntaxError == nil)
        #expect(result.report.violations.map(\.path) == ["meta"])
        #expect(result.report.violations.map(\.rule) == ["type"])
        #expect(result.report.violations.map(\.expected) == ["JSON in a string"])
    }

    @Test("JSON inside a text has violations with the path of the text before their own")
    func paths() {
        #expect(
            violations(#"{"meta":"{\"id\":0,\"secret\":5}"}"#) == [
                "meta.id: expected at least 1, found 0 [min]",
                "meta.secret: expected a string, found ‹redacted› [type]",
            ])
        #expect(
            violations(#"{"meta":"{}"}"#) == ["meta.id: expected the key, found nothing [required]"]
        )
        #expect(
            violations(#"{"meta":"[]"}"#) == ["meta: expected an object, found an array [type]"])
    }

    @Test("JSON inside a text has keys that are checked as those of nested objects are")
    func nestedKeys() {
        let text = #"{"meta":"{\"id\":1,\"id\":1}"}"#
        #expect(violations(text, checks: .keys).isEmpty)
        #expect(violations(text, checks: .nestedKeys).count == 1)
        // Something has to explain the missing value.
        #expect(violations(#"{"meta":"{}"}"#, checks: []).count == 1)
    }

    @Test("JSON inside a text may stand beside the value itself")
    func either() {
        let read = { (text: String) in
            JSONReader.read(Array(text.utf8)) { json -> [Int]? in
                var values: [Int] = []
                json.jsonText(&values, from: .either) { json in json.list() }
                return values
            }.value
        }
        #expect(read("[1,2]") == [1, 2] && read(#""[1,2]""#) == [1, 2] && read("true") == [])
    }

    @Test("JSON in a text counts with the text around it as nested, and never exhausts the stack")
    func depth() {
        let deep = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        let read = { (text: String, limits: JSONLimits) in
            JSONReader.read(Array(text.utf8), limits: limits) { json -> [JSONValue]? in
                json.list { json in
                    var value: JSONValue?
                    json.jsonText(&value) { json in json.value() }
                    return value
                }
            }.report.violations.map(\.rule)
        }
        #expect(read("[\"\(deep)\"]", JSONLimits()).isEmpty)
        #expect(read("[\"[\(deep)]\"]", JSONLimits()) == ["type"])
    }

    @Test("JSON text with secrets makes its key one, for logs, and is a secret part of a request")
    func secrets() {
        let report = read(#"{"meta":"{\"id\":1}"}"#).report
        #expect(report.sensitiveKeys == ["meta", "secret"])
        var writer = JSONWriter()
        Post(meta: Post.Meta(id: 1, secret: "x")).write(to: &writer)
        let ranges = writer.sensitiveRanges.map {
            String(decoding: writer.bytes[$0], as: UTF8.self)
        }
        #expect(writer.holdsSensitive && ranges == [#""{\"id\":1,\"secret\":\"x\"}""#])
        Post(meta: Post.Meta(id: 0)).write(to: &writer)
        #expect(writer.violations.map(\.path) == ["meta.id"])
    }

    @Test("JSON inside a text in a list counts as one element that is left out")
    func tolerance() {
        let text = #"["{\"id\":1}","{\"id\":0}","x"]"#
        let result = JSONReader.read(Array(text.utf8)) { json -> [Post.Meta]? in
            var values: [Post.Meta] = []
            json.list(&values, invalid: .skip) { json in
                var item: Post.Meta?
                json.jsonText(&item) { json in json.value() }
                return item
            }
            return values
        }
        #expect(result.value?.map(\.id) == [1])
        #expect(result.report.skipped.violations.map(\.path) == ["[1].id", "[2]"])
        #expect(result.report.isValid)
    }
}
