import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexScheduling
import TelexTransport

/// What an attempt carries to be let in: the token of the log-in, those of further schemes, and
/// secrets of the app. An attempt only reads them; the engine gets new tokens.
struct CallAuth: Sendable {
    /// The token of a further scheme; nil if a refusal has yet to hand it out.
    struct Token: Sendable {
        let scheme: TokenScheme
        let credential: Credential?
    }

    /// Why a token or a secret is missing.
    enum Problem: Error {
        case missing(Violation)
        case failed(CredentialStoreError)
        /// A new token can be requested.
        case refused(TokenRefusal)
    }

    private final class FurtherTokens: Sendable {
        let tokens: [Token]
        let secrets: [String: String]
        let problem: Problem?

        init(_ tokens: [Token], _ secrets: [String: String], _ problem: Problem?) {
            self.tokens = tokens
            self.secrets = secrets
            self.problem = problem
        }
    }

    static let refreshedScheme = CallAuth(usesRefreshedScheme: true)
    static let none = CallAuth(usesRefreshedScheme: false)

    /// Whether it carries the token of the log-in.
    let usesRefreshedScheme: Bool
    /// All that it carries besides; nil in most calls.
    private let others: FurtherTokens?

    init(usesRefreshedScheme: Bool) {
        self.usesRefreshedScheme = usesRefreshedScheme
        others = nil
    }

    init(
        usesRefreshedScheme: Bool, tokens: [Token] = [], secrets: [String: String] = [:],
        problem: Problem? = nil
    ) {
        self.usesRefreshedScheme = usesRefreshedScheme
        others = FurtherTokens(tokens, secrets, problem)
    }

    /// The tokens of other schemes.
    var tokens: [Token] { others?.tokens ?? [] }
    /// The secrets of the app by name.
    var secrets: [String: String] { others?.secrets ?? [:] }
    /// Why one of them is missing.
    var problem: Problem? { others?.problem }
    /// Whether it carries nothing besides the token of the log-in.
    var isPlain: Bool { others == nil }
}

extension CallPipeline {
    /// Returns what an attempt carries.
    nonisolated(nonsending) func auth(
        for template: RequestTemplate, on server: Result<Address, Violation>,
        stored: StoredCredential, context: AttemptContext?
    ) async -> CallAuth {
        let plain = plainAuth(for: template, stored)
        let names = template.secretNames
        let hasOthers = schemes.usesFurther(template.endpoint.auth)
        // Another origin gets none of them.
        if let whole = template.wholeAddress {
            guard (try? server.get()).map(whole.hasSameOrigin) == true else { return plain }
        }
        var secrets: [String: String] = [:]
        do throws(CallAuth.Problem) {
            for name in names { secrets[name] = try await secret(name) }
        } catch {
            return CallAuth(usesRefreshedScheme: false, problem: error)
        }
        let chosen =
            hasOthers ? await tokens(template.endpoint.auth, stored, context) : plain
        return CallAuth(
            usesRefreshedScheme: chosen.usesRefreshedScheme, tokens: chosen.tokens,
            secrets: secrets,
            problem: chosen.problem)
    }

    /// Whether a call may carry more than the token of the log-in.
    func carriesMore(_ template: RequestTemplate) -> Bool {
        !schemes.further.isEmpty && schemes.usesFurther(template.endpoint.auth)
            || template.sendsAppSecret
    }

    /// Returns what an attempt carries unless another scheme takes precedence: the stored credential
    /// in its usual place, or nothing.
    func plainAuth(for template: RequestTemplate, _ stored: StoredCredential) -> CallAuth {
        guard carriesToken(template) else { return .none }
        guard case .optional = template.endpoint.auth, case .success(let credential) = stored
        else { return .refreshedScheme }
        return credential?.token.isEmpty == false ? .refreshedScheme : .none
    }

    /// Chooses the schemes, and reads their tokens.
    nonisolated(nonsending) private func tokens(
        _ auth: Endpoint.Auth, _ stored: StoredCredential, _ context: AttemptContext?
    ) async -> CallAuth {
        let hasRefreshedScheme = schemes.usesRefreshedScheme(auth)
        let isLoggedIn = (try? stored.get())?.map { !$0.token.isEmpty } ?? false
        // The log-in comes first; another method may need it to return a token.
        if case .allOf = auth, hasRefreshedScheme, !isLoggedIn { return .refreshedScheme }
        var tokens: [CallAuth.Token] = []
        var problem: CallAuth.Problem?
        for name in schemes.names(auth) {
            if name == schemes.main {
                if case .anyOf = auth, isLoggedIn { return .refreshedScheme }
                continue
            }
            guard let scheme = schemes.further[name] else { continue }
            do throws(CallAuth.Problem) {
                let credential = try await token(of: scheme, context)
                tokens.append(CallAuth.Token(scheme: scheme, credential: credential))
                if case .anyOf = auth {
                    return CallAuth(usesRefreshedScheme: false, tokens: tokens)
                }
            } catch {
                problem = problem ?? error
                // A token that can be requested counts as one that is there.
                if case .anyOf = auth, case .refused = error {
                    return CallAuth(usesRefreshedScheme: false, problem: error)
                }
            }
        }
        switch auth {
        // Without any credential, a log-in helps.
        case .anyOf where hasRefreshedScheme: return .refreshedScheme
        case .optional where problem?.hasToken != true:
            return CallAuth(usesRefreshedScheme: false, tokens: tokens)
        default:
            return CallAuth(
                usesRefreshedScheme: hasRefreshedScheme, tokens: tokens, problem: problem)
        }
    }

    /// Reads the token of a further scheme.
    ///
    /// - Returns: nil if the request is sent without it.
    nonisolated(nonsending) private func token(
        of scheme: TokenScheme, _ context: AttemptContext?
    ) async throws(CallAuth.Problem) -> Credential? {
        if let name = scheme.rules.secret { return Credential(token: try await secret(name)) }
        let stored: Credential?
        do { stored = try await scheme.store.read() } catch { throw .failed(error) }
        guard let stored, !stored.token.isEmpty else {
            if scheme.mayBeMissing { return nil }
            guard scheme.canLogIn, let key = scheme.key else { throw .missing(scheme.missing) }
            throw .refused(TokenRefusal(scheme: key, credential: nil))
        }
        guard let key = scheme.key else { return stored }
        let isOver = scheme.refresher != nil && stored.isExpired(at: clock.now())
        if isOver || context?.mustNotUse(stored, of: key) == true {
            throw .refused(TokenRefusal(scheme: key, credential: stored))
        }
        return stored
    }

    /// Asks the app for a secret.
    nonisolated(nonsending) private func secret(
        _ name: String
    ) async throws(CallAuth.Problem) -> String {
        do {
            if let secret = try await schemes.secrets?.text(of: name) { return secret }
        } catch { throw .failed(error) }
        throw .missing(
            Violation(
                path: name, rule: "secret",
                expected: "a secret of this name in `APIManager(…) { $0.secrets = … }`",
                found: "none"))
    }
}

extension CallAuth.Problem {
    /// Whether there is a token, which has expired.
    fileprivate var hasToken: Bool {
        if case .refused(let refusal) = self { refusal.credential != nil } else { false }
    }
}

extension TokenScheme {
    /// The violation of a call without the token.
    fileprivate var missing: Violation {
        Violation(
            path: rules.name, rule: "auth",
            expected: "a credential of the scheme, as "
                + "`APIManager(…) { $0.schemes[\"\(rules.name)\"] = … }`",
            found: "none")
    }
}

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
