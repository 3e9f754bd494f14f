import Testing

@testable import TelexJSON

/// What generated code makes of `{ one-of: { leaf: …, pair: … }, tag: type }`.
private indirect enum Tree: JSONReadable, Hashable {
    case leaf(Leaf)
    case branch(Branch)
    case unknown(JSONValue)

    struct Leaf: JSONReadable, Hashable {
        let size: Int

        static func read(from json: inout JSONReader) -> Leaf? {
            json.enterObject(required: "size", optional: "")
            var size = 0
            while json.nextField() != nil { json.int(&size) }
            return json.endObject(Leaf(size: size))
        }
    }

    struct Branch: JSONReadable, Hashable {
        let next: Tree

        static func read(from json: inout JSONReader) -> Branch? {
            json.enterObject(required: "next", optional: "")
            var next: Tree?
            while json.nextField() != nil { json.read(&next) }
            guard json.endObject(), let next else { return nil }
            return Branch(next: next)
        }
    }

    static func read(from json: inout JSONReader) -> Tree? {
        switch json.tag("type") {
        case "leaf"?: return json.value().map(Self.leaf)
        case "branch"?: return json.value().map(Self.branch)
        case nil: return nil
        default: return json.value().map(Self.unknown)
        }
    }

    /// Nested branches whose tags come last.
    static func text(depth: Int) -> String {
        String(repeating: #"{"next":"#, count: depth) + #"{"type":"leaf","size":1}"#
            + String(repeating: #","type":"branch"}"#, count: depth)
    }
}

@Suite("Reading and writing unions")
struct UnionTests {
    private func read<T>(
        _ text: String, limits: JSONLimits = JSONLimits(), _ body: (inout JSONReader) -> T?
    ) -> JSONResult<T> {
        JSONReader.read(Array(text.utf8), limits: limits, body)
    }

    private func tree(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONResult<Tree> {
        read(text, limits: limits) { $0.value() }
    }

    // MARK: The tag inside the object

    @Test(
        "the tag may stand anywhere, and be escaped",
        arguments: [
            #"{"type":"leaf","size":7}"#, #"{"size":7,"type":"leaf"}"#,
            #" { "x" : [{"type":1}], "size" : 7 , "typ\u0065" : "lea\u0066" } "#,
        ])
    func places(text: String) {
        let result = tree(text)
        #expect(result.value == .leaf(Tree.Leaf(size: 7)))
        #expect(result.report == ValidationReport())
    }

    @Test("the whole value of an unknown alternative is kept")
    func unknown() {
        let result = tree(#"{"a":[1],"type":"root","b":null}"#)
        #expect(result.value == .unknown(["a": [1], "type": "root", "b": nil]))
    }

    @Test(
        "a missing tag and a tag of the wrong kind are violations at the place of the tag",
        arguments: [
            (#"{"size":7}"#, "type: expected the key, found nothing [required]"),
            (#"{"type":null,"size":7}"#, "type: expected a string, found null [type]"),
            (#"{"size":7,"type":{"x":1}}"#, "type: expected a string, found an object [type]"),
            (#"[1]"#, "$: expected an object, found an array [type]"),
            ("null", "$: expected an object, found null [type]"),
            (
                #"{"type":"branch","next":{"size":1}}"#,
                "next.type: expected the key, found nothing [required]"
            ),
            (
                #"{"next":{"size":"x","type":"leaf"},"type":"branch"}"#,
                "next.size: expected an integer, found \"x\" [type]"
            ),
        ])
    func problems(text: String, violation: String) {
        let result = tree(text)
        #expect(result.value == nil)
        #expect(result.report.violations.map(\.description) == [violation])
    }

    @Test("reading goes on after an alternative that could not be read")
    func after() {
        let result = read(#"[{"size":1},{"type":"leaf","size":2},{"type":3}]"#) { json in
            json.list { (json: inout JSONReader) -> Tree? in json.value() }
        }
        #expect(result.report.violations.map(\.path) == ["[0].type", "[2].type"])
    }

    @Test("an unknown tag of a closed union names the known ones")
    func closed() {
        let result = read(#"{"kind":"c","x":1}"#) { $0.tag("kind", known: ["a", "b"]) }
        #expect(result.value == nil)
        #expect(
            result.report.violations.map(\.description) == [
                "kind: expected one of a, b, found c [type]"
            ])
    }

    @Test("integers are tags, too")
    func integers() {
        #expect(read(#"{"x":0,"t":12}"#) { $0.tag("t", from: .int) }.value == "12")
        let text = read(#"{"t":"12"}"#) { $0.tag("t", from: .int) }
        #expect(text.report.violations.map(\.path) == ["t"])
    }

    @Test(
        "a syntax error before the tag is reported once, with its place",
        arguments: [#"{"next":{"#, #"{"next":{]}"#, #"{"size":01,"type":"leaf"}"#, #"{"size""#])
    func syntax(text: String) {
        let result = tree(text)
        #expect(result.value == nil)
        #expect(result.report.syntaxError != nil)
        #expect(result.report.violations.isEmpty)
    }

    // MARK: Bounds

    @Test("nesting is limited as elsewhere, also within a look-ahead")
    func depth() {
        #expect(tree(Tree.text(depth: 100)).report.isValid)
        let deep = tree(Tree.text(depth: 128))
        #expect(deep.report.syntaxError?.reason == .tooDeep(limit: 128))
    }

    @Test("look-aheads pass a limited number of bytes")
    func lookAhead() {
        let text = Tree.text(depth: 100)
        let limits = JSONLimits(bytes: text.utf8.count)
        #expect(tree(text, limits: limits).report.syntaxError?.reason == .lookAheadTooLong)
        let wide = "[" + Array(repeating: Tree.text(depth: 10), count: 100).joined(separator: ",")
        let all = read(wide + "]", limits: JSONLimits(bytes: wide.utf8.count + 1)) { json in
            json.list { (json: inout JSONReader) -> Tree? in json.value() }
        }
        #expect(all.value?.count == 100)
    }

    // MARK: The value of a key

    @Test("the content may stand before the tag, and other keys are skipped")
    func content() {
        let result = read(#"{"data":{"size":3},"x":[],"type":"leaf"}"#) { json -> Tree.Leaf? in
            json.tag("type") == "leaf" ? json.content("data") : nil
        }
        #expect(result.value == Tree.Leaf(size: 3))
        #expect(result.report.isValid)
    }

    @Test(
        "content that is missing, wrong or there twice is a violation with its path",
        arguments: [
            (#"{"type":"a"}"#, "data: expected the key, found nothing [required]"),
            (#"{"data":{}}"#, "data.size: expected the key, found nothing [required]"),
            (#"{"data":null}"#, "data: expected an object, found null [type]"),
            (
                #"{"data":{"size":1},"data":{"size":2}}"#,
                "data: expected the key once, found it again [duplicate]"
            ),
        ])
    func contentProblems(text: String, violation: String) {
        let result = read(text) { json -> Tree.Leaf? in json.content("data") }
        #expect(result.report.violations.map(\.description) == [violation])
    }

    @Test("the only key is read with its value; a second key is a violation")
    func onlyKey() {
        let text = #"{"made":{"size":1}}"#
        #expect(read(text) { $0.onlyKey() }.value == "made")
        let second = read(#"{"made":{"size":1},"b":2}"#) { json -> Tree.Leaf? in
            json.content("made", isOnly: true)
        }
        #expect(second.value == Tree.Leaf(size: 1))
        #expect(
            second.report.violations.map(\.description) == [
                "b: expected no such key, found the key [closed]"
            ])
    }

    @Test(
        "an object without keys, or with an unknown one, has no only key",
        arguments: [
            ("{}", "$: expected an object with one key, found an object without keys [type]"),
            (#"{"c":{}}"#, "c: expected one of a, b, found c [type]"),
            ("7", "$: expected an object, found 7 [type]"),
        ])
    func noKey(text: String, violation: String) {
        let result = read(text) { $0.onlyKey(known: ["a", "b"]) }
        #expect(result.value == nil)
        #expect(result.report.violations.map(\.description) == [violation])
    }

    // MARK: Keys of their own

    @Test("the first key of a list of keys tells objects apart")
    func firstKey() {
        let text = #"{"x":{"radius":1},"si\u0064e":2}"#
        #expect(read(text) { $0.firstKey(among: "radius side") }.value == 1)
        let keys = JSONKeys(required: ["a b", "x"])
        #expect(read(text) { $0.firstKey(among: keys) }.value == 1)
        let none = read(#"{"x":1}"#) { json -> JSONValue? in
            json.firstKey(among: "radius side") == nil ? json.value() : nil
        }
        #expect(none.value == ["x": 1])
        #expect(none.report.isValid)
    }

    @Test("a value of another kind is refused with the expected kinds")
    func refused() {
        let result = read("true") { json -> Int? in json.refuse(expected: "a string or a number") }
        #expect(
            result.report.violations.map(\.description) == [
                "$: expected a string or a number, found true [type]"
            ])
    }

    // MARK: Writing

    @Test("a tag is the first member of the next object only")
    func writtenTag() {
        var json = JSONWriter()
        json.beginArray()
        json.tag("type", "a")
        json.value(["x": 1] as JSONValue)
        json.tag("type", 2)
        json.value([:] as JSONValue)
        json.value(["y": ["z": 2]] as JSONValue)
        json.endArray()
        let text = #"[{"type":"a","x":1},{"type":2},{"y":{"z":2}}]"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
    }

    /// An unknown alternative, as a union writes it.
    private struct Unknown: JSONWritable {
        let value: JSONValue

        func write(to json: inout JSONWriter) { json.unknownAlternative(value) }
    }

    @Test("an unknown alternative is kept when an app writes it for itself")
    func keptUnknown() throws {
        #expect(
            try Unknown(value: ["type": "new", "x": 1]).jsonValue() == ["type": "new", "x": 1])
    }

    @Test("an unknown alternative is not sent")
    func refusedUnknown() {
        var json = JSONWriter()
        json.beginObject()
        json.key("part")
        json.unknownAlternative(["type": "new"])
        json.endObject()
        #expect(json.violations.map(\.path) == ["part"])
        #expect(json.violations.map(\.rule) == ["one-of"])
    }
}
