import HTTPTypes
import TelexCredentials
import TelexScheduling

/// A scheme besides that of the log-in: where its token is stored, and where a new one comes from.
package struct TokenScheme: Sendable {
    package let rules: AuthRules
    package let store: any CredentialStore
    /// Sends the refresh request of the description, if there is one.
    package let refresher: (any CredentialRefresher)?
    /// Its key in the engine, which refreshes the token; nil if only the app has it.
    package let key: SchemeKey?

    /// Whether the server hands out the token, so that it ends with the log-in.
    package var isHandedOut: Bool { rules.isHandedOut }

    /// Whether a request may be sent without the token, because the refusal of it has the token.
    package var mayBeMissing: Bool { if case .handedOut = rules.refresh { true } else { false } }

    /// The method that returns the token, if one does.
    package var method: TokenMethod? {
        if case .method(let method) = rules.refresh { method } else { nil }
    }

    /// Whether the first token can be requested, without the user.
    package var canLogIn: Bool { method != nil || refresher?.canLogIn == true }

    /// The refusal of a token by a reply; nil if it does not refuse the token, or if there is no
    /// source of another one.
    package func refusal(of credential: Credential?, by head: HTTPResponse, code: String?)
        -> TokenRefusal?
    {
        guard let key else { return nil }
        guard case .handedOut(let status, let field) = rules.refresh else {
            let isRefused = rules.expired.contains { $0.isSign(head.status.code, code) }
            return isRefused ? TokenRefusal(scheme: key, credential: credential) : nil
        }
        guard head.status.code == status, let name = HTTPField.Name(field),
            let new = head.headerFields[name], !new.isEmpty, new != credential?.token
        else { return nil }
        return TokenRefusal(scheme: key, credential: credential, handedOut: new)
    }
}

/// A token that the server refused, or that is missing or has expired.
package struct TokenRefusal: Sendable {
    package let scheme: SchemeKey
    /// The refused credential; nil if there was none.
    package let credential: Credential?
    /// The token that the refusal hands out.
    package var handedOut: String?

    package init(scheme: SchemeKey, credential: Credential?, handedOut: String? = nil) {
        self.scheme = scheme
        self.credential = credential
        self.handedOut = handedOut
    }
}

extension AuthRules.Expiry {
    /// Whether a reply with this status and code shows the sign.
    package func isSign(_ status: Int, _ code: String?) -> Bool {
        switch self {
        case .status(let expired): expired == status
        case .code(let expired): expired == code
        }
    }
}
