/// The identity of the login from which a credential comes. A refresh keeps the identity, and a
/// login makes a new one, so that a refreshed credential is distinguishable from another user's.
/// The identity is not public.
extension Credential {
    /// The credential with the identity of a new login.
    package var withNewLogin: Credential {
        var new = self
        new.login = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return new
    }

    /// The credential with the login identity of `old`, which it replaces; with a new identity if
    /// `old` is `nil`.
    package func continuing(_ old: Credential?) -> Credential {
        guard let old else { return withNewLogin }
        var new = self
        new.login = old.login
        return new
    }

    /// Whether this credential comes from another login than `old`. `false` if the login identity
    /// is unknown, as it is for a credential that the app made from its parts.
    package func isOfAnotherLogin(than old: Credential?) -> Bool {
        guard let old, let login else { return false }
        return login != old.login
    }
}

extension Credential {
    /// Whether a server treats both credentials alike, regardless of their login identities.
    public static func == (left: Credential, right: Credential) -> Bool {
        left.token == right.token && left.values == right.values && left.expiry == right.expiry
            && left.refreshToken == right.refreshToken
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(token)
        hasher.combine(values)
        hasher.combine(expiry)
        hasher.combine(refreshToken)
    }
}
