import Testing

@testable import TelexJSON

/// What generated code makes of a model with `as: array`.
private struct Sample: JSONReadable, JSONWritable, Hashable {
    var time: Int
    var name: String?
    var key: String?

    static func read(from json: inout JSONReader) -> Sample? {
        json.enterArray(required: "time name", optional: "key", nullable: "name", sensitive: "key")
        return rest(of: &json)
    }

    /// The rest of the reader of a model, whatever it does with further elements.
    static func rest(of json: inout JSONReader) -> Sample? {
        var (time, name, key) = (0, String?.none, String?.none)
        while let field = json.nextField() {
            switch field {
            case 0: if json.int(&time) { json.minimum(time, 1) }
            case 1: json.string(&name)
            default: json.string(&key)
            }
        }
        return json.endObject(Sample(time: time, name: name, key: key))
    }

    func write(to json: inout JSONWriter) {
        json.beginPositions()
        json.field("time", time)
        json.minimum(time, 1)
        json.field("name", Nullable(name))
        json.field("key", key, sensitive: true)
        json.endArray()
    }
}

@Suite("An array whose elements are the fields of a model")
struct PlaceTests {
    private func read(
        _ text: String, checks: JSONChecks = .all
    ) -> (value: [Sample]?, problems: [String]) {
        let result = JSONReader.read(Array(text.utf8), checks: checks) { json -> [Sample]? in
            json.list()
        }
        return (result.value, result.report.description.split(separator: "\n").map(String.init))
    }

    @Test("an array of fields is read by position; the last may be missing, and more are ignored")
    func reading() {
        let text = #"[[1,null],[2,"a","k"],[3,"b","k",{"x":[]},4],[ 4 , "c" ]]"#
        let (value, problems) = read(text)
        #expect(problems == ["valid"])
        #expect(
            value == [
                Sample(time: 1), Sample(time: 2, name: "a", key: "k"),
                Sample(time: 3, name: "b", key: "k"), Sample(time: 4, name: "c"),
            ])
    }

    @Test("an array of a model's fields has violations with the place, as elements of a list have")
    func violations() {
        let text = #"[[0,"a"],["x",2,3],[],[5],{"time":1},[6,"a",null],null,7,"[1]"]"#
        #expect(
            read(text).problems == [
                "[0][0]: expected at least 1, found 0 [min]",
                #"[1][0]: expected an integer, found "x" [type]"#,
                "[1][1]: expected a string, found 2 [type]",
                "[1][2]: expected a string, found ‹redacted› [type]",
                "[2][0]: expected the element, found nothing [required]",
                "[2][1]: expected the element, found nothing [required]",
                "[3][1]: expected the element, found nothing [required]",
                "[4]: expected an array, found an object [type]",
                "[5][2]: expected a string, found ‹redacted› [type]",
                "[6]: expected an array, found null [type]",
                "[7]: expected an array, found 7 [type]",
                #"[8]: expected an array, found "[1]" [type]"#,
            ])
        #expect(read(text, checks: []).value == nil)
    }

    @Test("a closed array of a model's fields has no further elements; the first one is reported")
    func closed() {
        let result = JSONReader.read(Array(#"[1,"a","k",2,3]"#.utf8)) { json -> Sample? in
            json.enterArray(
                required: "time name", optional: "key", nullable: "", sensitive: "",
                unknown: .refused)
            return Sample.rest(of: &json)
        }
        #expect(result.value == Sample(time: 1, name: "a", key: "k"))
        let texts = result.report.violations.map(\.description)
        #expect(texts == ["[3]: expected no such element, found the element [closed]"])
    }

    @Test(
        "an array of a model's fields that ends early, or has other marks, is no JSON",
        arguments: ["[[", "[[1", "[[1,", "[[1,]]", "[[1 2]]", "[[1,\"a\"}]", "[[1,\"a\",]"])
    func broken(text: String) {
        let (value, problems) = read(text)
        #expect(value == nil && problems.last?.hasPrefix("not JSON") == true)
    }

    @Test("an array of fields of any length, also after objects in its frame, is read to its end")
    func long() {
        let many = String(repeating: ",0", count: 1000)
        let result = JSONReader.read(Array("[{\"a\":1},[1,\"a\",\"k\"\(many)],{\"a\":2}]".utf8)) {
            json in
            json.list { json -> Int? in
                if json.kind == .array { return (json.value() as Sample?)?.time }
                json.enterObject(required: "a", optional: "")
                var value = 0
                while json.nextField() != nil { json.int(&value) }
                return json.endObject(value)
            }
        }
        #expect(result.value == [1, 1, 2] && result.report.isValid)
    }

    @Test("an array of fields is written by position; missing places at the end are left out")
    func writing() throws {
        let samples = [
            Sample(time: 1, name: "a"), Sample(time: 2), Sample(time: 3, name: "b", key: "k"),
        ]
        var writer = JSONWriter()
        writer.value(samples)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text == #"[[1,"a"],[2,null],[3,"b","k"]]"#)
        #expect(
            writer.sensitiveRanges.map { String(decoding: writer.bytes[$0], as: UTF8.self) } == [
                #""k""#
            ])
        #expect(read(text).value == samples)
        var wrong = JSONWriter()
        wrong.value([Sample(time: 0, name: "a")])
        #expect(wrong.violations.map(\.path) == ["[0][0]"])
    }
}
