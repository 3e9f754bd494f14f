/// T04xx: rules of values.
extension DiagnosticCode {
    static let ruleCodes: [DiagnosticCode] = []
}
