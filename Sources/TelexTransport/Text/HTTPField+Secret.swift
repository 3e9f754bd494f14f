import HTTPTypes
import SecretNames

extension HTTPField.Name {
    /// Whether the name of the header field marks its value as a secret.
    package var isSecret: Bool { SecretName.isSecretHeader(rawName) }
}
