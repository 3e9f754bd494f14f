import SpecIR
import Testing

@Suite("Fields inside nested objects, and keys of maps")
struct FieldPathTests {
    private func user(_ fields: String, models: String = "", put: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: User }
                  put: { put: users \(put) }
                models:
                  User: \(fields)
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    @Test("`at` is a path, `key` a literal key")
    func paths() throws {
        let analysis = user("{ a: { at: x.y.z, type: int }, b: { key: x.y, type: int? } }")
        let deep = try #require(analysis.field("User", "a"))
        #expect(deep.steps == ["x", "y"])
        #expect(deep.key == "z")
        let literal = try #require(analysis.field("User", "b"))
        #expect(literal.steps == [])
        #expect(literal.key == "x.y")
    }

    @Test(
        "a field inside a nested object that makes no sense is reported at its place",
        arguments: [
            ("{ a: { at: x.y, type: int }, b: { at: x.y, type: int } }", "T0313: x.y"),
            ("{ a: { at: x.y, type: int }, x: int }", "T0313: x.y"),
            ("{ a: { at: x.y.z, type: int }, b: { at: x.y, type: int } }", "T0313: x.y.z"),
            ("{ a: { at: x.y, key: z, type: int } }", "T0105: x.y"),
            ("{ a: { at: none, type: int } }", "T0102: none"),
            ("{ a: { at: \"x[0].y\", type: int } }", "T0111: [0]"),
            ("{ a: { type: [int], items: { at: x } } }", "T0101: at"),
        ])
    func refusal(fields: String, mark: String) {
        let analysis = user(fields)
        #expect(analysis.marks.contains(mark), "\(analysis)")
        #expect(analysis.api == nil)
    }

    @Test("a model that requests send can have fields in nested objects in replies alone")
    func sent() {
        let put = ", body: User"
        let analysis = user("{ a: { at: x.y, type: int }, b: int }", put: put)
        #expect(analysis.marks == ["T0311: a"])
        let reply = user("{ a: { at: x.y, type: int, only: reply }, b: int }", put: put)
        #expect(reply.codes == [])
        #expect(reply.model("User.Input") != nil)
    }

    @Test("the keys of a map may be an alias, whose rules they obey")
    func keys() throws {
        let analysis = user(
            "{ a: \"{ID: int}\", b: \"[{Name: int}]\", c: \"{Level: int}\" }",
            models: "ID: { type: int, min: 1 }\nName: { type: ID2, max-length: 3 }\n"
                + "ID2: string\nLevel: Kind\nKind: { enum: [a] }")
        #expect(analysis.codes == [])
        let a = try #require(analysis.field("User", "a")?.value)
        #expect(a.type == .map(.int, Value(.integer(.int, from: .native))))
        #expect(a.keyRules == [Rule(.min, .number("1"))])
        guard case .list(let b)? = analysis.field("User", "b")?.value.type else {
            Issue.record("\(analysis)")
            return
        }
        #expect(b.keyRules == [Rule(.maxLength, .count(3))])
        #expect(analysis.field("User", "c")?.value.type.description == "map of Kind")
    }

    @Test(
        "an alias that cannot be a key is an error",
        arguments: [
            "double", "[int]", "int | null", "{ type: string, sensitive: true }", "Missing",
        ])
    func badKeys(alias: String) {
        let analysis = user("{ a: \"{Key: int}\" }", models: "Key: \(alias)")
        #expect(analysis.api == nil)
        #expect(analysis.codes.allSatisfy { ["T0308", "T0201"].contains($0) }, "\(analysis)")
    }

    @Test("a default is checked against the rules of the keys")
    func defaults() {
        let analysis = user(
            "{ a: { type: \"{Name: int}\", default: { abcd: 1 } } }",
            models: "Name: { type: string, max-length: 3 }")
        #expect(analysis.codes == ["T0405"], "\(analysis)")
    }
}

extension ValueType {
    /// The type in a message of a test.
    fileprivate var description: String {
        if case .map(.enumeration(let name), _) = self { "map of \(name)" } else { "other" }
    }
}
