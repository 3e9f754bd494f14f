import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

/// The client in `Goldens/Unions` is generated from `specs/drawings`.
@Suite("Unions of a generated client")
struct UnionClientTests {
    private func read<T: JSONReadable>(_ text: String, as type: T.Type = T.self) -> JSONResult<T> {
        JSONReader.read(Array(text.utf8)) { $0.value() }
    }

    private func written(_ value: some JSONWritable) -> (text: String, violations: [Violation]) {
        var json = JSONWriter()
        value.write(to: &json)
        return (String(decoding: json.bytes, as: UTF8.self), json.violations)
    }

    /// Reads each text as a field of a drawing, and writes it again.
    @Test(
        "Each way of telling alternatives apart is read and written",
        arguments: [
            #"{"parts":[{"type":"picture","width":5}],"size":1}"#,
            #"{"parts":[{"type":"group","parts":[{"type":"text","text":"a"}]}],"size":1}"#,
            #"{"sticker":{"kind":"raster","raster":{"width":1}},"size":1}"#,
            #"{"sticker":{"kind":"smile","smile":":)"},"size":[1,2]}"#,
            #"{"change":{"what":"moved","data":{"x":4}},"size":1}"#,
            #"{"change":{"what":"at","data":1700000000},"size":1}"#,
            #"{"change":{"what":"gone","data":null},"size":1}"#,
            #"{"change":{"what":"gone","data":{"type":"t","text":"x"}},"size":1}"#,
            #"{"change":null,"size":1}"#,
            #"{"step":{"line":{"length":2,"next":{"arc":1.5}}},"size":1}"#,
            #"{"step":{"marks":["cross","dot"]},"size":1}"#,
            #"{"note":"a","size":1}"#, #"{"note":3,"size":1}"#,
            #"{"note":[{"line":"a","note":[{"line":"b"}]}],"size":1}"#,
            #"{"outline":{"form":"circle","radius":2},"size":1}"#,
            #"{"outline":{"form":"square","side":2},"size":1}"#,
            #"{"frame":{"id":1,"wood":"oak"},"size":1}"#,
            #"{"frame":{"id":1,"colour":"red","thickness":3},"size":1}"#,
            #"{"frame":"plain","size":1}"#,
            #"{"artist":{"id":1,"name":"Ada"},"size":1}"#, #"{"artist":"Ada","size":1}"#,
            #"{"payments":{"a":{"type":"none","reason":"x"}},"size":1}"#,
            #"{"layer":{"level":1,"width":2},"size":1}"#,
            #"{"layer":{"level":2,"parts":[]},"size":1}"#,
        ])
    func roundTrip(text: String) throws {
        let result = read(text, as: Drawing.self)
        #expect(result.report == ValidationReport())
        let drawing = try #require(result.value)
        let written = written(drawing)
        #expect(written.text == text)
        #expect(written.violations.isEmpty)
    }

    @Test("The key of a tag may follow all others, on each level")
    func tagLast() {
        let text =
            #"{"parts":[{"parts":[{"text":"a","type":"text"}],"type":"group"}],"type":"group"}"#
        let leaf = Part.text(Text(type: "text", text: "a"))
        let expected = Part.group(Group(parts: [.group(Group(parts: [leaf]))]))
        #expect(read(text, as: Part.self).value == expected)
    }

    @Test("an unknown alternative of a union is kept with its tag, and cannot be sent")
    func unknown() async throws {
        #expect(
            read(#"{"type":"video","seconds":3}"#, as: Part.self).value
                == .unknown(["type": "video", "seconds": 3]))
        #expect(
            read(#"{"kind":"gif","gif":1}"#, as: Sticker.self).value
                == .unknown(["kind": "gif", "gif": 1]))
        #expect(read(#"{"dot":1,"x":2}"#, as: Step.self).value == .unknown(["dot": 1, "x": 2]))
        #expect(read("true", as: Note.self).value == .unknown(true))
        #expect(read(#"{"id":1}"#, as: Frame.self).value == .unknown(["id": 1]))

        let transport = InMemoryTransport { _ in .json("{}") }
        let client = APIManager<Drawings>(transport: transport)
        let drawing = Drawing(parts: [.unknown(["type": "video"])], size: .int(1))
        let call = client.drawings.put(drawing: drawing, by: .string("Ada"), notes: [.int(1)])
        let error = await #expect(throws: APIError.self) { try await call.value }
        #expect(error?.violations.map(\.path) == ["drawing.parts[0]"])
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "a mistake in a union is reported at its own path",
        arguments: [
            (#"{"parts":[{"type":"picture"}]"#, "parts[0].width", "required"),
            (#"{"parts":[{"width":0,"type":"picture"}]"#, "parts[0].width", "min"),
            (#"{"parts":[{"width":1}]"#, "parts[0].type", "required"),
            (#"{"parts":[{"width":1,"type":7}]"#, "parts[0].type", "type"),
            (#"{"sticker":{"kind":"smile","smile":1}"#, "sticker.smile", "type"),
            (#"{"sticker":{"kind":"raster"}"#, "sticker.raster", "required"),
            (#"{"change":{"what":"lost","data":1}"#, "change.what", "type"),
            (#"{"change":{"data":{"x":"y"},"what":"moved"}"#, "change.data.x", "type"),
            (#"{"step":{"arc":1,"line":2}"#, "step.line", "closed"),
            (#"{"note":null"#, "note", "type"),
            (#"{"note":[{"line":"a","note":null}]"#, "note[0].note", "type"),
            (#"{"outline":{"form":"oval"}"#, "outline.form", "type"),
            (#"{"outline":"round""#, "outline", "type"),
            (#"{"artist":{"id":1,"name":"Adalbert"}"#, "artist.name", "max-length"),
            (#"{"layer":{"level":"1"}"#, "layer.level", "type"),
        ])
    func paths(text: String, path: String, rule: String) {
        let violations = read(text + #","size":1}"#, as: Drawing.self).report.violations
        #expect(violations.map { "\($0.path) \($0.rule)" } == ["\(path) \(rule)"])
    }

    @Test("A violation of a closed union names its alternatives")
    func closed() {
        let report = read(#"{"what":"lost"}"#, as: Change.self).report
        #expect(report.violations.first?.expected == "one of moved, at, gone")
    }

    @Test("An alternative that declares the tag must be sent with its value")
    func disagreement() {
        let part = Part.text(Text(type: "title", text: "a"))
        let violations = written(part).violations
        #expect(violations.map(\.rule) == ["const"])
        #expect(violations.map(\.expected) == ["\"text\""])
    }

    @Test("A whole reply may be a union")
    func reply() async throws {
        let transport = InMemoryTransport { _ in .json(#"{"reason":"closed"}"#) }
        let client = APIManager<Drawings>(transport: transport)
        let reply = try await client.drawings.find().value
        guard case .refusal(let refusal) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(refusal.reason == "closed")
    }

    @Test("Secrets inside alternatives, known or not, do not appear in descriptions")
    func redaction() throws {
        let known = try #require(read(#"{"type":"card","number":"4111"}"#, as: Payment.self).value)
        let unknown = try #require(read(#"{"type":"iban","iban":"4111"}"#, as: Payment.self).value)
        #expect(unknown == .unknown(["type": "iban", "iban": "4111"]))
        let drawing = Drawing(payments: ["a": known, "b": unknown], size: .int(1))
        for value in [known, unknown, drawing, ["x": unknown]] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [String(describing: value), String(reflecting: value), dumped] {
                #expect(!text.contains("4111"))
            }
        }
        #expect("\(known)".contains("card"))
        let report = read(#"{"type":"card","number":4111}"#, as: Payment.self).report
        #expect(!report.description.contains("4111"))
    }
}
