import HTTPTypes
import TelexJSON

/// One attempt.
struct Call: Sendable {
    let pipeline: CallPipeline
    let template: RequestTemplate
    let options: CallOptions
    /// The attempt; nil for a call that is not made.
    let context: AttemptContext?

    private var definition: APIDefinition { pipeline.definition }
    private var reply: ReplyRules { template.endpoint.reply ?? definition.reply }

    func value<Output>(of request: APIRequest<Output>) async throws(APIError) -> Output {
        var redactor = template.redactor(nil)
        do throws(APIError) {
            try refuse(request.expected)
            let credential = try await prepare()
            redactor = template.redactor(credential)
            let answer = try await exchange(credential)
            try judge(answer, request.expected, credential)
            return try map(answer, request)
        } catch {
            throw finished(error, redactor)
        }
    }

    /// The head of the request that would be sent.
    func head() async throws(APIError) -> HTTPRequest {
        do throws(APIError) {
            let credential = try await prepare()
            return try exchange(on: server()).head(credential)
        } catch {
            throw finished(error, template.redactor(nil))
        }
    }

    // MARK: Before sending

    /// Refuses replies that cannot be read into memory and mapped at once.
    private func refuse(_ expected: ReplyKind) throws(APIError) {
        switch expected {
        case .json, .bytes, .nothing: return
        case .file, .stream:
            let problem = TransportError(
                .unsupported, "downloads to files and streams of elements cannot be sent yet")
            throw failure(.build, .transport(problem))
        }
    }

    /// Refuses what must not be sent, and finds the credential.
    private func prepare() async throws(APIError) -> Credential? {
        let errors = template.errors
        guard errors.isEmpty else { throw failure(.build, .invalidRequest, errors) }
        let credential: Credential?
        do {
            credential = try await pipeline.credentials.read()
        } catch {
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

    private func server() throws(APIError) -> Address {
        let choice =
            options.server ?? template.endpoint.server.map { .named($0) } ?? pipeline.server
        do {
            return try choice.address(among: definition.servers)
        } catch {
            throw failure(.build, .invalidRequest, [error])
        }
    }

    private func exchange(_ credential: Credential?) async throws(APIError) -> Reply {
        let server = try server()
        if let context, context.isObserved {
            let token = carriesToken ? definition.auth.token : nil
            let folder = template.isWholeAddress ? "" : server.redacted
            let text = template.text(server: folder, token: token)
            context.emit(.sending(request: template.redactor(credential).redact(text)))
        }
        return try await exchange(on: server).reply(credential)
    }

    private func exchange(on server: Address) -> Exchange {
        var definition = definition
        if !carriesToken { definition.auth.token = nil }
        return Exchange(
            template: template, definition: definition,
            sender: Sender(
                pipeline: pipeline, template: template, tags: options.tags, context: context),
            server: server, timeout: timeouts.silence, context: context)
    }

    private var timeouts: Timeouts {
        options.timeouts ?? template.endpoint.timeouts ?? definition.timeouts
    }

    private var carriesToken: Bool {
        definition.auth.token != nil && template.endpoint.auth == .required
    }

    // MARK: After the reply

    /// Whether the reply counts as success.
    private func judge(
        _ answer: Reply, _ expected: ReplyKind, _ credential: Credential?
    ) throws(APIError) {
        let limits = definition.limits.json
        if !reply.allows(status: answer.status) {
            throw refusal(answer, .status(answer.status), credential)
        }
        guard !answer.body.isEmpty else {
            guard case .json = expected else { return }
            throw failure(.map, .emptyReply, at: answer)
        }
        guard let violation = reply.violation(in: answer.body, limits: limits) else { return }
        // What is not JSON cannot have a key: the mapper will say so, or nobody minds.
        if violation.rule == "present",
            JSONReader.bytes(at: [], in: answer.body, limits: limits) == nil
        {
            return
        }
        throw refusal(answer, .refused, credential, [violation])
    }

    /// The server's no, with everything that it says about it.
    private func refusal(
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
        error.code = code
        error.message = definition.errors.message(in: answer.body, limits: limits)
        let path = definition.errors.at
        error.errorBody =
            JSONReader.bytes(at: path, in: answer.body, limits: limits).map(Array.init) ?? []
        return error
    }

    private func map<Output>(
        _ answer: Reply, _ request: APIRequest<Output>
    ) throws(APIError) -> Output {
        let result = RuntimeClock.$current.withValue(pipeline.clock) {
            request.decode(answer.body, reply.unwrap, definition.limits.json)
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

    // MARK: Errors

    private func failure(
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
    private func finished(_ error: APIError, _ redactor: Redactor) -> APIError {
        var error = error
        error.api = definition.name
        error.attempts = context?.number ?? 0
        if case .malformedReply(var problem) = error.reason {
            problem.path = redactor.redact(problem.path)
            error.reason = .malformedReply(problem)
        }
        error.message = error.message.map(redactor.redact)
        error.code = error.code.map(redactor.redact)
        error.requestID = error.requestID.map(redactor.redact)
        error.violations = error.violations.map { violation in
            var violation = violation
            violation.path = redactor.redact(violation.path)
            violation.expected = redactor.redact(violation.expected)
            violation.found = redactor.redact(violation.found)
            return violation
        }
        error.isRetryable = FailureJudge.mayRetry(error, template, definition)
        return error
    }
}
