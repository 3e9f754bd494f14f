import TelexCredentials
import TelexInspection

extension Redactor {
    /// Adds the secrets of a credential.
    package mutating func add(_ credential: Credential) {
        add(credential.token)
        if let refresh = credential.refreshToken { add(refresh) }
        for (name, value) in credential.values where Self.isSuspicious(name) { add(value) }
    }

    /// Adds the secrets of a credential, and those inside the header field that carries its token
    /// at this place, such as the password of `Basic`.
    package mutating func add(_ credential: Credential, at place: AuthRules.Placement?) {
        add(credential)
        for secret in RequestTemplate.tokenSecrets(credential, place) { add(part: secret) }
    }
}
