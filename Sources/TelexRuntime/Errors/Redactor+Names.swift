import SecretNames

extension Redactor {
    /// Whether values of this name are never shown.
    package static func isSuspicious(_ name: String) -> Bool { SecretName.isSuspicious(name) }

    /// `login[password]`: whether the values of a field of something that was taken apart are never
    /// shown.
    static func isSuspicious(formName name: String) -> Bool {
        name.split { "[]".contains($0) }.contains { isSuspicious(String($0)) }
    }

    /// Whether the value of a header field of this name is never shown.
    package static func isSecretHeader(_ name: String) -> Bool { SecretName.isSecretHeader(name) }
}
