import HTTPTypes
import TelexJSON

/// What all calls of one API share, and the way of each attempt through it: credential, exchange,
/// success, mapping. A reference, because every call holds it.
final class CallPipeline: Sendable {
    let definition: APIDefinition
    let transport: any Transport
    let credentials: any CredentialStore
    let server: ServerChoice
    let clock: RuntimeClock
    let interceptors: [any Interceptor]
    /// Whether a new credential can be had when the present one is refused.
    let canRefresh: Bool
    /// The server that most calls go to; nil if its address is none.
    let defaultAddress: Address?
    let diagnostician: Diagnostician
    /// What every request carries.
    let base: RequestTemplate

    init(
        _ definition: APIDefinition, _ transport: any Transport,
        _ credentials: any CredentialStore, _ server: ServerChoice, _ clock: RuntimeClock,
        _ interceptors: [any Interceptor], canRefresh: Bool,
        diagnosis: DiagnosisRules = DiagnosisRules(),
        base: RequestTemplate = RequestTemplate(method: "", endpoint: Endpoint(.get, ""))
    ) {
        self.base = base
        self.definition = definition
        self.transport = transport
        self.credentials = credentials
        self.server = server
        self.clock = clock
        self.interceptors = interceptors
        self.canRefresh = canRefresh
        diagnostician = Diagnostician(diagnosis, transport, clock)
        defaultAddress = try? server.address(among: definition.servers)
    }

    /// Makes an attempt.
    func attempt<Output>(
        _ request: APIRequest<Output>, _ template: RequestTemplate, _ options: CallOptions,
        _ job: TransferJob, _ context: AttemptContext
    ) async -> AttemptEnd<Output> {
        let call = call(request, template, options, context)
        do throws(APIError) {
            let value = try await call.value(of: request, job)
            try? await context.passGate()
            return .success(value)
        } catch {
            return await failed(error, call, job, context)
        }
    }

    @inline(never)
    private func call<Output>(
        _ request: APIRequest<Output>, _ template: RequestTemplate, _ options: CallOptions,
        _ context: AttemptContext
    ) -> Call {
        Call(
            pipeline: self, template: template, options: options, context: context,
            sensitiveKeys: { self.sensitiveKeys($0, request, template) })
    }

    @inline(never)
    private func failed<Output>(
        _ error: APIError, _ call: Call, _ job: TransferJob, _ context: AttemptContext
    ) async -> AttemptEnd<Output> {
        let failure = judge(error, call.template, call.options, job, context)
        let error = await diagnosed(error, failure, call.template, call.options, context)
        return .failure(error, failure)
    }

    /// What may be done about a failed attempt.
    @inline(never)
    private func judge(
        _ error: APIError, _ template: RequestTemplate, _ options: CallOptions,
        _ job: TransferJob, _ context: AttemptContext
    ) -> AttemptFailure {
        let judge = FailureJudge(definition: definition, canRefresh: canRefresh)
        var failure = judge.judge(
            error, retryPolicy(of: template, options), mayRepeat: FailureJudge.mayRepeat(template))
        failure.hasProgress = context.record.hasProgress
        // Elements that have been handed out must not come twice.
        if case .stream(let job) = job, !job.canContinue { failure.remedy = .none }
        return failure
    }

    /// The keys whose values nobody may see in the body of a reply; nil if that is not known.
    private func sensitiveKeys<Output>(
        _ body: [UInt8], _ request: APIRequest<Output>, _ template: RequestTemplate
    ) -> Set<String>? {
        switch request.expected {
        case .json:
            let path = (template.endpoint.reply ?? definition.reply).unwrap
            return request.decode(body, path, definition.limits.json).report.sensitiveKeys
        case .bytes, .nothing: return []
        case .file, .stream: return nil
        }
    }

    /// The head of the request that a call would send now.
    func head(
        of template: RequestTemplate, _ options: CallOptions
    ) async throws(APIError) -> HTTPRequest {
        try await Call(pipeline: self, template: template, options: options, context: nil).head()
    }
}
