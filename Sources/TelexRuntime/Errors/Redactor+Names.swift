import SecretNames

extension Redactor {
    /// Whether values of this name are never shown.
    package static func isSuspicious(_ name: String) -> Bool { SecretName.isSuspicious(name) }

    /// Whether the value of a header field of this name is never shown.
    package static func isSecretHeader(_ name: String) -> Bool { SecretName.isSecretHeader(name) }
}
