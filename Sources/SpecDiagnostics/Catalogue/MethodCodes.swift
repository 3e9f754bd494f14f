/// T05xx: methods and parameters.
extension DiagnosticCode {
    static let methodCodes: [DiagnosticCode] = [
        .missingVerb, .badPath, .unusedPathParameter, .bodyNotAllowed, .badHeader,
        .badCredentialDefault, .duplicateParameter, .emptyMethods,
    ]

    /// A method without an HTTP verb.
    public static let missingVerb = DiagnosticCode(
        "T0501", "a method without an HTTP verb",
        example: [],
        explanation: "")

    /// A malformed path.
    public static let badPath = DiagnosticCode(
        "T0502", "a malformed path",
        example: [],
        explanation: "")

    /// A path parameter that the path does not hold.
    public static let unusedPathParameter = DiagnosticCode(
        "T0503", "a path parameter that the path does not hold",
        example: [],
        explanation: "")

    /// A body where none is sent.
    public static let bodyNotAllowed = DiagnosticCode(
        "T0504", "a body where none is sent",
        example: [],
        explanation: "")

    /// A header that cannot be sent.
    public static let badHeader = DiagnosticCode(
        "T0505", "a header that cannot be sent",
        example: [],
        explanation: "")

    /// A credential default that cannot work.
    public static let badCredentialDefault = DiagnosticCode(
        "T0506", "a credential default that cannot work",
        example: [],
        explanation: "")

    /// A parameter is declared twice.
    public static let duplicateParameter = DiagnosticCode(
        "T0507", "a parameter is declared twice",
        example: [],
        explanation: "")

    /// A group without methods or models.
    public static let emptyMethods = DiagnosticCode(
        "T0508", "a group without methods or models", severity: .warning,
        example: [],
        explanation: "")
}
