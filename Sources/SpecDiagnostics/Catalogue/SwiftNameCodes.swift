/// T07xx: names in Swift.
extension DiagnosticCode {
    static let swiftNameCodes: [DiagnosticCode] = [
        .nameCollision, .reservedName, .noSwiftName, .badSwiftName,
    ]

    /// Two names become one in Swift.
    public static let nameCollision = DiagnosticCode(
        "T0701", "two names become one in Swift",
        example: [],
        explanation: "")

    /// A name that Swift or Telex needs.
    public static let reservedName = DiagnosticCode(
        "T0702", "a name that Swift or Telex needs",
        example: [],
        explanation: "")

    /// A text that makes no Swift name.
    public static let noSwiftName = DiagnosticCode(
        "T0703", "a text that makes no Swift name",
        example: [],
        explanation: "")

    /// Not a Swift identifier.
    public static let badSwiftName = DiagnosticCode(
        "T0704", "not a Swift identifier",
        example: [],
        explanation: "")
}
