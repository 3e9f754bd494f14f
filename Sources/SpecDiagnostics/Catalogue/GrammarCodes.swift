/// T01xx: the grammar of a spec.
extension DiagnosticCode {
    static let grammarCodes: [DiagnosticCode] = [
        .unknownKey, .wrongKind, .missingKey, .notSupported, .conflict, .languageVersion,
        .notAllowed, .badDuration, .badSize, .badStatus, .badKeyPath, .badType,
        .constantLooksLikeType,
    ]

    /// Unknown key.
    public static let unknownKey = DiagnosticCode(
        "T0101", "unknown key",
        example: [],
        explanation: "")

    /// A value of the wrong kind.
    public static let wrongKind = DiagnosticCode(
        "T0102", "a value of the wrong kind",
        example: [],
        explanation: "")

    /// A key is missing.
    public static let missingKey = DiagnosticCode(
        "T0103", "a key is missing",
        example: [],
        explanation: "")

    /// Not supported yet.
    public static let notSupported = DiagnosticCode(
        "T0104", "not supported yet",
        example: [],
        explanation: "")

    /// Keys that exclude each other.
    public static let conflict = DiagnosticCode(
        "T0105", "keys that exclude each other",
        example: [],
        explanation: "")

    /// Unknown language version.
    public static let languageVersion = DiagnosticCode(
        "T0106", "unknown language version",
        example: [],
        explanation: "")

    /// A word that means nothing here.
    public static let notAllowed = DiagnosticCode(
        "T0107", "a word that means nothing here",
        example: [],
        explanation: "")

    /// Not a length of time.
    public static let badDuration = DiagnosticCode(
        "T0108", "not a length of time",
        example: [],
        explanation: "")

    /// Not a number of bytes.
    public static let badSize = DiagnosticCode(
        "T0109", "not a number of bytes",
        example: [],
        explanation: "")

    /// Not a status.
    public static let badStatus = DiagnosticCode(
        "T0110", "not a status",
        example: [],
        explanation: "")

    /// Not a key path.
    public static let badKeyPath = DiagnosticCode(
        "T0111", "not a key path",
        example: [],
        explanation: "")

    /// Not a type.
    public static let badType = DiagnosticCode(
        "T0112", "not a type",
        example: [],
        explanation: "")

    /// A constant that looks like a type.
    public static let constantLooksLikeType = DiagnosticCode(
        "T0113", "a constant that looks like a type", severity: .warning,
        example: [],
        explanation: "")
}
