/// T04xx: rules.
extension DiagnosticCode {
    static let ruleCodes: [DiagnosticCode] = [
        .ruleDoesNotApply, .badRuleArgument, .contradiction, .badPattern, .defaultBreaksRule,
        .unknownFormat, .repeatedRule, .badCrossRule, .badOwnRule, .emptyText,
    ]

    /// A rule that does not apply to the type.
    public static let ruleDoesNotApply = DiagnosticCode(
        "T0401", "a rule that does not apply to the type",
        example: .folder(user: "name: { type: string, max: 64 }\n"),
        explanation: """
            Each rule belongs to a kind of type: `max` bounds numbers, `max-length` texts,
            `max-items` lists, `max-keys` maps, `max-size` files. The help lists the rules that
            apply. Rules for the elements of a list belong under `items`. `unique` does not
            apply to files, which cannot be compared.

            ```yaml
            name: { type: string, max-length: 64 }
            tags: { type: [string], max-items: 10, items: { max-length: 20 } }
            ```
            """)

    /// A rule with a value that it cannot use.
    public static let badRuleArgument = DiagnosticCode(
        "T0402", "a rule with an unusable value",
        example: .folder(user: "age: { type: int, min: 0.5 }\n"),
        explanation: """
            The message shows what the rule takes. Bounds of a number are numbers of its type: those
            of an integer are integers, those of an `int32` have 32 bits. Lengths are integers of at
            least 0; a rule that is only on or off takes `true`, and is left out otherwise.

            ```yaml
            age: { type: int, min: 1 }
            name: { type: string, not-blank: true }
            ```
            """)

    /// Rules that no value can satisfy together.
    public static let contradiction = DiagnosticCode(
        "T0403", "rules that contradict each other",
        example: .folder(user: "age: { type: int, min: 27, max: 18 }\n"),
        explanation: """
            No value can satisfy both rules, so every reply would be invalid. Often the two bounds
            were swapped. Rules of an alias also apply where the alias is used.

            ```yaml
            age: { type: int, min: 18, max: 27 }
            ```
            """)

    /// A pattern that cannot be compiled.
    public static let badPattern = DiagnosticCode(
        "T0404", "a pattern that cannot be compiled",
        example: .folder(user: "phone: { type: string, pattern: '^+[0-9]{6,15}$' }\n"),
        explanation: """
            Patterns are compiled with the spec, in a dialect that behaves the same on every
            platform and is matched in linear time: I-Regexp (RFC 9485) without Unicode properties,
            with `^` and `$` for the start and the end of the text, `(?:…)`, and `\\d`, `\\w`, `\\s`
            for ASCII. There are no look-arounds, no back references, no lazy forms and no flags. In
            single quotes, YAML does not interpret backslashes.

            ```yaml
            phone: { type: string, pattern: '^\\+[0-9]{6,15}$' }
            ```
            """)

    /// A default that its own rules forbid.
    public static let defaultBreaksRule = DiagnosticCode(
        "T0405", "a default that breaks a rule",
        example: .folder(method: "query:\n  count: { type: int, default: 0, min: 1 }\n"),
        explanation: """
            The value that is sent by default would fail the check before sending. Correct the
            default or the rule.

            ```yaml
            count: { type: int, default: 20, min: 1 }
            ```
            """)

    /// An unknown format.
    public static let unknownFormat = DiagnosticCode(
        "T0406", "unknown format",
        example: .folder(user: "mail: { type: string, format: e-mail }\n"),
        explanation: """
            A format is one of a fixed list of well-known forms of text. For any other form, use a
            `pattern`. Some forms are types of their own: `url`, `uuid`, `Date`.

            ```yaml
            mail: { type: string, format: email }
            ```
            """)

    /// A rule that is set twice.
    public static let repeatedRule = DiagnosticCode(
        "T0407", "a rule is set twice",
        example: .folder(user: "name: { type: string, max-length: 64, maxLength: 32 }\n"),
        explanation: """
            The spellings of JSON Schema (`maxLength`, `minimum`, `uniqueItems`, …) are other names
            of the same rules, so the rule is set twice. Keep one:

            ```yaml
            name: { type: string, max-length: 64 }
            ```
            """)

    /// A rule between fields or parameters that makes no sense.
    public static let badCrossRule = DiagnosticCode(
        "T0408", "an impossible rule between fields or parameters",
        example: .folder(method: "query: { name: string? }\nrules: [{ expr: name > 5 }]\n"),
        explanation: """
            A rule of `rules` names fields of its object or parameters of its method, each by the
            name that the spec gives it. `at-least-one`, `at-most-one` and `exactly-one` list fields
            that may be absent; `equal-to` and `less-than` list two of one type. An expression
            compares numbers with numbers, texts with texts, dates with dates, and values of an
            enumeration with the values that the API knows. `length`, `count` and `present` take a
            field.

            ```yaml
            rules:
              - at-least-one: [name, email]
              - required-if: { email: present(newsletter) }
              - { id: period, expr: start < end, message: The start is before the end. }
            ```
            """)

    /// A text whose presence a rule asks for, and which may be empty.
    public static let emptyText = DiagnosticCode(
        "T0410", "an empty text counts as present", severity: .warning,
        example: .folder(
            method: "query: { name: string?, id: int? }\nrules: [{ at-least-one: [name, id] }]\n"),
        explanation: """
            `at-least-one` asks which parameters are present. An empty text is present, so a call
            with nothing but one is sent. `min-length: 1` refuses it; where an empty text has a
            meaning, `min-length: 0` says so.

            ```yaml
            query: { name: { type: string?, min-length: 1 }, id: int? }
            rules: [{ at-least-one: [name, id] }]
            ```
            """)

    /// A rule of the app's own that cannot be checked.
    public static let badOwnRule = DiagnosticCode(
        "T0409", "an impossible rule of the app",
        example: .folder(
            user: "iban: { type: string, rule: code }\nage: { type: int, rule: code }\n"),
        explanation: """
            A `rule` asks the app for one Swift function, `code(_ value: String) -> Bool`, so all
            values of a rule have one type. The function is called for values in replies: a `rule`
            of a parameter, or of a model that no reply has, would never be checked.

            ```yaml
            iban: { type: string, rule: iban }
            age: { type: int, rule: { id: full-age, message: too young, severity: warning } }
            ```
            """)
}
