import HTTPTypes
import TelexScheduling

/// The plan of a call, from which each attempt is made. The full request is rebuilt for each
/// attempt, so that a waiting call uses little memory.
final class CallPlan: Sendable {
    let pipeline: CallPipeline
    let request: RequestContent
    /// The options that differ from the method's; nil for none, as in most calls.
    private let overrides: CallOverrides?
    /// The id of the call, by which the server recognises a repeated request; the same in all
    /// attempts.
    private let key: String?
    private let job: TransferJob

    init(pipeline: CallPipeline, request: RequestContent, overrides: CallOverrides?) {
        self.pipeline = pipeline
        self.request = request
        self.overrides = overrides
        key = overrides?.options.idempotencyKey ?? request.template.newKey
        job = TransferJob(request.expected)
    }

    /// The server in the call's options; nil for the method's or the manager's.
    private var server: ServerChoice? { overrides?.options.server }

    /// Returns the key that equal calls share, which may then share one request.
    func coalescingKey<Output>(of output: Output.Type) -> RequestCoalescer.CoalescingKey {
        RequestCoalescer.CoalescingKey(
            request: template.identity, server: server, sendingOptions: sendingOptions,
            output: ObjectIdentifier(output))
    }

    /// The effective options that calls must share to be coalesced.
    private var sendingOptions: RequestCoalescer.SendingOptions {
        let template = request.template
        let timeouts = pipeline.timeouts(of: template, overrides)
        return RequestCoalescer.SendingOptions(
            silence: timeouts.silence, attempt: timeouts.attempt, pause: timeouts.pause,
            retry: pipeline.retryPolicy(of: template, overrides),
            queue: pipeline.queue(of: template, overrides),
            network: pipeline.network(of: template, overrides),
            session: pipeline.session(of: template, overrides),
            credential: overrides?.options.credential,
            validation: pipeline.validation(of: template, overrides),
            cache: overrides?.options.cache)
    }

    /// The complete request, including the base parameters.
    var template: RequestTemplate {
        request.template.completed(base: pipeline.base, key: key) {
            // In a background transfer, the system follows redirects itself and repeats all header
            // fields. Without a server, a request to a whole address gets no base fields.
            if pipeline.session(of: request.template, overrides).isBackground { return nil }
            return try? pipeline.address(for: request.template, overrides)
        }
    }

    /// Whether the call holds a resource, such as a file, that must be released at the end.
    var isTransfer: Bool {
        if case .none = job { false } else { true }
    }

    /// Returns the call of an attempt.
    nonisolated(nonsending) func call(_ context: AttemptContext?) async -> Call {
        let credential = await credential(for: context)
        if let call = plainCall(context, credential) { return call }
        return await call(context, credential)
    }

    /// Makes an attempt.
    nonisolated(nonsending) func attempt(_ context: AttemptContext) async -> AttemptEnd {
        let call = await call(context)
        do throws(APIError) {
            let value = try await call.value(job)
            try? await context.waitWhilePaused()
            return .success(value)
        } catch {
            // The error of an attempt that was stopped is not needed.
            return Task.isCancelled
                ? .stopped : await ended(with: error, call: call, context: context)
        }
    }

    @inline(never)
    nonisolated(nonsending) private func ended(
        with error: APIError, call: Call, context: AttemptContext
    ) async -> AttemptEnd {
        let end = failed(with: error, call: call, context: context)
        if case .failure(_, let failure) = end, let refusal = error.contents.refusal {
            await findNewerToken(failure.remedy, refusal, context.handle.engine)
        }
        return end
    }

    /// Stores a token that a refusal hands out. Without one, looks for a newer token in the store
    /// while the token server has asked this engine to wait: another process may have obtained one
    /// in the meantime.
    @inline(never)
    nonisolated(nonsending) private func findNewerToken(
        _ remedy: AttemptFailure.Remedy, _ refusal: TokenRefusal, _ engine: Engine
    ) async {
        let scheme = refusal.scheme
        if let new = refusal.handedOut {
            let store = pipeline.store(of: scheme)
            let stored = try? await store.replace(
                refusal.credential, by: Credential(token: new))
            if stored != nil, remedy != .none { engine.noteNewToken(of: scheme) }
        } else if remedy == .refresh(scheme), engine.refreshPause(of: scheme) != nil,
            let stored = try? await pipeline.store(of: scheme).read(),
            !stored.token.isEmpty, stored.token != refusal.credential?.token
        {
            engine.noteNewToken(of: scheme)
        }
    }

    @inline(never)
    private func failed(
        with error: APIError, call: Call, context: AttemptContext
    ) -> AttemptEnd {
        let (error, failure) = call.failed(error, job: job, context: context)
        return .failure(error, failure)
    }

    /// Returns the credential for an attempt. An invalid request needs none.
    nonisolated(nonsending) private func credential(
        for context: AttemptContext?
    ) async -> StoredCredential {
        if isRefused { return .success(nil) }
        if let own = overrides?.options.credential { return .success(own) }
        guard let context, context.isShared else { return await pipeline.storedCredential() }
        return await context.handle.engine.coalescer.credential(
            for: context, pipeline.storedCredential)
    }

    private var isRefused: Bool { pipeline.refuses(request.template, overrides) }

    @inline(never)
    nonisolated(nonsending) private func call(
        _ context: AttemptContext?, _ credential: StoredCredential
    ) async -> Call {
        let stored = context?.privilegedTask?.revokedCredential ?? credential
        let auth =
            isRefused
            ? CallAuth.none
            : await pipeline.auth(for: template, overrides, stored: stored, context: context)
        return call(context, credential, template, auth)
    }

    /// Returns the call of an attempt that carries at most the token of the log-in; nil if
    /// it may carry more.
    @inline(never)
    private func plainCall(_ context: AttemptContext?, _ credential: StoredCredential) -> Call? {
        let template = template
        guard !pipeline.carriesMore(template) else { return nil }
        let stored = context?.privilegedTask?.revokedCredential ?? credential
        return call(context, credential, template, pipeline.plainAuth(for: template, stored))
    }

    private func call(
        _ context: AttemptContext?, _ credential: StoredCredential, _ template: RequestTemplate,
        _ auth: CallAuth
    ) -> Call {
        Call(
            pipeline: pipeline, request: request, template: template, overrides: overrides,
            context: context, credential: credential, auth: auth)
    }

    /// Returns the head of the request that would be sent now.
    func head() async throws(APIError) -> HTTPRequest {
        try await call(nil).head()
    }

    /// Releases the resources of the operation, which has ended.
    func close() {
        job.close()
    }
}
