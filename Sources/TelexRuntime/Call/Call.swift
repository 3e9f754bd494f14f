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

    private var definition: APIDefinition { pipeline.definition }
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
        guard definition.auth.token != nil, template.endpoint.auth == .required else {
            return credential
        }
        guard let credential else { throw failure(.auth, .noCredential) }
        guard !credential.isExpired(at: pipeline.clock.now()) else {
            context?.refuse(credential)
            throw failure(.auth, .credentialExpired)
        }
        return credential
    }

    func server() throws(APIError) -> Address {
        let choice = options.server ?? template.endpoint.server.map { .named($0) }
        if choice == nil, let address = pipeline.defaultAddress { return address }
        do {
            return try (choice ?? pipeline.server).address(among: definition.servers)
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
            server: server, timeout: timeouts.silence, extra: fields, context: context)
    }

    private var timeouts: Timeouts {
        options.timeouts ?? template.endpoint.timeouts ?? definition.timeouts
    }

    private var carriesToken: Bool {
        definition.auth.token != nil && template.endpoint.auth == .required
    }

    // MARK: After the reply

    /// Reads the reply into memory.
    func collect(_ reply: TransportReply) async throws(APIError) -> Reply {
        do throws(TransportError) {
            let pause = { () async throws(TransportError) in
                do { try await self.context?.passGate() } catch { throw .cancelled }
            }
            let body = try await reply.body.collect(
                upTo: definition.limits.bytes, pause: pause, progress: follow(reply.body))
            context?.keep(reply.head, body)
            return Reply(head: reply.head, body: body)
        } catch {
            throw broken(reply.head, error)
        }
    }

    /// Shows how much of a reply is there, to those who want to see it.
    private func follow(_ body: ReplyBody) -> ((Int) -> Void)? {
        guard let context, context.isFollowed else { return nil }
        return { received in
            context.report(OperationProgress(received: received, expectedToReceive: body.length))
        }
    }

    /// The next piece of a body; nil at its end.
    func next(
        _ chunks: inout ReplyBody.AsyncIterator, _ head: HTTPResponse
    ) async throws(APIError) -> [UInt8]? {
        do throws(TransportError) { return try await chunks.next(isolation: nil) } catch {
            throw broken(head, error)
        }
    }

    /// Returns once the attempt is not held.
    func passGate() async throws(APIError) {
        do { try await context?.passGate() } catch {
            throw failure(.receive, .transport(.cancelled))
        }
    }

    @inline(never)
    private func broken(_ head: HTTPResponse, _ error: TransportError) -> APIError {
        var failure = failure(.receive, .transport(error))
        failure.status = head.status.code
        return failure
    }

    /// Whether the reply counts as success.
    @inline(never)
    private func judge(
        _ answer: Reply, _ expected: ReplyKind, _ credential: Credential?
    ) throws(APIError) {
        let limits = definition.limits.json
        if !rules.allows(status: answer.status) {
            throw refusal(answer, .status(answer.status), credential)
        }
        guard !answer.body.isEmpty else {
            guard case .json = expected else { return }
            throw failure(.map, .emptyReply, at: answer)
        }
        guard let violation = rules.violation(in: answer.body, limits: limits) else { return }
        // What is not JSON cannot have a key: the mapper will say so, or nobody minds.
        if violation.rule == "present",
            JSONReader.bytes(at: [], in: answer.body, limits: limits) == nil
        {
            return
        }
        throw refusal(answer, .refused, credential, [violation])
    }

    /// The server's no, with everything that it says about it.
    @inline(never)
    func refusal(
        _ answer: Reply, _ reason: APIError.Reason, _ credential: Credential?,
        _ violations: [Violation] = []
    ) -> APIError {
        let limits = definition.limits.json
        let code = definition.errors.code(in: answer.body, limits: limits)
        let isExpired = definition.auth.expired.contains { expiry in
            switch expiry {
            case .status(let status): status == answer.status
            case .code(let expired): expired == code
            }
        }
        let isRefused = isExpired && carriesToken
        if isRefused { context?.refuse(credential) }
        var error = failure(
            isRefused ? .auth : .status, isRefused ? .credentialRefused : reason, violations,
            at: answer)
        error.retryAfter = RetryAfter.wait(answer.head.headerFields, now: pipeline.clock.now())
        error.code = code
        error.message = definition.errors.message(in: answer.body, limits: limits)
        let path = definition.errors.at
        error.contents.errorBody =
            JSONReader.bytes(at: path, in: answer.body, limits: limits).map(Array.init) ?? []
        return error
    }

    func map<Output>(
        _ answer: Reply, _ request: APIRequest<Output>
    ) throws(APIError) -> Output {
        let result = RuntimeClock.$current.withValue(pipeline.clock) {
            request.decode(answer.body, unwrap(request.expected), definition.limits.json)
        }
        if let error = result.syntaxError {
            throw failure(.map, .malformedReply(error), at: answer)
        }
        guard let value = result.value else {
            throw failure(.map, .unexpectedReply, result.violations, at: answer)
        }
        guard result.report.isValid else {
            throw failure(.validate, .unexpectedReply, result.violations, at: answer)
        }
        return value
    }

    /// Where the value is; the elements of a stream come without an envelope.
    private func unwrap(_ expected: ReplyKind) -> [String] {
        if case .stream = expected { [] } else { rules.unwrap }
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
