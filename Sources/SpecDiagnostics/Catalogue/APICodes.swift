/// T06xx: the API as a whole.
extension DiagnosticCode {
    static let apiCodes: [DiagnosticCode] = []
}
