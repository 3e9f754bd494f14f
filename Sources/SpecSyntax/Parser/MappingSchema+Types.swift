import SpecIR

/// The mappings of types: their long form, its parts, and rules.
extension MappingSchema {
    private static let rules: [Key] = RuleName.keys.compactMap { key in
        RuleName(key: key).map { (key, .rule($0)) }
    }

    /// The forms of the values of rules, by their keys.
    static let ruleForms = Dictionary(uniqueKeysWithValues: rules.map { ($0.name, $0.form) })

    /// The long form of a type, without the rules.
    static let type = MappingSchema(
        name: "a type",
        keys: [
            ("key", .scalar), ("type", .type), ("one-of", .either([.list(.type), .named(.type)])),
            ("tag", .text), ("content", .text), ("enum", .choices),
        ] + documentationOfParts + [
            ("public", .flag), ("conforms", .oneOrMore(.words(Conformance.self))),
            ("with", .oneOrMore(.typeText)), ("fields", .named(.field)),
            ("additional", .type), ("closed", .flag), ("at", .place),
            ("only", .words(Field.Direction.self)), ("optional", .flag), ("nullable", .flag),
            ("from", .words(["int", "string", "either"])), ("as", .text),
            ("in", .either([.words(["query", "header"]), .rule(.oneOf)])), ("join", .text),
            ("style", .words(of: ListStyle.self)), ("const", .any), ("default", .any),
            ("default-unless", .oneOrMore(.text)), ("server-default", .any),
            ("empty", .words(SendingSyntax.Empty.self)), ("clamp", .flag),
            ("sensitive", .flag), ("invalid", .oneOrMore(.words(Tolerance.self))),
            ("swift", .mapping(.swift)), ("items", .mapping(.items)), ("keys", .mapping(.keys)),
            ("values", .mapping(.values)), ("rules", .list(.mapping(.crossRule))),
            ("example", .any), ("examples", .list(.any, least: 1)),
        ],
        more: RuleName.keys,
        planned: ["any-of"],
        sections: ["fields"],
        hint: "for an object with a field called `type` or the like, write `{ fields: { … } }`",
        advice: Dictionary(
            uniqueKeysWithValues: ["message", "severity", "on"].map {
                (
                    $0,
                    "of a rule, it is said beside its value, `pattern: { value: …, \($0): … }`; for an "
                        + "object with a field called so, write `{ fields: { … } }`"
                )
            }
        ).merging(NearMisses.typeKeys) { first, _ in first }.merging(
            ["description", "desc", "summary"].map { ($0, "did you mean `doc`?") }
        ) { first, _ in first }
    )

    static let join = MappingSchema(
        name: "a lookup",
        keys: [("join", .keyPath), ("in", .named(.text))] + documentationOfParts,
        required: ["join", "in"])

    private static let json: [Key] = [
        ("from", .words(["int", "string", "either"])), ("as", .text),
    ]
    /// The attributes of a list's elements.
    static let items = MappingSchema(name: "`items`", keys: json, more: RuleName.keys)
    /// The attributes of a map's values.
    static let values = MappingSchema(name: "`values`", keys: json, more: RuleName.keys)
    /// The rules of a map's keys.
    static let keys = MappingSchema(name: "`keys`", keys: [], more: RuleName.keys)

    static let swift = MappingSchema(
        name: "`swift`", keys: [("name", .text), ("type", .text)], planned: ["import"])
    static let methodSwift = MappingSchema(
        name: "`swift` of a method", keys: [("name", .text)])
    static let deprecation = MappingSchema(
        name: "`deprecated`", keys: [("since", .text), ("use", .text), ("message", .text)])
    static let enumCase = MappingSchema(
        name: "an enumeration case", keys: [("value", .scalar)] + documentationOfParts)

    // MARK: Rules

    private static let severity: Key = ("severity", .words(["error", "warning"]))
    private static let ruleOptions: [Key] = [
        ("message", .text), severity, ("on", .words(["send", "receive"])),
    ]
    /// A rule with an argument of any form.
    static let rule = rule(.any)

    static func rule(_ argument: ValueForm) -> MappingSchema {
        MappingSchema(
            name: "a rule", keys: [("value", argument), ("case-insensitive", .flag)] + ruleOptions,
            required: ["value"])
    }

    static let ownRule = MappingSchema(
        name: "a rule of the app", keys: [("id", .text), ("message", .text), severity],
        required: ["id"],
        advice: [
            "value": "`id` names the rule", "name": "did you mean `id`?",
            "on": "the app checks only what it receives",
        ])
    static let crossRule = MappingSchema(
        name: "a rule between fields",
        keys: [("id", .text)]
            + CrossRuleSyntax.Kind.allCases.map { kind in
                switch kind {
                case .expression: (kind.rawValue, .text)
                case .requiredIf, .forbiddenIf: (kind.rawValue, .named(.text, least: 1, most: 1))
                case .atLeastOne, .atMostOne, .exactlyOne, .equalTo, .lessThan:
                    (kind.rawValue, .oneOrMore(.text))
                }
            } + ruleOptions)
}
