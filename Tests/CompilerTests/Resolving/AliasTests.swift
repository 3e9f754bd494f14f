import SpecIR
import Testing

@Suite("Aliases are other names for types")
struct AliasTests {
    private func user(_ field: String, _ models: String) -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: User }
                models:
                  User: { field: \(field) }
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    @Test("rules of the alias come before those of its use")
    func rules() throws {
        let analysis = user(
            "{ type: Mail, min-length: 6 }",
            "Mail: { type: string, format: email, max-length: 254 }")
        let field = try #require(analysis.field("User", "field"))
        #expect(field.value.alias == "Mail")
        #expect(
            field.value.rules == [
                Rule(.format, .format("email")), Rule(.maxLength, .count(254)),
                Rule(.minLength, .count(6)),
            ])
    }

    @Test("an alias of an alias has the rules of both")
    func chain() throws {
        let analysis = user(
            "Work", "Work: { type: Mail, suffix: .com }\nMail: { type: string, length: 9 }")
        let field = try #require(analysis.field("User", "field"))
        #expect(field.value.rules == [Rule(.length, .count(9)), Rule(.suffix, .text(".com"))])
        #expect(field.value.alias == "Work")
    }

    @Test("an alias carries null, lists, maps and encodings")
    func shapes() throws {
        let analysis = user(
            "Days", "Days: \"{string: [Day]} | null\"\nDay: { type: Date, as: date }")
        let value = try #require(analysis.field("User", "field")?.value)
        #expect(value.isNullable)
        guard case .map(.string, let list) = value.type, case .list(let day) = list.type else {
            Issue.record("\(value)")
            return
        }
        #expect(day.type == .date(.date))
    }

    @Test("a default is checked against the rules of the alias")
    func defaults() {
        let analysis = user("{ type: Age, default: 5 }", "Age: { type: int, min: 18 }")
        #expect(analysis.marks == ["T0405: 5"])
    }

    @Test("rules of alias and use that contradict each other are reported at the use")
    func contradiction() {
        let analysis = user("{ type: Age, max: 5 }", "Age: { type: int, min: 18 }")
        #expect(analysis.marks == ["T0403: max"])
    }

    @Test("an alias has no default and cannot be optional")
    func attributes() {
        let analysis = user("Age", "Age: { type: int?, default: 5, conforms: [Hashable] }")
        #expect(analysis.marks == ["T0310: ?", "T0311: default", "T0311: conforms"])
    }

    @Test("an unknown type in an alias is reported once, wherever the alias is used")
    func unknown() {
        let analysis = user("Ages", "Ages: [Age]\nAge: { type: Number, min: 1 }\nMore: [Age]")
        #expect(analysis.marks == ["T0201: Number"])
    }

    @Test(
        "the help names the equivalent of a type name of another language",
        arguments: [
            ("Number", "double"), ("boolean", "bool"), ("integer", "int"), ("float", "double"),
            ("date", "Date"), ("datetime", "Date"),
        ])
    func otherWords(word: String, name: String) {
        let analysis = user("A", "A: { fields: { b: \(word) } }")
        #expect(analysis.marks == ["T0201: \(word)"])
        #expect(analysis.bag.all.first?.help == "the equivalent is `\(name)`")
    }

    @Test("a cycle of aliases is reported once")
    func circle() {
        let analysis = user("A", "A: [B]\nB: \"{string: C}\"\nC: A\nD: [C]")
        #expect(analysis.marks == ["T0302: A"])
        #expect(analysis.bag.all.first?.label == "A → B → C → A")
    }

    @Test("elements of aliases are checked where the alias is used")
    func places() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: users.get, query: { all: Users, flags: Flags }, returns: User }
                  set: { post: users.set, json: { flags: Flags } }
                models:
                  User: { id: int }
                  Users: [User]
                  Flags: [Flag]
                  Flag: { type: bool, as: presence }
                """)
        #expect(analysis.marks == ["T0303: Users", "T0303: Flags"])
    }

    @Test("a chain of a thousand aliases resolves, in any order of declaration")
    func longChain() {
        let chain = (0..<1000).map { "A\($0): A\($0 + 1)" } + ["A1000: int"]
        for order in [chain, chain.reversed()] {
            let analysis = user("A0", order.joined(separator: "\n"))
            #expect(analysis.field("User", "field")?.value.type == .integer(.int, from: .native))
        }
    }

    @Test("nested lists of aliases are limited")
    func pile() {
        let chain = (0..<500).map { "A\($0): [[[A\($0 + 1)]]]" } + ["A500: int"]
        #expect(user("A0", chain.joined(separator: "\n")).codes == ["T0010"])
    }

    @Test("the rules of an alias chain are limited, and reported once")
    func pileOfRules() {
        let chain = (0..<500).map { "A\($0): { type: A\($0 + 1), min: \(-$0) }" } + ["A500: int"]
        let analysis = user("A0", chain.joined(separator: "\n"))
        #expect(analysis.marks == ["T0010: A399"])
        #expect(user("A400", chain.joined(separator: "\n")).codes == ["T0010"])
    }
}
