/// T04xx: validation rules.
extension DiagnosticCode {
    static let ruleCodes: [DiagnosticCode] = [
        .ruleDoesNotApply, .badRuleArgument, .contradiction, .badPattern, .defaultBreaksRule,
        .unknownFormat, .repeatedRule,
    ]

    /// A rule that does not apply to the type.
    public static let ruleDoesNotApply = DiagnosticCode(
        "T0401", "a rule that does not apply to the type",
        example: [],
        explanation: "")

    /// A rule with an unusable value.
    public static let badRuleArgument = DiagnosticCode(
        "T0402", "a rule with an unusable value",
        example: [],
        explanation: "")

    /// Rules that contradict each other.
    public static let contradiction = DiagnosticCode(
        "T0403", "rules that contradict each other",
        example: [],
        explanation: "")

    /// A pattern that cannot be compiled.
    public static let badPattern = DiagnosticCode(
        "T0404", "a pattern that cannot be compiled",
        example: [],
        explanation: "")

    /// A default that breaks a rule.
    public static let defaultBreaksRule = DiagnosticCode(
        "T0405", "a default that breaks a rule",
        example: [],
        explanation: "")

    /// Unknown format.
    public static let unknownFormat = DiagnosticCode(
        "T0406", "unknown format",
        example: [],
        explanation: "")

    /// A rule is said twice.
    public static let repeatedRule = DiagnosticCode(
        "T0407", "a rule is said twice",
        example: [],
        explanation: "")
}
