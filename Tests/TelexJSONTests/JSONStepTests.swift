import TelexJSON
import Testing

@Suite("A path with steps into lists")
struct JSONStepTests {
    private func found(_ path: [JSONStep], _ text: String, upTo limit: Int = 100) -> [String] {
        JSONReader.bytes(atEach: path, in: Array(text.utf8), upTo: limit).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("a path with steps into lists finds nothing where a step does not fit")
    func missing() {
        for text in ["", "[", "1", "{}", #"{"a":1}"#, #"{"a":{}}"#, #"{"a":[]}"#, #"{"a":[1]}"#] {
            #expect(found(["a", 1], text) == [], "\(text)")
        }
        #expect(found([0], #"{"0":1}"#) == [] && found(["0"], "[1]") == [])
    }

    @Test("a path with steps into lists finds members, elements and all elements, in order")
    func values() {
        let text = #" {"b":[0],"a":[{"c":1},2,{"c":[3, 4]}], "a":[5]}"#
        #expect(found([], text).count == 1)
        #expect(found(["a", 1], text) == ["2"])
        #expect(found(["a", .each, "c"], text) == ["1", "[3, 4]"])
        #expect(found(["a", .each, "c", .each], text) == ["3", "4"])
        #expect(found(["a", .each], text, upTo: 2) == [#"{"c":1}"#, "2"])
    }

    @Test("a path with steps into lists finds what stands before a syntax error")
    func malformed() {
        #expect(found(["a", .each], #"{"a":[1,2,x]}"#) == ["1", "2"])
    }

    @Test("a path into lists counts from the end, and takes the first with the rest of the path")
    func ends() {
        let text = #"{"a":[{"c":null},{},{"c":[1]},{"c":[2,3]}]}"#
        #expect(found(["a", -1, "c", -2], text) == ["2"])
        #expect(found(["a", -4], text) == [#"{"c":null}"#])
        #expect(found(["a", -5], text) == [] && found(["a", 4], text) == [])
        #expect(found(["a", .first, "c"], text) == ["[1]"])
        #expect(found(["a", .first, "c", 1], text) == ["3"])
        #expect(found(["a", .first, "d"], text) == [])
    }

    private func values(
        _ path: [JSONStep], in text: String, mayMiss: Bool = false
    ) -> (values: [String]?, problem: String?) {
        let result = JSONReader.values(
            Array(text.utf8), in: ["r"], at: path, mayMiss: mayMiss, String.read)
        return (result.value, result.violations.first?.description)
    }

    @Test(
        "a path into lists names the level that fails, what it expected and what it found",
        arguments: [
            ("{}", "r: expected the key, found nothing"),
            (#"{"r":5}"#, "r: expected an object with the key `a`, found 5"),
            (#"{"r":{}}"#, "r.a: expected the key, found nothing"),
            (#"{"r":{"a":{}}}"#, "r.a: expected an array, found an object"),
            (#"{"r":{"a":[]}}"#, "r.a: expected an element -1, found a list of 0"),
            (#"{"r":{"a":[7]}}"#, "r.a[0]: expected an object with the key `b`, found 7"),
            (#"{"r":{"a":[0,{}]}}"#, "r.a[1].b: expected the key, found nothing"),
            (#"{"r":{"a":[{"b":1}]}}"#, "r.a[0].b: expected a string, found 1"),
            (#"{"r":{"a":[{"b":null}]}}"#, "r.a[0].b: expected a string, found null"),
        ])
    func levels(text: String, problem: String) {
        let result = values(["a", -1, "b"], in: text)
        #expect(result.values == nil && result.problem?.hasPrefix(problem) == true, "\(result)")
    }

    @Test("a path into lists may lead to nothing behind the envelope, but never to another type")
    func optional() {
        let path: [JSONStep] = ["a", 0, "b"]
        for text in ["null", "{}", #"{"a":null}"#, #"{"a":[]}"#, #"{"a":[{"b":null}]}"#] {
            #expect(values(path, in: "{\"r\":\(text)}", mayMiss: true).values == [], "\(text)")
        }
        #expect(values(path, in: "{}", mayMiss: true).values == nil)
        #expect(values(path, in: #"{"r":{"a":{}}}"#, mayMiss: true).values == nil)
        #expect(values(path, in: #"{"r":{"a":[{"b":1}]}}"#, mayMiss: true).values == nil)
    }

    @Test("a path with steps into lists reads each value there is, or the first, and nothing else")
    func several() {
        let text = #"{"r":{"x":[{"b":1}],"a":[{"b":"1"},null,{},{"b":null},{"b":"2"}]}}"#
        #expect(values(["a", .each, "b"], in: text).values == ["1", "2"])
        #expect(values(["a", .first, "b"], in: text).values == ["1"])
        #expect(values(["a", 0, "b"], in: text + "x").values == nil)
        #expect(values(["x", .each, "b"], in: text).values == nil)
        #expect(
            values(["a", .first, "c"], in: text).problem
                == "r.a: expected an element with the value, found a list of 5 [required]")
    }

    @Test("a path with steps into lists does not pass a document once for each level of lists")
    func bounded() {
        let depth = 100
        let text =
            String(repeating: "[1,", count: depth) + "2" + String(repeating: "]", count: depth)
        let limits = JSONLimits(bytes: text.utf8.count, depth: depth)
        let path = Array(repeating: JSONStep.index(-1), count: depth)
        let result = JSONReader.values(
            Array(text.utf8), in: [], at: path, mayMiss: false, limits: limits, Int.read)
        #expect(result.syntaxError?.reason == .lookAheadTooLong)
    }
}
