import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

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
