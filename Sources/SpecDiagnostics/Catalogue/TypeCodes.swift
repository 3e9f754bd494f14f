/// T03xx: types.
extension DiagnosticCode {
    static let typeCodes: [DiagnosticCode] = []
}
