/// T06xx: the API as a whole.
extension DiagnosticCode {
    static let apiCodes: [DiagnosticCode] = [
        .badServerURL, .undeclaredVariable, .authWithoutScheme, .insecureServer, .badToken,
        .mixedErrorCodes, .badLink,
    ]

    /// A server address that is no URL.
    public static let badServerURL = DiagnosticCode(
        "T0601", "a server address that is no URL",
        example: [],
        explanation: "")

    /// A server variable without a default.
    public static let undeclaredVariable = DiagnosticCode(
        "T0602", "a server variable without a default", severity: .warning,
        example: [],
        explanation: "")

    /// Authentication without a scheme.
    public static let authWithoutScheme = DiagnosticCode(
        "T0603", "authentication without a scheme",
        example: [],
        explanation: "")

    /// Credentials over plain HTTP.
    public static let insecureServer = DiagnosticCode(
        "T0604", "credentials over plain HTTP", severity: .warning,
        example: [],
        explanation: "")

    /// A token that cannot be placed.
    public static let badToken = DiagnosticCode(
        "T0605", "a token that cannot be placed",
        example: [],
        explanation: "")

    /// Error codes of two kinds.
    public static let mixedErrorCodes = DiagnosticCode(
        "T0606", "error codes of two kinds",
        example: [],
        explanation: "")

    /// A link that is no URL.
    public static let badLink = DiagnosticCode(
        "T0607", "a link that is no URL",
        example: [],
        explanation: "")
}
