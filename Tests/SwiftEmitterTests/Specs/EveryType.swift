/// A type of the language, and the ways to use it.
struct EveryType: Sendable {
    /// The long form without braces.
    let text: String
    /// The short form, if there is one.
    var short: String?
    /// A default value, if it has one.
    var value: String?
    /// All its rules.
    var rules: String?

    private init(_ short: String, _ value: String? = nil, rules: String? = nil) {
        self.text = "type: " + short
        self.short = short
        self.value = value
        self.rules = rules
    }

    private init(long text: String) { self.text = text }

    static let all: [EveryType] = [
        EveryType(
            "string", "a",
            rules: """
                min-length: 1, max-length: 9, min-bytes: 1, max-bytes: 9, pattern: "^a+$", \
                prefix: a, suffix: a, contains: a, excludes: b, format: email, not-blank: true, \
                in: [a, aa], not-in: [b]
                """),
        EveryType(
            "int", "-5",
            rules: """
                min: -5, max: { value: 50000, message: "too \\"big\\"", severity: warning, \
                on: receive }, multiple-of: 5, in: [-5, 10], not-in: [0]
                """),
        EveryType("int32", "7", rules: "above: -5, below: 50000"),
        EveryType("uint", "7", rules: "min: 1, max: 1844674407370955"),
        EveryType(
            "double", "-1.5",
            rules: "min: -1.5, below: 1e3, multiple-of: 0.01, digits: 2, in: [-1.5, 2]"),
        EveryType(
            "decimal", "1.10",
            rules: "min: -1.5, below: 1000, multiple-of: 0.01, digits: 2, in: [1.10, 2]"),
        EveryType("bool", "true"), EveryType("bool01", "false"),
        EveryType(
            "Date", "0",
            rules: "past: true, after: 2020-01-01, before: \"2030-01-01T00:00:00Z\", within: 365d"),
        EveryType("Duration", "1.5s"), EveryType("url", "\"https://example.com/?a=b\""),
        EveryType("uuid", "123e4567-e89b-12d3-a456-426614174000"), EveryType("bytes"),
        EveryType(
            "json", "{ a: [1, 1.50, 1e400, 123456789012345678901, null, true, x, {}], 1: [] }"),
        EveryType("Flag", "one", rules: "in: [one, two], not-in: [three]"),
        EveryType("Level", "1", rules: "in: [1]"), EveryType("Thing"),
        EveryType("Email", "a@b.co"), EveryType("Ids", "[a]"),
        EveryType(long: "type: string, from: int"), EveryType(long: "type: string, from: either"),
        EveryType(long: "type: int, from: string"), EveryType(long: "type: int, from: either"),
        EveryType(long: "type: int32, from: string"), EveryType(long: "type: uint, from: either"),
        EveryType(long: "type: double, from: string"),
        EveryType(long: "type: double, from: either"),
        EveryType(long: "type: Date, as: unix-ms"), EveryType(long: "type: Date, as: date"),
        EveryType(long: "type: Date, as: date-time"), EveryType(long: "type: Duration, as: ms"),
        EveryType(long: "type: Date, as: local-date-time"),
        EveryType(long: "type: Date, as: local-date-time -04:30"),
        EveryType(long: "type: Date, as: \"dd.MM.yyyy HH:mm\""),
        EveryType(long: "type: Date, as: d.M.yyyy"), EveryType(long: "type: Duration, as: clock"),
        EveryType(long: "type: Duration, as: iso8601"), EveryType(long: "type: bool, as: yes/no"),
        EveryType(long: "type: Level, from: string"), EveryType(long: "type: Level, from: either"),
        EveryType(long: "type: bool, as: 0/1"), EveryType(long: "type: bool, as: true-false"),
    ]

    /// Types that a path can hold.
    static let inText = all.filter { !$0.isJSON && $0.short != "bytes" && $0.short != "Ids" }

    private var isJSON: Bool { short == "json" || short == "Thing" }

    // MARK: Marks

    /// The type, its lists and its maps with all marks.
    var marked: [(name: String, text: String, isOptional: Bool)] {
        guard let short else { return markedLong }
        return [
            ("plain", short, false), ("opt", "\"\(short)?\"", true),
            ("null", "\"\(short) | null\"", false), ("both", "\"\(short)? | null\"", true),
            ("list", "\"[\(short)]\"", false), ("listopt", "\"[\(short)]?\"", true),
            ("listnull", "\"[\(short) | null]? | null\"", true),
            ("deep", "\"[[\(short) | null]]\"", false), ("map", "\"{string: \(short)}\"", false),
            ("mapopt", "\"{int: [\(short)]}? | null\"", true),
            ("mapenum", "\"{Flag: {string: \(short) | null}}\"", false),
        ]
    }

    private var markedLong: [(name: String, text: String, isOptional: Bool)] {
        let null = "nullable: true"
        let optional = "optional: true"
        return [
            ("plain", "{ \(text) }", false), ("opt", "{ \(text), \(optional) }", true),
            ("null", "{ \(text), \(null) }", false),
            ("both", "{ \(text), \(optional), \(null) }", true),
            ("list", "{ type: [{ \(text) }] }", false),
            ("listnull", "{ type: [{ \(text), \(null) }], \(optional), \(null) }", true),
        ]
    }

    // MARK: Fields

    /// Fields of a model, without the beginning of their names.
    var fields: [String] {
        var lines = marked.map { "\($0.name): \($0.text)" }
        lines.append("keys: { type: \"{string: \(short ?? "int")}\", min-keys: 1, max-keys: 3 }")
        lines.append("secret: { type: \"\(short ?? "[int]")?\", sensitive: true }")
        if let value, let short {
            lines.append("default: { \(text), default: \(value) }")
            lines.append("defaults: { type: \"[\(short)]\", default: [\(value), \(value)] }")
            if short != "json", short != "Ids" {
                lines.append("const: { \(text), const: \(value) }")
            }
        }
        return lines + ruleLines(nullable: true)
    }

    private func ruleLines(nullable: Bool) -> [String] {
        guard let rules, let short else { return [] }
        var marks = [("", ""), ("opt", ", optional: true")]
        if nullable {
            marks += [("null", ", nullable: true"), ("both", ", optional: true, nullable: true")]
        }
        return marks.flatMap { name, mark in
            [
                "rule\(name): { \(text), \(rules)\(mark) }",
                "items\(name): { type: \"[\(short)]\", min-items: 1, items: { \(rules) }\(mark) }",
            ]
                + (nullable
                    ? [
                        "holes\(name): { type: \"[\(short) | null]\", items: { \(rules) }\(mark) }",
                        "values\(name): { type: \"{Flag: \(short)}\", min-keys: 1\(mark) }",
                    ] : [])
        }
    }

    // MARK: Parameters

    /// Parameters of a section, without the beginning of their names.
    func parameters(in section: String) -> [String] {
        switch section {
        case "json":
            return marked.map { "\($0.name): \($0.text)" } + [
                "secret: { \(text), sensitive: true }"
            ]
                + defaults(text: false) + ruleLines(nullable: true)
        case "multipart": return parts
        case "headers": return textual(["join: \",\"", "style: repeat", "style: json"])
        default:
            return textual([
                "join: \",\"", "style: repeat", "style: brackets", "style: indexed", "style: json",
            ])
        }
    }

    private var parts: [String] {
        if isJSON || short == "bytes" || short == "Ids" { return [] }
        return [
            "a: { \(text) }", "b: { \(text), optional: true }",
            "l: { type: [{ \(text) }], optional: true }",
        ] + ruleLines(nullable: false)
    }

    private func textual(_ styles: [String]) -> [String] {
        if short == "bytes" || short == "Ids" { return [] }
        let style = isJSON ? ", style: json" : ""
        var lines = [
            "a: { \(text)\(style) }", "b: { \(text), optional: true, sensitive: true\(style) }",
        ]
        for (index, style) in styles.enumerated() where !isJSON || style == "style: json" {
            lines.append(
                "l\(index): { type: [{ \(text) }], optional: \(index % 2 == 0), \(style) }")
            lines.append("m\(index): { type: [{ \(text) }], \(style) }")
        }
        lines.append("map: { type: \"{string: \(short ?? "Date")}\", style: json }")
        lines.append("maps: { type: \"{Flag: [\(short ?? "bool01")]}?\", style: json }")
        if short == "bool" {
            lines += ["yes: { type: bool, as: yes/no }", "is: { type: bool?, as: presence }"]
        }
        return lines + defaults(text: true) + ruleLines(nullable: false)
    }

    private func defaults(text isText: Bool) -> [String] {
        guard let value, let short else { return [] }
        let style = isJSON && isText ? ", style: json" : ""
        var lines = ["default: { \(text), default: \(value)\(style) }"]
        if ["string", "int", "int32", "uint"].contains(short) {
            lines.append("credential: { \(text), default: $token.user_id }")
            if !isText {
                lines.append("fact: { \(text), nullable: true, default: $token.user_id }")
                lines.append("hidden: { \(text), sensitive: true, default: $token.user_id }")
            }
        }
        if short != "json", short != "Ids" {
            lines.append("const: { \(text), const: \(value) }")
            lines.append("defaults: { type: \"[\(short)]\", default: [\(value), \(value)] }")
        }
        return lines
    }
}
