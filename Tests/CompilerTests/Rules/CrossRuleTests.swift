import SpecIR
import Testing

@Suite("Rules between fields and between parameters")
struct CrossRuleTests {
    /// A method with parameters of every kind of type and one rule.
    private func method(_ rule: String) -> Analysis {
        Analysis(
            users: """
                methods:
                  find:
                    post: users.find
                    form:
                      start: Date?
                      end: Date?
                      low: int
                      high: int32?
                      share: double?
                      price: decimal?
                      name: string?
                      nick: string?
                      method: PayMethod?
                      level: Level?
                      paid: bool?
                      tags: "[string]?"
                      site: url?
                      wait: Duration?
                      rest: Duration?
                      v: { const: 5 }
                      odd-name: string?
                    rules: [\(rule)]
                models:
                  PayMethod: { enum: { card: CARD, cash: CASH } }
                  Level: { enum: { none: 0, some: 1 }, type: int }
                """)
    }

    private func rule(_ text: String) -> CrossRule? {
        method(text).method("users.find")?.rules.first
    }

    @Test("a rule has the name of its kind, or an id, and the rest of the long form")
    func options() throws {
        #expect(rule("{ at-most-one: [name, nick] }")?.name == "at-most-one")
        let text = "{ id: a, expr: low > 1, message: m, severity: warning, on: send }"
        let long = try #require(rule(text))
        #expect(long.name == "a" && long.message == "m" && long.isWarning)
        #expect(long.direction == .send && long.fields == ["low"] && long.text == "`low > 1`")
    }

    @Test("named rules are expressions")
    func named() {
        let (name, nick) = (RuleExpression.isPresent("name"), RuleExpression.isPresent("nick"))
        let one = RuleExpression.constant(.integer("1"), .integer(.int, from: .native))
        let count = RuleExpression.presentCount(["name", "nick"])
        #expect(rule("{ at-least-one: [name, nick] }")?.condition == .or(name, nick))
        #expect(
            rule("{ exactly-one: [name, nick] }")?.condition == .compared(.equal, count, one))
        #expect(
            rule("{ required-if: { name: present(nick) } }")?.condition == .or(.not(nick), name))
        #expect(
            rule("{ forbidden-if: { name: paid } }")?.condition
                == .or(.not(.isTrue("paid")), .not(name)))
        #expect(
            rule("{ less-than: [start, end] }")?.condition
                == .compared(.less, .field("start"), .field("end")))
    }

    @Test("operators bind as usual")
    func precedence() {
        let parts = ["paid", "present(name)", "present(nick)"]
        func condition(_ text: String) -> RuleExpression? { rule("{ expr: '\(text)' }")?.condition }
        #expect(
            condition("\(parts[0]) or \(parts[1]) and not \(parts[2])")
                == .or(.isTrue("paid"), .and(.isPresent("name"), .not(.isPresent("nick")))))
        #expect(
            condition("(\(parts[0]) or \(parts[1])) and \(parts[2])")
                == .and(.or(.isTrue("paid"), .isPresent("name")), .isPresent("nick")))
        #expect(
            condition("low + low * low - 1.5 < price")
                == .compared(
                    .less,
                    .arithmetic(
                        .difference,
                        .arithmetic(
                            .sum, .decimal(.field("low")),
                            .arithmetic(
                                .product, .decimal(.field("low")), .decimal(.field("low")))),
                        .constant(.number("1.5"), .decimal(from: .native))), .field("price")))
    }

    @Test("a literal has the type of what it is compared with; numbers of two types are decimal")
    func literals() {
        let text = ValueType.string(from: .native)
        let cases: [(String, RuleExpression)] = [
            ("low == -3", .constant(.integer("-3"), .integer(.int, from: .native))),
            ("low == 3.5", .constant(.number("3.5"), .decimal(from: .native))),
            ("share == 0.5", .constant(.number("0.5"), .double(from: .native))),
            ("high == 3000000000", .constant(.number("3000000000"), .decimal(from: .native))),
            ("low == high", .decimal(.field("high"))),
            ("name == \"x\"", .constant(.string("x"), text)),
            (
                "method == 'CASH'",
                .constant(
                    .enumerationCase("cash"), .enumeration("PayMethod", isInteger: false))
            ),
            (
                "level == 0",
                .constant(
                    .enumerationCase("noneValue"), .enumeration("Level", isInteger: true))
            ),
            ("end == '2026-01-31'", .constant(.string("2026-01-31"), .date(.dateTime))),
        ]
        for (source, expected) in cases {
            let text = "{ expr: \"\(source.replacing("\"", with: "\\\""))\" }"
            guard case .compared(.equal, _, let right)? = rule(text)?.condition else {
                Issue.record("\(source): \(method("{ expr: \"\(source)\" }"))")
                continue
            }
            #expect(right == expected)
        }
    }

    @Test(
        "a mistake is reported at its place in the expression",
        arguments: [
            ("low <", "T0408: "), ("low = 3", "T0408: ="), ("(low > 3", "T0408: "),
            ("nme == 'a'", "T0408: nme"), ("low > 'a'", "T0408: low > 'a'"), ("low", "T0408: low"),
            ("name < nick", "T0408: name < nick"), ("1 == 1", "T0408: 1 == 1"),
            ("method == 'card'", "T0408: 'card'"), ("end > '2026-02-30'", "T0408: '2026-02-30'"),
            ("size(tags) > 1", "T0408: size"), ("length(tags) > 1", "T0408: tags"),
            ("count(name) > 1", "T0408: name"), ("present(low)", "T0408: low"),
            ("v == 5", "T0408: v"), ("tags == tags", "T0408: tags"),
            ("paid == true", "T0408: true"), ("low < high < 5", "T0408: <"),
            ("paid and name", "T0408: name"), ("name + 1 > 2", "T0408: name"),
            ("low == 1234567890123456789", "T0408: 1234567890123456789"),
            ("name == 'a", "T0408: 'a"), ("site == wait", "T0408: site == wait"),
            ("not", "T0408: "), ("low / 2 > 1", "T0408: /"), ("length('a') > 0", "T0408: 'a'"),
        ])
    func mistakes(source: String, mark: String) {
        let analysis = method("{ expr: \"\(source)\" }")
        #expect(analysis.marks == [mark], "\(analysis)")
    }

    @Test(
        "operators of other languages are named in the help",
        arguments: [
            ("low = 3", "did you mean `==`?"), ("low > 3 && low < 5", "did you mean `and`?"),
            ("low > 3 || paid", "did you mean `or`?"), ("!paid", "did you mean `not`?"),
            ("low / 2 > 1", "write a product"),
        ])
    func operators(text: String, help: String) {
        #expect(method("{ expr: \"\(text)\" }").rendered.contains(help))
    }

    @Test("a condition alone needs `expr`")
    func bareCondition() {
        #expect(method("low < high").rendered.contains("write `- { expr: low < high }`"))
    }

    @Test(
        "a rule that says nothing is reported",
        arguments: [
            ("{ at-least-one: [name] }", "T0408: at-least-one"),
            ("{ at-most-one: [name, name] }", "T0408: at-most-one"),
            ("{ at-most-one: [name, low] }", "T0408: low"),
            ("{ exactly-one: [name, nik] }", "T0408: nik"),
            ("{ less-than: [low, high, share] }", "T0408: less-than"),
            ("{ less-than: [name, nick] }", "T0408: nick"),
            ("{ equal-to: [low, name] }", "T0408: name"),
            ("{ required-if: { low: paid } }", "T0408: low"),
            ("{ required-if: name }", "T0102: name"),
            ("{ id: a, message: b }", "T0103: { id: a, message: b }"),
            ("{ at-least-one: [name, nick], at-most-one: [name, nick] }", "T0105: at-most-one"),
            ("{ any: [name, nick] }", "T0101: any"),
        ])
    func pointless(rule: String, mark: String) {
        let analysis = method(rule)
        #expect(analysis.marks == [mark], "\(analysis)")
    }

    @Test("names in backticks may have any characters, and keys of the spec are the names")
    func names() {
        #expect(rule("{ expr: '`odd-name` == name' }")?.fields == ["oddName", "name"])
    }

    @Test("an endless expression is refused")
    func hostile() {
        let deep = String(repeating: "(", count: 200)
        #expect(method("{ expr: '\(deep)' }").codes == ["T0408"])
        let long = String(repeating: "paid or ", count: 100) + "paid"
        #expect(method("{ expr: '\(long)' }").codes == ["T0408"])
        #expect(
            method("{ expr: '\(String(repeating: "not ", count: 90))paid' }").codes == ["T0408"])
    }

    // MARK: Models

    @Test("rules of a mixin hold in the models that mix it in")
    func mixins() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: User }, all: { get: b, returns: Span } }
                models:
                  Span: { fields: { low: int, high: int }, rules: [{ less-than: [low, high] }] }
                  User: { with: Span, fields: { name: string } }
                """)
        #expect(analysis.model("User")?.rules == analysis.model("Span")?.rules)
        #expect(analysis.model("User")?.rules.count == 1)
    }

    @Test("a rule about a field of the other direction is not checked")
    func directions() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: Zone }, put: { put: a, body: Zone } }
                models:
                  Zone:
                    fields: { id: { type: int?, only: reply }, a: int?, b: int? }
                    rules: [{ at-most-one: [id, a] }, { at-most-one: [a, b] }]
                """)
        #expect(analysis.model("Zone")?.rules.count == 2)
        #expect(analysis.model("Zone.Input")?.rules.map(\.fields) == [["a", "b"]])
    }

    @Test("`rules` of an object needs `fields`, and belongs to objects only")
    func places() {
        func user(_ type: String) -> [String] {
            Analysis(
                users: "methods: { get: { get: a, returns: User } }\nmodels: { User: \(type) }\n"
            )
            .marks
        }
        #expect(
            user("{ a: int?, b: int?, rules: [{ at-most-one: [a, b] }] }").first == "T0408: rules")
        #expect(user("{ type: int, rules: [{ expr: a > 1 }] }").first == "T0105: rules")
    }

    // MARK: Maps, choices and conditional defaults

    @Test("keys and values of a map have rules")
    func maps() throws {
        let text = "{ type: \"{string: int}\", keys: { max-length: 3 }, values: { min: 1 } }"
        let analysis = Analysis(
            users: "methods: { get: { get: a, returns: User } }\nmodels: { User: { m: \(text) } }\n"
        )
        let value = try #require(analysis.field("User", "m")?.value)
        #expect(value.keyRules == [Rule(.maxLength, .count(3))])
        let values = Value(.integer(.int, from: .native), rules: [Rule(.min, .number("1"))])
        #expect(value.type == .map(.string, values))
    }

    @Test(
        "rules of a part that the type has not are reported",
        arguments: [
            ("{ type: [int], keys: { min: 1 } }", "T0401: keys"),
            ("{ type: [int], values: { min: 1 } }", "T0401: values"),
            ("{ type: \"{string: int}\", items: { min: 1 } }", "T0401: items"),
            ("{ type: \"{string: int}\", keys: { min: 1 } }", "T0401: min"),
            ("{ type: \"{string: int}\", keys: { from: int } }", "T0101: from"),
            (
                "{ type: int, in: { value: [1], case-insensitive: true } }",
                "T0401: case-insensitive"
            ),
            (
                "{ type: string, min-length: { value: 1, case-insensitive: true } }",
                "T0401: case-insensitive"
            ),
            (
                "{ type: string, default: c, in: { value: [A, b], case-insensitive: true } }",
                "T0405: c"
            ),
        ])
    func parts(type: String, mark: String) {
        let analysis = Analysis(
            users: "methods: { get: { get: a, returns: User } }\nmodels: { User: { m: \(type) } }\n"
        )
        #expect(analysis.marks == [mark], "\(analysis)")
    }

    @Test("a choice without regard to case has defaults of any case")
    func caseless() {
        let type = "{ type: string, default: a, in: { value: [A, b], case-insensitive: true } }"
        let analysis = Analysis(
            users: "methods: { get: { get: a, returns: User } }\nmodels: { User: { m: \(type) } }\n"
        )
        #expect(analysis.field("User", "m")?.value.rules.first?.ignoresCase == true)
    }

    private func conditional(_ parameter: String) -> Analysis {
        Analysis(
            users: """
                methods:
                  find:
                    get: users.find
                    query:
                      group: int?
                      id: int
                      user: \(parameter)
                """, api: "auth: { a: { token: bearer } }\n")
    }

    @Test("a default may hold only without another parameter")
    func fallbacks() {
        func user(_ text: String) -> Parameter? {
            conditional(text).method("users.find")?.parameters.last
        }
        let literal = user("{ type: int, default: 5, default-unless: group }")
        #expect(literal?.presence == .optional)
        #expect(literal?.fallback == .init(value: .integer("5"), unless: ["group"]))
        let credential = user("{ type: int, default: $token.me, default-unless: [group] }")
        #expect(credential?.presence == .credential("me"))
        #expect(credential?.fallback == .init(value: nil, unless: ["group"]))
    }

    @Test(
        "a conditional default without sense is reported",
        arguments: [
            ("{ type: int, default: 5, default-unless: grup }", "T0408: grup"),
            ("{ type: int, default: 5, default-unless: id }", "T0408: id"),
            ("{ type: int, default: 5, default-unless: user }", "T0408: user"),
            ("{ type: int?, default-unless: group }", "T0311: default-unless"),
            ("{ type: int, const: 5, default-unless: group }", "T0311: default-unless"),
        ])
    func badFallbacks(parameter: String, mark: String) {
        let analysis = conditional(parameter)
        #expect(analysis.marks == [mark], "\(analysis)")
    }
}
