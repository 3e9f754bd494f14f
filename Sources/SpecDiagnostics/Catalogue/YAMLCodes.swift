/// T00xx: files and YAML.
extension DiagnosticCode {
    static let yamlCodes: [DiagnosticCode] = []
}
