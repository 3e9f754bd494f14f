import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

extension Call {
    /// The failure because a token of another scheme or a secret is missing; nil if all are there.
    @inline(never)
    func authFailure() -> APIError? {
        switch auth.problem {
        case nil: return nil
        case .missing(let violation):
            return failure(in: .build, reason: .invalidRequest, violations: [violation])
        case .failed(let error): return failure(in: .auth, reason: .credentialStore(error))
        case .refused(let refusal):
            guard context != nil else {
                let name = pipeline.schemes.scheme(refusal.scheme)?.rules.name ?? ""
                return failure(
                    in: .auth, reason: .refreshFailed("the token of `\(name)` is not known yet"))
            }
            return failure(
                in: .auth, because: refusal.credential == nil ? .noCredential : .credentialExpired,
                refusal)
        }
    }

    /// The failure because of a token that is missing, expired or refused.
    ///
    /// - Parameter refusal: The token to be refreshed; nil for none.
    @inline(never)
    func failure(
        in phase: APIError.Phase, because reason: APIError.Reason, _ refusal: TokenRefusal?
    ) -> APIError {
        var error = failure(in: phase, reason: reason)
        error.contents.refusal = refusal
        return error
    }

    /// The refusal of the log-in's credential; nil if no new one can be requested for the call.
    ///
    /// - Parameter credential: The refused credential; nil if there is none.
    func loginRefusal(_ credential: Credential?) -> TokenRefusal? {
        guard options?.credential == nil, let refresher = pipeline.refresher,
            self.credential != nil || refresher.canLogIn
        else { return nil }
        return TokenRefusal(scheme: .login, credential: credential)
    }

    /// The refusal of a further token by a reply; nil if it refuses none. A reply of another origin
    /// tells nothing about it.
    @inline(never)
    func furtherRefusal(by answer: Reply, code: String?) -> TokenRefusal? {
        guard !auth.tokens.isEmpty,
            context?.kept.hop.map({ !$0.wasRedirectedAway }) == true
        else { return nil }
        for token in auth.tokens {
            let refusal = token.scheme.refusal(of: token.credential, by: answer.head, code: code)
            if let refusal { return refusal }
        }
        return nil
    }
}
