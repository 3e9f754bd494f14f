/// T02xx: names of the spec.
extension DiagnosticCode {
    static let nameCodes: [DiagnosticCode] = [
        .unknownType, .duplicateModel, .duplicateMethod, .unknownServer, .unusedModel,
        .missingAPI, .severalAPIs, .duplicateErrorCode, .badGroupName, .unusedVariable,
        .unknownErrorCode,
    ]

    /// Unknown type.
    public static let unknownType = DiagnosticCode(
        "T0201", "unknown type",
        example: [],
        explanation: "")

    /// A model is declared twice.
    public static let duplicateModel = DiagnosticCode(
        "T0202", "a model is declared twice",
        example: [],
        explanation: "")

    /// A method is declared twice.
    public static let duplicateMethod = DiagnosticCode(
        "T0203", "a method is declared twice",
        example: [],
        explanation: "")

    /// Unknown server.
    public static let unknownServer = DiagnosticCode(
        "T0204", "unknown server",
        example: [],
        explanation: "")

    /// Unused model.
    public static let unusedModel = DiagnosticCode(
        "T0205", "unused model", severity: .warning,
        example: [],
        explanation: "")

    /// No `api.yaml`.
    public static let missingAPI = DiagnosticCode(
        "T0206", "no `api.yaml`",
        example: [],
        explanation: "")

    /// Several API files.
    public static let severalAPIs = DiagnosticCode(
        "T0207", "several API files",
        example: [],
        explanation: "")

    /// An error code is named twice.
    public static let duplicateErrorCode = DiagnosticCode(
        "T0208", "an error code is named twice",
        example: [],
        explanation: "")

    /// A file name that makes no group.
    public static let badGroupName = DiagnosticCode(
        "T0209", "a file name that makes no group",
        example: [],
        explanation: "")

    /// A server variable is not used.
    public static let unusedVariable = DiagnosticCode(
        "T0210", "a server variable is not used", severity: .warning,
        example: [],
        explanation: "")

    /// An unknown error code.
    public static let unknownErrorCode = DiagnosticCode(
        "T0211", "an unknown error code", severity: .warning,
        example: [],
        explanation: "")
}
