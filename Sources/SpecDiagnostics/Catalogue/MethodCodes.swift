/// T05xx: methods.
extension DiagnosticCode {
    static let methodCodes: [DiagnosticCode] = []
}
