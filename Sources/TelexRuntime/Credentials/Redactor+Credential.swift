import TelexInspection

extension Redactor {
    /// Adds the secrets of a credential.
    mutating func add(_ credential: Credential) {
        add(credential.token)
        if let refresh = credential.refreshToken { add(refresh) }
        for (name, value) in credential.values where Self.isSuspicious(name) { add(value) }
    }
}
