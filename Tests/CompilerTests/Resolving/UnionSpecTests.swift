import SpecIR
import Testing

@Suite("Unions")
struct UnionSpecTests {
    /// A reply of the type `U`, and some models to choose from.
    private func models(_ lines: String..., api: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: U }
                models:
                \(lines.map { "  \($0)\n" }.joined())
                """, api: api)
    }

    private func union(_ analysis: Analysis, _ name: String = "U") throws -> Union {
        guard case .union(let union)? = analysis.model(name)?.kind else {
            throw Missing(description: analysis.rendered)
        }
        return union
    }

    private struct Missing: Error, CustomStringConvertible { let description: String }

    // MARK: What cannot be told apart

    @Test(
        "alternatives of one kind of JSON cannot be told apart",
        arguments: [
            ("int | double", "double", "a number"), ("string | Date", "Date", "a string"),
            ("string | url", "url", "a string"), ("'[int] | [string]'", "[string]", "an array"),
            ("json | string", "string", "a string"), ("string | E", "E", "a string"),
            ("bool01 | int", "int", "a number"), ("int | D", "D", "a number"),
            ("'{string: int} | Any'", "Any", "an object"),
        ])
    func kinds(type: String, underlined: String, kind: String) throws {
        let isUnused = { (name: String) in !type.contains(name) }
        let others = [
            "E: { enum: [a] }", "D: { type: Date, as: unix }", "Any: json",
        ].filter { !isUnused(String($0.prefix { $0 != ":" })) }
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: { u: \(type) } }
                models:
                \(others.map { "  \($0)\n" }.joined())
                """)
        #expect(analysis.marks == ["T0320: \(underlined)"])
        let error = try #require(analysis.bag.all.first)
        #expect(error.message.hasSuffix("both may be \(kind) in JSON"))
        #expect(error.notes.count == 1)
    }

    @Test(
        "objects need a constant that differs, or a required key of their own",
        arguments: [
            ("{ x: int }", "{ x: string }"), ("{ x: int }", "{ x: int, y: int? }"),
            ("{ x: int, y: int }", "{ x: int, y: int? }"),
            ("{ k: { const: a } }", "{ k: { const: a } }"),
            ("{ k: { enum: [a, b] } }", "{ k: { const: c } }"),
            ("{ fields: { k: { const: a, optional: true } } }", "{ k: { const: c } }"),
        ])
    func objects(one: String, other: String) throws {
        let analysis = models("U: A | B", "A: \(one)", "B: \(other)")
        #expect(analysis.codes == ["T0320"], "\(analysis)")
        let error = try #require(analysis.bag.all.first)
        #expect(error.message.contains("`A` and `B`") || error.message.contains("`B` and `A`"))
        #expect(error.help?.contains("`tag`") == true)
    }

    @Test("a map cannot be told from an object, nor a union of objects from another object")
    func maps() {
        #expect(models("U: \"{string: int} | A\"", "A: { x: int }").codes == ["T0320"])
        let nested = models(
            "U: V | A", "V: { one-of: { a: A }, tag: t }", "A: { x: int }")
        #expect(nested.codes == ["T0320"])
    }

    @Test("an object with further keys is told apart by a constant or a tag only")
    func openObjects() {
        let open = "A: { additional: string, fields: { a: int } }"
        #expect(models("U: A | B", open, "B: { b: int }").codes == ["T0320"])
        let constants = models(
            "U: A | B", "A: { additional: string, fields: { k: { const: a } } }",
            "B: { k: { const: b } }")
        #expect(constants.codes == [])
        let tagged = "U: { one-of: { a: A, b: B }, tag: k }"
        #expect(models(tagged, open, "B: { b: int }").marks == ["T0321: a"])
        #expect(
            models(tagged, "A: { a: int }", "B: { closed: true, fields: { b: int } }").marks == [
                "T0321: b"
            ])
        let declared = "B: { closed: true, fields: { k: { const: b } } }"
        #expect(models(tagged, "A: { a: int }", declared).codes == [])
    }

    @Test("a union is split if its alternatives differ between replies and requests")
    func directions() throws {
        let analysis = Analysis(
            users: """
                methods:
                  set: { post: a, json: { u: U, v: V }, returns: U }
                models:
                  U: { one-of: { a: A, b: B }, tag: t }
                  V: { one-of: [A, int] }
                  A:
                    t: { const: a, only: reply }
                    id: { type: int, only: reply }
                    x: int
                  B: { y: int, u: U? }
                """)
        #expect(analysis.rendered.isEmpty)
        let sent = try union(analysis, "U.Input")
        #expect(sent.cases.map(\.value.type) == [.object("A.Input"), .object("B.Input")])
        #expect(sent.cases[0].tagField == nil)
        #expect(try union(analysis).cases[0].tagField != nil)
        #expect(try union(analysis, "V").cases[0].value.type == .object("A.Input"))
        #expect(analysis.field("B.Input", "u")?.value.type == .union("U.Input"))
        let late = models(
            "U: A | B", "A: { a: { type: int, only: request }, x: int }", "B: { x: int, b: int }")
        #expect(late.codes == ["T0320"])
    }

    @Test("a union that is an alternative of itself has no other kind of JSON")
    func itself() {
        #expect(models("U: U | string").codes == ["T0320"])
        #expect(models("U: '[U] | string'").codes == [])
    }

    // MARK: What is incomplete

    @Test(
        "a union that is incomplete or contradicts itself is an error at its place",
        arguments: [
            ("{ one-of: [] }", "T0321: one-of"), ("{ one-of: [A] }", "T0321: one-of"),
            ("{ one-of: {}, tag: t }", "T0321: one-of"), ("{ one-of: A }", "T0102: A"),
            ("{ one-of: [A, string], tag: t }", "T0321: t"),
            ("{ one-of: { a: A, s: string }, tag: t }", "T0321: s"),
            ("{ one-of: { a: A | null }, tag: t }", "T0321: a"),
            ("{ one-of: { a: A, b: string }, content: c }", "T0321: c"),
            ("{ one-of: { a: A }, tag: $key, content: c }", "T0321: c"),
            ("{ one-of: { a: A }, tag: t, content: t }", "T0321: t"),
            ("{ one-of: { t: A }, tag: t, content: $tag }", "T0321: $tag"),
            ("{ one-of: [A, { enum: [a] }] }", "T0321: [a]"),
            ("{ one-of: [A, string | null] }", "T0321: string"),
            ("{ one-of: [A, string?] }", "T0310: ?"),
            ("{ one-of: { a: A, s: { type: string, default: x } }, tag: $key }", "T0311: default"),
            ("{ one-of: { a: A, s: string }, tag: $key, type: int }", "T0105: type"),
            ("{ fields: { a: A }, tag: t }", "T0311: tag"),
            ("{ one-of: { a: A, 'a ': A }, tag: t }", "T0701: 'a '"),
            ("{ one-of: { 1: A, 01: A }, tag: t }", "T0305: 01"),
        ])
    func incomplete(type: String, mark: String) {
        let analysis = models("U: \(type)", "A: { x: int }")
        #expect(analysis.marks.contains(mark), "\(analysis)")
        #expect(analysis.bag.errorCount <= 2, "\(analysis)")
    }

    @Test(
        "a field that is the tag must be able to hold it, always",
        arguments: [
            ("{ const: b }", "cannot be `a`"), ("{ enum: [b, c] }", "cannot be `a`"),
            ("string?", "may be missing or null"), ("string | null", "may be missing or null"),
            ("int", "is an integer"), ("bool", "cannot hold a tag"),
        ])
    func declaredTag(type: String, problem: String) throws {
        let analysis = models("U: { one-of: { a: A }, tag: t }", "A: { t: \(type) }")
        #expect(analysis.marks == ["T0321: a"])
        #expect(analysis.bag.all.first?.message.contains(problem) == true)
        for fine in ["{ const: a }", "{ enum: [a, b] }", "string"] {
            #expect(models("U: { one-of: { a: A }, tag: t }", "A: { t: \(fine) }").codes == [])
        }
    }

    @Test(
        "a union cannot be sent as text, and its rules belong to the alternatives",
        arguments: ["query", "headers"])
    func text(section: String) {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, \(section): { a: int | string } }
                  set: { post: b, json: { b: { type: int | string, max: 3 } } }
                """)
        #expect(analysis.marks == ["T0303: int | string", "T0401: max"])
        #expect(analysis.bag.all.first?.message.hasPrefix("a union cannot be used in") == true)
    }

    @Test(
        "the words of JSON Schema lead to those of the language",
        arguments: [
            ("oneOf", "`one-of: ["), ("anyOf", "`one-of: ["), ("allOf", "`with: ["),
        ])
    func schema(key: String, word: String) {
        let analysis = models(
            "U: { \(key): [A, B], discriminator: { propertyName: t } }", "A: { x: int }",
            "B: { y: int }")
        #expect(analysis.marks.first == "T0101: \(key)", "\(analysis)")
        #expect(analysis.bag.all.first?.help?.contains(word) == true, "\(analysis)")
        #expect(models("U: { any-of: [int, string] }").codes == ["T0104"])
    }

    // MARK: Meaning

    @Test("the kinds of JSON tell apart, then constants, then keys")
    func distinctions() throws {
        let kinds = try union(models("U: string | [A] | A | int | bool", "A: { x: int }"))
        #expect(kinds.discriminator == .kind(.one))
        #expect(kinds.cases.map(\.name) == ["string", "list", "a", "int", "bool"])
        let constants = try union(
            models(
                "U: A | B | string", "A: { x: int, k: { const: a } }",
                "B: { k: { enum: [b] }, x: int }"))
        #expect(constants.discriminator == .kind(.key("k")))
        #expect(constants.cases.map(\.tag) == ["a", "b", ""])
        let numbers = try union(
            models("U: A | B", "A: { k: { const: 1 } }", "B: { k: { const: 2 } }"))
        #expect(numbers.tagsAreIntegers)
        let keys = try union(
            models("U: A | B", "A: { x: int, a: int? , c: int }", "B: { b: int, x: int }"))
        #expect(keys.discriminator == .kind(.ownKeys))
        #expect(keys.cases.map(\.tag) == ["c", "b"])
    }

    @Test("`tag` and `content` name the keys, and the alternatives their values")
    func tags() throws {
        let inside = try union(
            models(
                "U: { one-of: { first_one: A, init: A }, tag: t, closed: true }", "A: { x: int }"))
        #expect(inside.discriminator == .key("t"))
        #expect(inside.isClosed)
        #expect(inside.cases.map(\.name) == ["firstOne", "initValue"])
        #expect(inside.cases.map(\.tag) == ["first_one", "init"])
        let beside = try union(
            models(
                "U: { one-of: { a: A, s: { type: string, doc: Text., swift: { name: words } } }, "
                    + "tag: t, content: $tag }", "A: { x: int }"))
        #expect(beside.discriminator == .content(nil, tag: "t"))
        #expect(beside.cases.last?.name == "words")
        let fixed = try union(
            models("U: { one-of: { 1: A, 2: [A] }, tag: t, content: d }", "A: { x: int }"))
        #expect(fixed.discriminator == .content("d", tag: "t"))
        #expect(fixed.tagsAreIntegers)
        #expect(fixed.cases.map(\.name) == ["value1", "value2"])
    }

    @Test("an inline union is named after its field, and does not hide a model of that name")
    func inline() throws {
        let analysis = models(
            "U: { owner: A | string, user: User | int, all: [\"A | B\"] }", "A: { x: int }",
            "B: { y: int }", "User: { id: int }")
        #expect(analysis.rendered.isEmpty)
        #expect(try union(analysis, "U.Owner").cases.count == 2)
        #expect(try union(analysis, "U.UUser").cases.first?.value.type == .object("User"))
        #expect(try union(analysis, "U.All").cases.count == 2)
    }

    @Test("models that only alternatives refer to are used, read and written")
    func usage() {
        let analysis = Analysis(
            users: """
                methods:
                  set: { post: a, json: { u: U }, returns: U }
                models:
                  U: { one-of: { a: A, b: { c: C } }, tag: t }
                  A: { x: int }
                  C: { y: int }
                """)
        #expect(analysis.rendered.isEmpty)
        for name in ["U", "A", "U.B", "C"] {
            #expect(analysis.model(name)?.isRead == true)
            #expect(analysis.model(name)?.isWritten == true)
        }
    }

    // MARK: Recursion

    @Test("an alternative on a cycle is boxed, and one alternative that ends is enough")
    func cycles() throws {
        let analysis = models("U: A | B | int", "A: { u: U }", "B: { v: [U], w: int }")
        #expect(analysis.rendered.isEmpty)
        #expect(try union(analysis).cases.map(\.isIndirect) == [true, false, false])
        #expect(analysis.field("A", "u")?.isIndirect == false)
    }

    @Test("the alternatives of a union are boxed if they are large together")
    func large() throws {
        let texts = { (count: Int) in (0..<count).map { "t\($0): string" }.joined(separator: ", ") }
        let light = models("U: A | int", "A: { \(texts(16)) }")
        #expect(try union(light).cases.map(\.isIndirect) == [false, false])
        let heavy = Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: U }
                models:
                  U: { one-of: { a: { \(texts(12)) }, b: { \(texts(5)) }, c: { \(texts(4)) } }, tag: t }
                """)
        #expect(heavy.rendered.isEmpty)
        #expect(try union(heavy).cases.map(\.isIndirect) == [true, true, false])
    }

    @Test("a union of which each alternative contains it again is endless")
    func endless() {
        let analysis = models("U: A | B", "A: { u: U }", "B: { b: int, c: A }")
        #expect(analysis.marks == ["T0301: U"])
        #expect(analysis.bag.all.first?.label == "U → A → U")
        #expect(models("U: A | B", "A: { u: U }", "B: { b: int }").rendered.isEmpty)
    }

    @Test("a chain of a thousand unions has no diagnostics")
    func chain() {
        let lines =
            (0..<1000).map { "U\($0): { one-of: { next: M\($0) }, tag: t }" }
            + (0..<1000).map { "M\($0): { u: U\($0 + 1) }" } + ["U1000: string | int"]
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: U0 }
                models:
                \(lines.reversed().map { "  \($0)\n" }.joined())
                """)
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.model("U1000")?.isRead == true)
    }

    // MARK: Conformances and secrets

    @Test("the conformances of a union reach its alternatives")
    func conformances() throws {
        let analysis = models(
            "U: { one-of: { a: A, f: [B] }, tag: $key, conforms: [Hashable] }", "A: { x: int }",
            "B: { y: int }")
        #expect(analysis.model("A")?.conformances == [.hashable])
        #expect(analysis.model("B")?.conformances == [.hashable])
        let identified = models(
            "U: { one-of: [string, int], conforms: [Identifiable] }")
        #expect(identified.marks == ["T0311: Identifiable"])
    }

    @Test("a field is sensitive if an alternative may be the secret that its name announces")
    func secrets() {
        let analysis = models(
            "U: { password: string | int, token: V, other: V, key: W, pay: X, list: [X] }",
            "V: string | int", "W: A | B", "A: { a: int }", "B: { b: int }",
            "X: { one-of: [Y, int] }", "Y: { type: string, sensitive: true }")
        let sensitive = ["password", "token", "other", "key", "pay", "list"].filter {
            analysis.field("U", $0)?.isSensitive == true
        }
        #expect(sensitive == ["password", "token", "pay", "list"])
    }

    @Test("an unknown alternative is redacted where a known one holds a secret, at any depth")
    func unknownSecrets() throws {
        let analysis = models(
            "U: { one-of: { a: A, b: B }, tag: t }", "A: { x: int }", "B: { c: [C] }",
            "C: { pin: { type: int, sensitive: true } }")
        #expect(try union(analysis).redactsUnknown)
        #expect(try !union(models("U: A | int", "A: { x: int }")).redactsUnknown)
    }
}
