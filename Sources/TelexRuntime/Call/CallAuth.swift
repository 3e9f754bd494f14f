import HTTPTypes
import TelexJSON
import TelexScheduling
import TelexTransport

/// What an attempt carries to be let in: the token of the engine's scheme, those of other schemes,
/// and secrets of the app.
struct CallAuth: Sendable {
    /// A token of a keeper; nil if a refusal has yet to hand it out.
    struct Token: Sendable {
        let keeper: TokenKeeper
        let text: String?
    }

    /// Why a token or a secret is missing.
    enum Problem: Error {
        case missing(Violation)
        case failed(any Error)
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

    /// Whether it carries the token of the engine's scheme.
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
    /// Whether it carries nothing besides the token of the engine's scheme.
    var isPlain: Bool { others == nil }

    /// Whether the failure of another call, which was to get a token, needs a new credential.
    var needsCredential: Bool {
        guard case .failed(let error as APIError) = problem else { return false }
        return error.isAboutCredential
    }
}

extension CallPipeline {
    /// Returns what an attempt carries.
    nonisolated(nonsending) func auth(
        for template: RequestTemplate, _ overrides: CallOverrides?,
        stored: StoredCredential, context: AttemptContext?
    ) async -> CallAuth {
        let plain = plainAuth(for: template, stored)
        let names = template.secretNames
        let hasOthers = schemes.usesKeepers(template.endpoint.auth)
        // Another origin gets none of them.
        if let whole = template.wholeAddress {
            let server = try? address(for: template, overrides)
            guard server.map(whole.hasSameOrigin) == true else { return plain }
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

    /// Whether a call may carry more than the token of the engine's scheme.
    func carriesMore(_ template: RequestTemplate) -> Bool {
        !schemes.keepers.isEmpty && schemes.usesKeepers(template.endpoint.auth)
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

    /// Chooses the schemes, and gets their tokens.
    nonisolated(nonsending) private func tokens(
        _ auth: Endpoint.Auth, _ stored: StoredCredential, _ context: AttemptContext?
    ) async -> CallAuth {
        let names = schemes.names(auth)
        let hasRefreshedScheme = schemes.usesRefreshedScheme(auth)
        let isLoggedIn = (try? stored.get())?.map { !$0.token.isEmpty } ?? false
        // The log-in comes first; another method may need it to return a token.
        if case .allOf = auth, hasRefreshedScheme, !isLoggedIn { return .refreshedScheme }
        var tokens: [CallAuth.Token] = []
        var problem: CallAuth.Problem?
        for name in names {
            if name == schemes.main {
                if case .anyOf = auth, isLoggedIn { return .refreshedScheme }
                continue
            }
            guard let keeper = schemes.keepers[name] else { continue }
            do {
                let text = try await token(of: keeper, context)
                if text != nil || keeper.mayBeMissing {
                    tokens.append(CallAuth.Token(keeper: keeper, text: text))
                    if case .anyOf = auth {
                        return CallAuth(usesRefreshedScheme: false, tokens: tokens)
                    }
                } else {
                    problem = problem ?? .missing(keeper.missing)
                }
            } catch {
                problem = problem ?? error as? CallAuth.Problem ?? .failed(error)
            }
        }
        switch auth {
        // Without any credential, a log-in helps.
        case .anyOf where hasRefreshedScheme: return .refreshedScheme
        case .optional: return CallAuth(usesRefreshedScheme: false, tokens: tokens)
        default:
            return CallAuth(
                usesRefreshedScheme: hasRefreshedScheme, tokens: tokens, problem: problem)
        }
    }

    nonisolated(nonsending) private func token(
        of keeper: TokenKeeper, _ context: AttemptContext?
    ) async throws -> String? {
        if let name = keeper.rules.secret { return try await secret(name) }
        return try await keeper.token(at: clock) { method in
            guard let handle = context?.handle else {
                throw CredentialError(
                    .nothingToRefresh, "the token of `\(keeper.rules.name)` is not known yet")
            }
            return try await self.token(from: method, handle)
        }
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

    /// Calls the method that returns a token.
    nonisolated(nonsending) private func token(
        from method: TokenMethod, _ handle: OperationHandle
    ) async throws -> Credential {
        guard let endpoint = definition.tokenMethods[method.name], let hub = handle.attributes.hub
        else {
            throw CredentialError(
                .invalidRequest, "`\(method.name)` is no method that returns a token")
        }
        let draft = RequestDraft(method: method.name, endpoint: endpoint)
        let factory = OperationFactory(pipeline: self, engine: handle.engine, hub: hub)
        // It must neither wait for a turn of the queue that the waiting call has, nor refresh.
        let privilegedTask = PrivilegedTask(
            for: handle.engine, revokedCredential: handle.engine.privilegedTask?.revokedCredential)
        defer { privilegedTask.end() }
        let response = try await PrivilegedTask.$current.withValue(privilegedTask) {
            let request = RequestBuilder(draft).finishEmpty()
            return try await factory.operation(request, options: nil, after: []).response
        }
        let token =
            if let field = method.header {
                HTTPField.Name(field).flatMap { response.head?.headerFields[$0] } ?? ""
            } else {
                (try? LoginRules(token: method.token).credential(
                    in: response.body, under: (endpoint.reply ?? definition.reply).unwrap,
                    limits: definition.limits.json, at: clock.now()))?.token ?? ""
            }
        guard !token.isEmpty else {
            let place = method.header ?? method.token.joined(separator: ".")
            throw CredentialError(
                .malformedReply, "the reply of `\(method.name)` has no token at `\(place)`")
        }
        return Credential(token: token)
    }
}

extension TokenKeeper {
    /// The violation of a call without the token.
    fileprivate var missing: Violation {
        Violation(
            path: rules.name, rule: "auth",
            expected: "a credential of the scheme, as "
                + "`APIManager(…) { $0.schemes[\"\(rules.name)\"] = … }`",
            found: "none")
    }
}

extension APIError {
    /// Whether the credential of the engine's scheme is missing, expired or refused.
    var isAboutCredential: Bool {
        switch reason {
        case .noCredential, .credentialExpired, .credentialRefused: true
        default: false
        }
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
        case .failed(let error as CredentialStoreError):
            return failure(in: .auth, reason: .credentialStore(error))
        case .failed(let error as APIError) where error.isAboutCredential:
            if let credential { context?.refuse(credential) }
            return failure(in: .auth, reason: error.reason)
        case .failed(var error as APIError):
            error.contents.isFromOtherCall = true
            return error
        case .failed(let error):
            var failure = failure(in: .auth, reason: .refreshFailed(error.safeDescription))
            failure.cause = error
            return failure
        }
    }

    /// The token of another scheme that a reply refuses; nil if it refuses none, or if the request
    /// cannot be sent again. A reply of another origin tells nothing about it.
    @inline(never)
    func renewal(after answer: Reply, code: String?) -> TokenRenewal? {
        guard !auth.tokens.isEmpty, !template.isConsumed,
            context?.kept.hop.map({ !$0.wasRedirectedAway }) == true
        else { return nil }
        for token in auth.tokens where token.keeper.isRefused(by: answer.head, code: code) {
            let new = token.keeper.token(in: answer.head)
            if token.keeper.mayBeMissing, new == nil || new == token.text { continue }
            return TokenRenewal(keeper: token.keeper, refused: token.text, new: new)
        }
        return nil
    }
}
