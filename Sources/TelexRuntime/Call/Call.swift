import HTTPTypes
import TelexJSON

/// One attempt: from the credential to the mapped value. A reference, because much of it is held
/// across many points where it waits.
final class Call: Sendable {
    let pipeline: CallPipeline
    let request: RequestContent
    /// All that is sent, with what every request carries.
    let template: RequestTemplate
    /// The attempt; nil for a call that is not made.
    let context: AttemptContext?
    let overrides: CallOverrides?
    /// The credential of this attempt, if there is one.
    let credential: Credential?
    /// Why it is not known.
    private let problem: CredentialStoreError?

    init(
        _ pipeline: CallPipeline, _ request: RequestContent, _ template: RequestTemplate,
        _ overrides: CallOverrides?, _ context: AttemptContext?, _ stored: StoredCredential
    ) {
        self.pipeline = pipeline
        self.request = request
        self.template = template
        self.overrides = overrides
        self.context = context
        // Who logs out gives back what is no longer stored.
        switch context?.privilegedTask?.revokedCredential ?? stored {
        case .success(let credential): (self.credential, problem) = (credential, nil)
        case .failure(let error): (credential, problem) = (nil, error)
        }
    }

    var definition: APIDefinition { pipeline.definition }
    /// The number of the attempt; 0 for a call that is not made.
    var attempt: Int { context?.number ?? 0 }
    /// What counts as success.
    var rules: ReplyRules { template.endpoint.reply ?? pipeline.definition.reply }
    /// What a reply looks like when the token is no longer good.
    var signsOfExpiry: [AuthRules.Expiry] {
        template.endpoint.expired ?? pipeline.definition.auth.expired
    }
    /// Where its token goes; nil if the call carries none.
    var placement: AuthRules.Placement? {
        pipeline.carriesToken(template) ? pipeline.definition.auth.token : nil
    }

    /// Makes the attempt.
    nonisolated(nonsending) func value(_ job: TransferJob) async throws(APIError) -> AnyProduct {
        try check()
        guard case .none = job else { return try await transfer(job) }
        return try value(in: try await collect(open()))
    }

    @inline(never)
    private func transfer(_ job: TransferJob) async throws(APIError) -> AnyProduct {
        switch job {
        case .none: throw failure(.build, .transport(TransportError(.unsupported, "no transfer")))
        case .download(let job): try output(.file(try await download(job)))
        case .stream(let job): try output(.stream(count: try await stream(job)))
        }
    }

    /// What a transfer ends with, as the operation's value.
    @inline(never)
    private func output(_ end: TransferEnd) throws(APIError) -> AnyProduct {
        if let output = request.finish(end) { return output }
        let problem = TransportError(.unsupported, "a transfer cannot become such a value")
        throw failure(.build, .transport(problem))
    }

    /// The head of the request that would be sent.
    func head() throws(APIError) -> HTTPRequest {
        do throws(APIError) {
            try check()
            return try Exchange(self, on: server()).head()
        } catch {
            throw finished(error)
        }
    }

    // What follows and is not inlined keeps its temporaries out of the frames of asynchronous
    // callers, which live as long as the call is on its way.

    // MARK: Before sending

    /// Why what is stored cannot be sent, unless it needs nothing from there: it could not be read, or is
    /// somebody else's by now.
    private var storeFailure: APIError? {
        guard pipeline.carriesToken(template) || template.needsCredential else { return nil }
        if let problem { return failure(.auth, .credentialStore(problem)) }
        guard let credential, context?.mayShow(credential) == false else { return nil }
        let cause = CredentialError.loggedInAnew
        var error = failure(.auth, .refreshFailed(cause.description))
        error.cause = cause
        return error
    }

    /// Refuses what must not be sent.
    @inline(never)
    private func check() throws(APIError) {
        let errors = template.errors + pipeline.problems(with: overrides, for: template)
        guard errors.isEmpty else { throw failure(.build, .invalidRequest, errors) }
        if let storeFailure { throw storeFailure }
        guard pipeline.carriesToken(template) else { return }
        guard let credential, !credential.token.isEmpty else {
            // Who has named a wrong server is not asked to log in.
            _ = try server()
            throw failure(.auth, .noCredential)
        }
        guard !credential.isExpired(at: pipeline.clock.now()) else {
            context?.refuse(credential)
            throw failure(.auth, .credentialExpired)
        }
        guard context?.isBarred(from: credential) != true else {
            context?.refuse(credential)
            throw failure(.auth, .credentialRefused)
        }
    }

    func server() throws(APIError) -> Address {
        do {
            return try pipeline.address(for: template, overrides)
        } catch {
            throw failure(.build, .invalidRequest, [error])
        }
    }

    /// Sends the request; its body is still to be read.
    ///
    /// - Parameters:
    ///   - fields: Header fields that this attempt carries besides.
    ///   - hold: Of a download, whether it is held.
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
        Exchange(self, on: try server(), adding: fields, hold)
    }

    /// Keeps the head of a reply, and leaves the host alone as long as that asks for; unless its body
    /// may know better, which is asked once it is there.
    @inline(never)
    private func arrived(_ head: HTTPResponse) {
        context?.noteReply(head, [])
        guard head.isBusy || RateLimitHint.isLikely(in: head.headerFields) else { return }
        if !head.isBusy || !definition.errors.knowsWait { heedWait(in: head) }
    }

    /// Leaves the host alone as long as the head of a reply asks for.
    func heedWait(in head: HTTPResponse) {
        let now = pipeline.clock.now()
        if head.isBusy {
            let wait = RetryAfter.busyWait(head.headerFields, now: now)
            if let wait { context?.pauseHost(wait) }
        } else if let hint = RateLimitHint(head.headerFields, now: now) {
            heed(hint)
        }
    }

    /// Takes the advice of a reply that says nothing of being busy. It may be about a part of the API
    /// only, so that it holds nobody up for longer than calls wait for a pause, and is over once calls
    /// are left.
    private func heed(_ hint: RateLimitHint) {
        let longest = definition.timeouts.pause
        context?.adviseHost(hint.remaining > 0 ? nil : min(hint.reset, longest))
    }

    // MARK: Errors

    @inline(never)
    func failure(
        _ phase: APIError.Phase, _ reason: APIError.Reason, _ violations: [Violation] = [],
        at answer: Reply? = nil
    ) -> APIError {
        var error = APIError(
            method: template.method, phase, reason, violations: violations)
        error.status = answer?.status
        error.requestID = answer?.requestID
        error.body = answer.map { Array($0.body.prefix(65_536)) } ?? []
        return error
    }

    /// Adds what all errors have, and takes secrets out.
    @inline(never)
    func finished(_ error: APIError) -> APIError { shown(completed(error)) }

    /// The error with what all errors have, and with all that the server said.
    func completed(_ error: APIError) -> APIError {
        var error = error
        // That of another call stays as it is.
        if !error.contents.isFromOtherCall {
            error.api = definition.name
            error.attempts = attempt
        }
        error.isRetryable = judge.mayRetry(error)
        return error
    }

    /// Knows every secret that the request holds, and those that requests before it held.
    var redactor: Redactor {
        var redactor = template.redactor(credential, placement)
        for credential in context?.earlierCredentials ?? [] { redactor.add(credential) }
        return redactor
    }

    /// The error without secrets.
    func shown(_ error: APIError) -> APIError {
        var redactor = redactor
        if let reply = context?.record.head { redactor.add(cookiesOf: reply) }
        var error = error
        error.redact(redactor, sparing: knows)
        return error
    }

    /// Decides what follows when it fails as things stand now.
    var judge: FailureJudge {
        FailureJudge(
            template: template, definition: definition, canRefresh: pipeline.canRefresh,
            wasDone: wasDone)
    }

    /// Whether a redirect has turned the request into one for its result (RFC 9110, section 15.4).
    private var wasDone: Bool {
        context?.record.hop.map { $0.method != template.endpoint.method } ?? false
    }
}

extension HTTPResponse {
    /// Whether the server says that it takes no more for now.
    var isBusy: Bool {
        switch status.code {
        case 429, 503: true
        default: false
        }
    }
}
