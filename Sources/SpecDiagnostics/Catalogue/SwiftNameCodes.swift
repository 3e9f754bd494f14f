/// T07xx: Swift names.
extension DiagnosticCode {
    static let swiftNameCodes: [DiagnosticCode] = []
}
