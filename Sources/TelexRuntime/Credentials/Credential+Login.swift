/// Who may go on with a credential: a refresh puts a new one in the place of the old one for the same
/// person, a login for anybody. Of two that differ only that tells what has happened, so a login has an
/// identity, which nobody sees.
extension Credential {
    /// The same as that of a login of its own.
    var ofNewLogin: Credential {
        var new = self
        new.login = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return new
    }

    /// The same as what a refresh has put in the place of another, which nobody had where there was
    /// none.
    func continuing(_ old: Credential?) -> Credential {
        guard let old else { return ofNewLogin }
        var new = self
        new.login = old.login
        return new
    }

    /// Whether somebody has logged in between. From one that somebody has saved by hand, or taken apart
    /// and made anew, nothing follows.
    func isOfAnotherLogin(than old: Credential?) -> Bool {
        guard let old, let login else { return false }
        return login != old.login
    }
}

extension Credential {
    /// Whether both are the same for a server, whichever logins they came of.
    public static func == (left: Credential, right: Credential) -> Bool {
        left.token == right.token && left.values == right.values && left.expiry == right.expiry
            && left.refreshToken == right.refreshToken
    }

    /// Feeds what is compared into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(token)
        hasher.combine(values)
        hasher.combine(expiry)
        hasher.combine(refreshToken)
    }
}
