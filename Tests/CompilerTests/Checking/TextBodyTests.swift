import SpecIR
import SpecSemantics
import Testing

@Suite("A body of text")
struct TextBodyTests {
    private func analysis(_ method: String, models: String = "") -> Analysis {
        Analysis(users: "methods: { users.get: { post: a, \(method) } }\n\(models)")
    }

    private func body(_ method: String) throws -> Parameter {
        let analysis = analysis(method)
        #expect(analysis.bag.isEmpty, "\(analysis.rendered)")
        return try #require(analysis.method("users.get")?.parameters.first, "\(analysis.rendered)")
    }

    @Test(
        "a body of text is sent as it is, with the media type of `content-type`",
        arguments: [
            ("body: text", "text/plain; charset=utf-8"),
            ("body: text?", "text/plain; charset=utf-8"),
            ("body: text, content-type: text/csv", "text/csv"),
            (
                "body: { type: text, max-length: 5 }, content-type: text/xml;charset=ISO-8859-1",
                "text/xml;charset=ISO-8859-1"
            ),
            ("body: text, content-type: application/json", "application/json"),
        ])
    func types(method: String, type: String) throws {
        let found = try body(method)
        #expect(found.textType == type && found.location == .body)
        #expect(found.value.type == .string(from: .native))
    }

    @Test("a body of text takes rules and names like other parameters, and may be left out")
    func parameter() throws {
        let note = try body("body: { type: text, max-length: 5, swift: { name: note } }")
        #expect(note.name == "note" && note.value.rules.count == 1)
        #expect(try body("body: text?").presence == .optional)
    }

    @Test(
        "a body of text is an error where it would not be the text",
        arguments: [
            ("body: text | null", "T0310: | null"), ("json: text", "T0201: text"),
            ("body: [text]", "T0201: text"), ("form: { a: text }", "T0201: text"),
            (
                "body: text, content-type: text/plain; charset=koi8-r",
                "T0107: text/plain; charset=koi8-r"
            ),
        ])
    func refused(method: String, mark: String) {
        let method = method.replacing("[text]", with: "'[text]'")
        let analysis = analysis(method)
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test("a body of text has the charsets that the runtime writes")
    func charsets() {
        let analysis = analysis("body: text, content-type: text/plain; charset=x")
        let named = analysis.bag.all.first?.help?.matches(of: #/`([\w-]+)`/#).map { $0.output.1 }
        // `RequestBuildingTests` writes each of them.
        #expect(
            named == [
                "utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16", "utf-16le", "utf-16be",
            ])
    }

    @Test(
        "JSON under another media type is an error with the remedy",
        arguments: [
            ("string", "text/plain"), ("string", "text/plain; charset=utf-8"), ("Note", "text/csv"),
            ("int", "application/x-ndjson"), ("'[string]'", "application/xml"),
            ("json", "application/json-seq"), ("Box", "text/html"),
        ])
    func otherTypes(type: String, mediaType: String) {
        let models = "models: { Box: { id: int }, Note: string }\n"
        let analysis = analysis("body: \(type), content-type: \(mediaType)", models: models)
        let found = analysis.bag.all.filter { $0.severity == .error }
        #expect(found.map(\.code.id) == ["T0107"], "\(analysis.rendered)")
        #expect(found.first?.help?.contains("`body: text`") == true)
        let plain = type.filter { $0 != "'" }
        #expect(found.first?.help?.contains("`json: \(plain)`") == true)
        let told = self.analysis("json: \(type), content-type: \(mediaType)", models: models)
        #expect(!told.bag.hasErrors || type.contains("["), "\(told.rendered)")
    }

    @Test(
        "a media type of JSON is none of another",
        arguments: [
            "application/merge-patch+json", "application/x-amz-json-1.1", "text/json",
            "application/json; version=2", "application/vnd.api+json",
        ])
    func jsonTypes(mediaType: String) {
        #expect(analysis("body: string, content-type: \(mediaType)").bag.isEmpty)
        #expect(analysis("body: bytes, content-type: text/plain").bag.isEmpty)
    }

    @Test("the body `text` is the model where a model has that name")
    func model() throws {
        let analysis = analysis("body: text", models: "models: { text: { id: int } }\n")
        let found = try #require(analysis.method("users.get")?.parameters.first)
        #expect(found.textType == nil && found.value.type == .object("Text"))
    }
}
