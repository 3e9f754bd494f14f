import HTTPTypes
import TelexJSON

/// One attempt. A reference, because much of it is held across many points where it waits.
final class Call: Sendable {
    let pipeline: CallPipeline
    let template: RequestTemplate
    let options: CallOptions
    /// The attempt; nil for a call that is not made.
    let context: AttemptContext?
    /// The keys whose values nobody may see in the body of a reply; nil if nothing of the body may
    /// be shown.
    let sensitiveKeys: @Sendable (_ body: [UInt8]) -> Set<String>?

    init(
        pipeline: CallPipeline, template: RequestTemplate, options: CallOptions,
        context: AttemptContext?,
        sensitiveKeys: @escaping @Sendable (_ body: [UInt8]) -> Set<String>? = { _ in nil }
    ) {
        self.pipeline = pipeline
        self.template = template
        self.options = options
        self.context = context
        self.sensitiveKeys = sensitiveKeys
    }

    var definition: APIDefinition { pipeline.definition }
    /// What counts as success.
    var rules: ReplyRules { template.endpoint.reply ?? definition.reply }

    /// Makes the attempt.
    func value<Output>(
        of request: APIRequest<Output>, _ job: TransferJob
    ) async throws(APIError) -> Output {
        var credential: Credential?
        do throws(APIError) {
            credential = try await prepare()
            switch job {
            case .none: return try await inMemory(request, credential)
            case .download(let job):
                return try output(try await download(job, credential), of: request)
            case .stream(let job):
                return try output(try await stream(request, job, credential), of: request)
            }
        } catch {
            throw finished(error, credential)
        }
    }

    /// Reads the reply into memory and maps it at once.
    private func inMemory<Output>(
        _ request: APIRequest<Output>, _ credential: Credential?
    ) async throws(APIError) -> Output {
        let answer = try await collect(open(credential))
        try judge(answer, request.expected, credential)
        return try map(answer, request)
    }

    /// What a transfer ends with, as the operation's value.
    private func output<Output>(
        _ end: some Sendable, of request: APIRequest<Output>
    ) throws(APIError) -> Output {
        if let output = request.finish(end) { return output }
        let problem = TransportError(.unsupported, "a transfer cannot become such a value")
        throw failure(.build, .transport(problem))
    }

    /// The head of the request that would be sent.
    func head() async throws(APIError) -> HTTPRequest {
        var credential: Credential?
        do throws(APIError) {
            credential = try await prepare()
            return try exchange(on: server(), credential).head(credential)
        } catch {
            throw finished(error, credential)
        }
    }

    // MARK: Before sending

    /// Refuses what must not be sent, and finds the credential.
    private func prepare() async throws(APIError) -> Credential? {
        try checkRequest()
        let result: Result<Credential?, CredentialStoreError>
        do { result = .success(try await pipeline.credentials.read()) } catch {
            result = .failure(error)
        }
        return try usable(result)
    }

    // What follows is not inlined, so that its temporaries are not in the frame of the asynchronous
    // caller, which lives as long as the call is on its way.

    @inline(never)
    private func checkRequest() throws(APIError) {
        let errors = template.errors
        guard errors.isEmpty else { throw failure(.build, .invalidRequest, errors) }
    }

    /// The stored credential, if it can be used.
    @inline(never)
    private func usable(
        _ stored: Result<Credential?, CredentialStoreError>
    ) throws(APIError) -> Credential? {
        let credential: Credential?
        do { credential = try stored.get() } catch {
            throw failure(.auth, .credentialStore(error))
        }
        guard carriesToken else { return credential }
        guard let credential else { throw failure(.auth, .noCredential) }
        guard !credential.isExpired(at: pipeline.clock.now()) else {
            context?.refuse(credential)
            throw failure(.auth, .credentialExpired)
        }
        return credential
    }

    func server() throws(APIError) -> Address {
        do {
            return try pipeline.address(for: template, options)
        } catch {
            throw failure(.build, .invalidRequest, [error])
        }
    }

    /// Sends the request; its body is still to be read.
    ///
    /// - Parameter fields: Header fields that this attempt carries besides.
    func open(
        _ credential: Credential?, adding fields: HTTPFields = [:]
    ) async throws(APIError) -> TransportReply {
        let reply = try await exchange(on: server(), credential, adding: fields)
            .reply(credential)
        heed(reply.head)
        return reply
    }

    /// Leaves the host alone as long as it asks for.
    @inline(never)
    private func heed(_ head: HTTPResponse) {
        let now = pipeline.clock.now()
        let isBusy = head.status == .tooManyRequests || head.status == .serviceUnavailable
        if isBusy, let wait = RetryAfter.wait(head.headerFields, now: now) {
            context?.pauseHost(wait)
        } else if let hint = RateLimitHint(head.headerFields, now: now), hint.remaining == 0 {
            context?.pauseHost(hint.reset)
        }
    }

    private func exchange(
        on server: Address, _ credential: Credential?, adding fields: HTTPFields = [:]
    ) -> Exchange {
        var definition = definition
        if !carriesToken { definition.auth.token = nil }
        return Exchange(
            template: template, definition: definition,
            sender: Sender(
                pipeline: pipeline, template: template, tags: options.tags, context: context,
                credential: credential, sensitiveKeys: sensitiveKeys),
            server: server, timeout: pipeline.timeouts(of: template, options).silence,
            extra: fields, context: context)
    }

    var carriesToken: Bool { pipeline.carriesToken(template) }

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
        return error
    }

    /// Adds what all errors have, and takes secrets out.
    @inline(never)
    private func finished(_ error: APIError, _ credential: Credential?) -> APIError {
        var redactor = template.redactor(credential)
        for cookie in context?.record.head?.headerFields[values: .setCookie] ?? [] {
            redactor.add(header: String(cookie.prefix { $0 != ";" }))
        }
        var error = error
        error.api = definition.name
        error.attempts = context?.number ?? 0
        error.redact(redactor)
        error.isRetryable = FailureJudge.mayRetry(error, template, definition)
        return error
    }
}
