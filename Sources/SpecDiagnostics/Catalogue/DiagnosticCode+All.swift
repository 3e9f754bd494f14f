extension DiagnosticCode {
    /// Every code there is, by phase and number. A list ends each file of the catalogue.
    public static let all: [DiagnosticCode] =
        yamlCodes + grammarCodes + nameCodes + typeCodes + ruleCodes + methodCodes + apiCodes
        + swiftNameCodes + outputCodes

    /// The code of that name in any case of letters, or nil.
    public static func find(_ id: String) -> DiagnosticCode? {
        let id = id.uppercased()
        return all.first { $0.id == id }
    }
}
