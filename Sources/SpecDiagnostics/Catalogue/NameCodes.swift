/// T02xx: names and what they refer to.
extension DiagnosticCode {
    static let nameCodes: [DiagnosticCode] = []
}
