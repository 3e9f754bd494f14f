/// T03xx: types and values.
extension DiagnosticCode {
    static let typeCodes: [DiagnosticCode] = [
        .endlessModel, .endlessAlias, .typeNotAllowed, .badDefault, .duplicateCase, .badCase,
        .emptyEnumeration, .badMapKey, .optionalWithDefault, .optionalNotAllowed,
        .attributeDoesNotApply, .unknownDateForm, .duplicateField,
    ]

    /// A model that holds itself.
    public static let endlessModel = DiagnosticCode(
        "T0301", "a model that holds itself",
        example: [],
        explanation: "")

    /// An alias that stands for itself.
    public static let endlessAlias = DiagnosticCode(
        "T0302", "an alias that stands for itself",
        example: [],
        explanation: "")

    /// A type that cannot stand here.
    public static let typeNotAllowed = DiagnosticCode(
        "T0303", "a type that cannot stand here",
        example: [],
        explanation: "")

    /// A value that does not fit its type.
    public static let badDefault = DiagnosticCode(
        "T0304", "a value that does not fit its type",
        example: [],
        explanation: "")

    /// An enumeration value is listed twice.
    public static let duplicateCase = DiagnosticCode(
        "T0305", "an enumeration value is listed twice",
        example: [],
        explanation: "")

    /// An enumeration value of the wrong kind.
    public static let badCase = DiagnosticCode(
        "T0306", "an enumeration value of the wrong kind",
        example: [],
        explanation: "")

    /// An enumeration without values.
    public static let emptyEnumeration = DiagnosticCode(
        "T0307", "an enumeration without values",
        example: [],
        explanation: "")

    /// A type that cannot be a map key.
    public static let badMapKey = DiagnosticCode(
        "T0308", "a type that cannot be a map key",
        example: [],
        explanation: "")

    /// Optional beside a default.
    public static let optionalWithDefault = DiagnosticCode(
        "T0309", "optional beside a default", severity: .warning,
        example: [],
        explanation: "")

    /// `?` where nothing may be missing.
    public static let optionalNotAllowed = DiagnosticCode(
        "T0310", "`?` where nothing may be missing",
        example: [],
        explanation: "")

    /// An attribute that does not apply.
    public static let attributeDoesNotApply = DiagnosticCode(
        "T0311", "an attribute that does not apply",
        example: [],
        explanation: "")

    /// Unknown form of dates.
    public static let unknownDateForm = DiagnosticCode(
        "T0312", "unknown form of dates",
        example: [],
        explanation: "")

    /// A key is declared twice.
    public static let duplicateField = DiagnosticCode(
        "T0313", "a key is declared twice",
        example: [],
        explanation: "")
}
