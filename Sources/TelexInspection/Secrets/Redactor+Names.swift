import SecretNames

extension Redactor {
    /// Whether the values of a field of this name are always redacted.
    package static func isSuspicious(_ name: String) -> Bool { SecretName.isSuspicious(name) }

    /// Whether the values of a bracketed form name such as `login[password]` are always redacted.
    package static func isSuspicious(formName name: String) -> Bool {
        name.split { "[]".contains($0) }.contains { part in
            isSuspicious(String(part))
                || part.split(separator: ".").contains { isSuspicious(String($0)) }
        }
    }

    /// Whether the value of a header field of this name is always redacted.
    package static func isSecretHeader(_ name: String) -> Bool { SecretName.isSecretHeader(name) }
}
