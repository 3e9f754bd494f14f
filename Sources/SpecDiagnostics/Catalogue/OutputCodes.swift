/// T08xx: spec folders and what is written.
extension DiagnosticCode {
    static let outputCodes: [DiagnosticCode] = []
}
