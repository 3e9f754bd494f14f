/// T01xx: the grammar of a spec.
extension DiagnosticCode {
    static let grammarCodes: [DiagnosticCode] = []
}
