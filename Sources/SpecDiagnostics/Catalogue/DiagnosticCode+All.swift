extension DiagnosticCode {
    /// All codes, by phase and number. Each file of the catalogue ends with its own list.
    public static let all: [DiagnosticCode] =
        yamlCodes + grammarCodes + nameCodes + typeCodes + sharingCodes + ruleCodes + methodCodes
        + apiCodes
        + swiftNameCodes + outputCodes + templateCodes + importCodes + lintCodes

    /// Returns the code with this id, ignoring case, or nil.
    public static func find(_ id: String) -> DiagnosticCode? {
        let id = id.uppercased()
        return all.first { $0.id == id }
    }
}
