import TelexJSON
import Testing

@Suite("A path with steps into lists")
struct JSONStepTests {
    private func found(_ path: [JSONStep], _ text: String, upTo limit: Int = 100) -> [String] {
        JSONReader.bytes(atEach: path, in: Array(text.utf8), upTo: limit).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("finds nothing where a step does not fit")
    func missing() {
        for text in ["", "[", "1", "{}", #"{"a":1}"#, #"{"a":{}}"#, #"{"a":[]}"#, #"{"a":[1]}"#] {
            #expect(found(["a", 1], text) == [], "\(text)")
        }
        #expect(found([0], #"{"0":1}"#) == [] && found(["0"], "[1]") == [])
    }

    @Test("finds members, elements and all elements, in order")
    func values() {
        let text = #" {"b":[0],"a":[{"c":1},2,{"c":[3, 4]}], "a":[5]}"#
        #expect(found([], text).count == 1)
        #expect(found(["a", 1], text) == ["2"])
        #expect(found(["a", .each, "c"], text) == ["1", "[3, 4]"])
        #expect(found(["a", .each, "c", .each], text) == ["3", "4"])
        #expect(found(["a", .each], text, upTo: 2) == [#"{"c":1}"#, "2"])
    }

    @Test("finds what stands before a syntax error")
    func malformed() {
        #expect(found(["a", .each], #"{"a":[1,2,x]}"#) == ["1", "2"])
    }
}
