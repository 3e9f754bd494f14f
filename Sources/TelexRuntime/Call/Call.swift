import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexRequests
import TelexTransport

/// One attempt, from the credential to the mapped value. A class, because most of its state lives
/// across many suspension points.
final class Call: Sendable {
    let plan: CallPlan
    /// The complete request, including the base parameters of the API, the secrets of the app, and
    /// the tokens that are sent like parameters.
    let template: RequestTemplate
    /// The context of the attempt; nil if the call is not sent.
    let context: AttemptContext?
    /// The schemes whose tokens it carries.
    let auth: CallAuth
    /// What counts as success. A copy, because most steps after the reply read a part of it.
    let replyRules: ReplyRules
    /// The features that concern the call.
    let features: [any CallFeature]
    /// The credential of this attempt, if there is one.
    let credential: Credential?
    /// Why the credential could not be read.
    private let problem: CredentialStoreError?

    init(
        _ plan: CallPlan, sending template: RequestTemplate, context: AttemptContext?,
        credential stored: StoredCredential, auth: CallAuth
    ) {
        self.plan = plan
        self.context = context
        self.auth = auth
        replyRules = plan.rules.reply
        features = plan.pipeline.features.filter { $0.concerns(plan) }
        // A log-out request carries the credential that was just removed from the store.
        switch context?.privilegedTask?.revokedCredential ?? stored {
        case .success(let credential): (self.credential, problem) = (credential, nil)
        case .failure(let error): (credential, problem) = (nil, error)
        }
        var main: (String, AuthRules.Placement)?
        if auth.usesRefreshedScheme, let place = plan.pipeline.definition.auth.token,
            case .path = place
        {
            main = credential.map { ($0.token, place) }
        }
        let isChanged = main != nil || !auth.isPlain
        self.template = isChanged ? template.carrying(auth, main: main) : template
    }

    var pipeline: CallPipeline { plan.pipeline }
    /// How the reply becomes a value.
    var request: RequestContent { plan.request }
    /// The options of the call; nil for none.
    var options: CallOptions? { plan.options }
    var rules: EffectiveRules { plan.rules }
    var definition: APIDefinition { pipeline.definition }
    /// The number of the attempt; 0 if the call is not sent.
    var attempt: Int { context?.number ?? 0 }
    /// The field `Accept` of a request without one: the media types of the reply, those of a stream,
    /// or JSON before others if JSON is read; nil for none.
    var accept: HTTPField? {
        let types = replyRules.accepts
        if !types.isEmpty {
            return HTTPField(name: .accept, value: types.joined(separator: ", "))
        }
        switch request.expected {
        case .json: return Self.jsonFirst
        case .stream(let format):
            return HTTPField(
                name: .accept, value: format.framing.mediaTypes.joined(separator: ", "))
        case .bytes, .text, .nothing, .file, .statuses: return nil
        }
    }

    private static let jsonFirst = HTTPField(name: .accept, value: "application/json, */*;q=0.5")
    /// The place of the token in the request; nil if the call carries none.
    var placement: AuthRules.Placement? {
        auth.usesRefreshedScheme ? pipeline.definition.auth.token : nil
    }

    /// Makes the attempt.
    nonisolated(nonsending) func value() async throws(APIError) -> AnyProduct {
        try check()
        if plan.isTransfer { return try await transfer() }
        // Most calls concern no feature, and an answer in each frame would make them larger.
        if features.isEmpty { return try await valueOfServer() }
        return try await valueOfFeatures()
    }

    @inline(never)
    nonisolated(nonsending) private func valueOfFeatures() async throws(APIError) -> AnyProduct {
        let answer = try await NextFeature(of: self).answer()
        guard let value = answer.value else {
            throw failure(in: .map, reason: .status(answer.reply.status), at: answer.reply)
        }
        return value
    }

    /// Returns the value of the server's reply.
    nonisolated(nonsending) private func valueOfServer() async throws(APIError) -> AnyProduct {
        try value(in: try await collect(open()))
    }

    /// Asks the server, after all features.
    ///
    /// - Parameter fields: The header fields that features have added.
    nonisolated(nonsending) func ask(adding fields: HTTPFields) async throws(APIError) -> CallAnswer
    {
        let head = try await open(adding: fields)
        let received = pipeline.clock.now()
        let reply = try await collect(head)
        let isUnchanged =
            reply.status == 304
            && (fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince))
            && context?.kept.hop?.isRedirected != true
        return CallAnswer(
            reply: reply, received: received, value: isUnchanged ? nil : try value(in: reply))
    }

    @inline(never)
    private func transfer() async throws(APIError) -> AnyProduct {
        switch plan.job {
        case .none:
            throw failure(
                in: .build, reason: .transport(TransportError(.unsupported, "no transfer")))
        case .download(let job): try output(.file(try await download(job)))
        case .stream(let job): try output(.stream(count: try await stream(job)))
        }
    }

    /// Converts the result of a transfer to the operation's value.
    @inline(never)
    private func output(_ end: TransferEnd) throws(APIError) -> AnyProduct {
        if let output = request.finish(end) { return output }
        let problem = TransportError(
            .unsupported, "the result of a transfer cannot be converted to this value type")
        throw failure(in: .build, reason: .transport(problem))
    }

    /// Returns the head of the request that would be sent.
    func head() throws(APIError) -> HTTPRequest {
        do throws(APIError) {
            try check()
            return try Exchange(self, on: server()).head()
        } catch {
            throw finished(error)
        }
    }

    // The functions below that are not inlined keep their temporaries out of the frames of
    // asynchronous callers, which live until the call ends.

    // MARK: Before sending

    /// The error if the call needs the stored credential and it cannot be used: it could not be
    /// read, or it belongs to another login.
    private var storeFailure: APIError? {
        guard auth.usesRefreshedScheme || template.needsCredential else { return nil }
        if let problem { return failure(in: .auth, reason: .credentialStore(problem)) }
        guard let credential, context?.mayUse(credential) == false else { return nil }
        let cause = CredentialError.loggedInAgain
        var error = failure(in: .auth, reason: .refreshFailed(cause.description))
        error.cause = cause
        return error
    }

    /// Throws if the request must not be sent.
    @inline(never)
    private func check() throws(APIError) {
        var errors = template.errors + plan.problems
        if let missingChecks { errors.append(missingChecks) }
        guard errors.isEmpty else {
            throw failure(in: .build, reason: .invalidRequest, violations: errors)
        }
        if let storeFailure { throw storeFailure }
        if let failure = authFailure() { throw failure }
        guard auth.usesRefreshedScheme else { return }
        guard let credential, !credential.token.isEmpty else {
            // An invalid server is reported before the missing credential.
            _ = try server()
            throw failure(in: .auth, because: .noCredential, loginRefusal(nil))
        }
        guard !credential.isExpired(at: pipeline.clock.now()) else {
            context?.noteCredential(credential)
            throw failure(in: .auth, because: .credentialExpired, loginRefusal(credential))
        }
        guard context?.mustNotUse(credential, of: .login) != true else {
            context?.noteCredential(credential)
            throw failure(in: .auth, because: .credentialRefused, loginRefusal(credential))
        }
    }

    /// The violation if the app's own checks are needed and the manager has none.
    private var missingChecks: Violation? {
        guard request.asksApp, pipeline.appChecks == nil, rules.validation.mode != .off else {
            return nil
        }
        return Violation(
            path: "checks", rule: "validate",
            expected: "the app's own checks of replies, as `APIManager(…) { $0.checks = … }`",
            found: "none")
    }

    func server() throws(APIError) -> Address {
        switch plan.server {
        case .success(let server): return server
        case .failure(let violation):
            throw failure(in: .build, reason: .invalidRequest, violations: [violation])
        }
    }

    /// Sends the request and returns the reply, whose body is still unread.
    ///
    /// - Parameters:
    ///   - fields: Additional header fields of this attempt.
    ///   - hold: The suspension state of a download.
    nonisolated(nonsending) func open(
        adding fields: HTTPFields = [:], _ hold: DownloadHold? = nil
    ) async throws(APIError) -> TransportReply {
        let reply = try await exchange(adding: fields, hold).reply()
        arrived(reply.head)
        return reply
    }

    @inline(never)
    private func exchange(
        adding fields: HTTPFields, _ hold: DownloadHold?
    ) throws(APIError) -> Exchange {
        Exchange(self, on: try server(), adding: fields, hold: hold)
    }

    /// Records the head of a reply and pauses the host for the time that it asks for. If the body
    /// may contain a better time, the pause is set once the body has arrived.
    @inline(never)
    private func arrived(_ head: HTTPResponse) {
        context?.noteReply(head, [])
        guard head.isBusy || RateLimitHint.isLikely(in: head.headerFields) else { return }
        if !head.isBusy || !rules.errors.declaresWait { applyServerWait(in: head) }
    }

    /// Pauses the host for the time that the head of a reply asks for.
    func applyServerWait(in head: HTTPResponse) {
        let now = pipeline.clock.now()
        if head.isBusy {
            let wait = RetryAfter.retryDelay(head.headerFields, now: now)
            if let wait { context?.pauseHost(wait) }
        } else if let hint = RateLimitHint(head.headerFields, now: now) {
            heed(hint)
        }
    }

    /// Applies the rate hint of a reply that is not a 429 or 503. The hint may concern only a part
    /// of the API, so it delays calls for at most the longest pause of a call. A reply that reports
    /// remaining calls ends the delay.
    private func heed(_ hint: RateLimitHint) {
        let longest = definition.timeouts.pause
        context?.adviseHost(hint.remaining > 0 ? nil : min(hint.reset, longest))
    }

    // MARK: Errors

    @inline(never)
    func failure(
        in phase: APIError.Phase, reason: APIError.Reason, violations: [Violation] = [],
        at answer: Reply? = nil
    ) -> APIError {
        var error = APIError(
            method: template.method, phase: phase, reason: reason, violations: violations)
        error.status = answer?.status
        error.requestID = answer?.requestID
        error.contents.mediaType = answer?.documentType
        error.body = answer.map { Array($0.body.prefix(65_536)) } ?? []
        return error
    }

    /// Adds the fields that all errors have and redacts secrets.
    @inline(never)
    func finished(_ error: APIError) -> APIError { redactedError(completed(error)) }

    /// Returns the error with the fields that all errors have, not yet redacted.
    func completed(_ error: APIError) -> APIError {
        var error = error
        // An error of another call keeps its own fields.
        if !error.contents.isFromOtherCall {
            error.api = definition.name
            // A first attempt that ends before its request has sent nothing.
            error.attempts = attempt == 1 && context?.kept.hop == nil ? 0 : attempt
        }
        error.isRetryable = judge.mayRetry(error)
        return error
    }

    /// The redactor for every secret in this request and for the credentials of earlier attempts.
    var redactor: Redactor {
        var redactor = credentialRedactor
        template.addSecrets(to: &redactor, credential)
        for value in features.flatMap(\.secrets) { redactor.add(part: value) }
        return redactor
    }

    /// The redactor for the credentials of this attempt and of earlier ones.
    private var credentialRedactor: Redactor {
        let credentials = (credential.map { [$0] } ?? []) + (context?.earlierCredentials ?? [])
        if credentials.isEmpty { return Redactor() }
        return pipeline.redactors.redactor(of: credentials) {
            context?.mayKeepSecrets ?? false
        } make: {
            var redactor = Redactor()
            for credential in credentials { redactor.add(credential, at: definition.auth.token) }
            return redactor
        }
    }

    /// The redactor for the same secrets and for those that the reply sets.
    var replyRedactor: Redactor {
        var redactor = redactor
        if let reply = context?.record.head { redactor.add(cookiesOf: reply) }
        return redactor
    }

    /// Returns the error without secrets.
    func redactedError(_ error: APIError) -> APIError {
        var error = error
        error.redact(replyRedactor, sparing: hasMeaning)
        return error
    }

    /// The judge of a failure in the current state of the call.
    var judge: FailureJudge {
        FailureJudge(template: template, errors: rules.errors, wasExecuted: wasExecuted)
    }

    /// Whether a redirect has changed the method, so that the last request only fetched the result
    /// (RFC 9110, section 15.4).
    private var wasExecuted: Bool {
        context?.kept.hop.map { $0.method != template.endpoint.method } ?? false
    }
}

extension HTTPResponse {
    /// Whether the server temporarily refuses requests: status 429 or 503.
    var isBusy: Bool {
        switch status.code {
        case 429, 503: true
        default: false
        }
    }
}
