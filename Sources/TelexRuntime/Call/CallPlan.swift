import HTTPTypes

/// A call as it will be made, attempt by attempt. Its request is put together anew for each of them,
/// so that one that waits holds little.
final class CallPlan: Sendable {
    let pipeline: CallPipeline
    let request: RequestContent
    /// What it wants different; nil for nothing, as most calls.
    private let overrides: CallOverrides?
    /// The key by which the server recognises a repetition; the same in all attempts.
    private let idempotencyKey: String?
    private let job: TransferJob

    init(_ pipeline: CallPipeline, _ request: RequestContent, _ overrides: CallOverrides?) {
        self.pipeline = pipeline
        self.request = request
        self.overrides = overrides
        idempotencyKey = overrides?.options.idempotencyKey ?? request.template.newIdempotencyKey
        job = TransferJob(request.expected)
    }

    /// The server that the call wants.
    private var server: ServerChoice? { overrides?.options.server }

    /// What makes it equal to others, who may share its request.
    func coalescingKey<Output>(of output: Output.Type) -> RequestCoalescer.CoalescingKey {
        RequestCoalescer.CoalescingKey(
            request: template.identity, server: server, sendingOptions: sendingOptions,
            output: ObjectIdentifier(output))
    }

    /// How its request is to be made, as far as calls that share one have to agree.
    private var sendingOptions: RequestCoalescer.SendingOptions {
        let template = request.template
        let timeouts = pipeline.timeouts(of: template, overrides)
        return RequestCoalescer.SendingOptions(
            silence: timeouts.silence, attempt: timeouts.attempt, pause: timeouts.pause,
            retry: pipeline.retryPolicy(of: template, overrides),
            queue: pipeline.queue(of: template, overrides),
            session: pipeline.session(of: template, overrides))
    }

    /// All of the request, the base parameters included.
    var template: RequestTemplate {
        request.template.completed(base: pipeline.base, idempotencyKey: idempotencyKey) {
            // The system follows redirects of its own transfers, header fields and all.
            if pipeline.session(of: request.template, overrides).isBackground { return nil }
            return try? pipeline.address(for: request.template, overrides)
        }
    }

    /// Whether something is held that has to be given back at the end.
    var isTransfer: Bool {
        if case .none = job { false } else { true }
    }

    /// Makes an attempt.
    nonisolated(nonsending) func attempt(_ context: AttemptContext) async -> AttemptEnd {
        let call = call(context, await credential(for: context))
        do throws(APIError) {
            let value = try await call.value(job)
            try? await context.waitWhileHeld()
            return .success(value)
        } catch {
            // Whoever stopped the attempt does not ask what became of it.
            return Task.isCancelled ? .stopped : await ended(error, call, context)
        }
    }

    @inline(never)
    nonisolated(nonsending) private func ended(
        _ error: APIError, _ call: Call, _ context: AttemptContext
    ) async -> AttemptEnd {
        let end = failed(error, call, context)
        if case .failure(_, let failure) = end, failure.remedy == .refresh {
            await lookForNewer(than: call.credential, context.handle.engine)
        }
        return end
    }

    /// Where the server that gives new credentials wants to be left alone by this engine, another
    /// process may have got one in spite of that.
    @inline(never)
    nonisolated(nonsending) private func lookForNewer(
        than refused: Credential?, _ engine: Engine
    ) async {
        guard engine.refreshPause != nil,
            case .success(let stored?) = await pipeline.storedCredential(),
            !stored.token.isEmpty, stored.token != refused?.token
        else { return }
        engine.noteNewCredential()
    }

    @inline(never)
    private func failed(
        _ error: APIError, _ call: Call, _ context: AttemptContext
    ) -> AttemptEnd {
        let (error, failure) = call.failed(error, job, context)
        return .failure(error, failure)
    }

    /// The credential of the moment. A request that will be refused anyway needs none.
    nonisolated(nonsending) private func credential(
        for context: AttemptContext?
    ) async -> StoredCredential {
        if isRefused { return .success(nil) }
        guard let context, context.isShared else { return await pipeline.storedCredential() }
        return await context.handle.engine.coalescer.credential(
            for: context, pipeline.storedCredential)
    }

    private var isRefused: Bool { pipeline.refuses(request.template, overrides) }

    @inline(never)
    private func call(_ context: AttemptContext?, _ credential: StoredCredential) -> Call {
        Call(pipeline, request, template, overrides, context, credential)
    }

    /// The head of the request that would be sent now.
    func head() async throws(APIError) -> HTTPRequest {
        try call(nil, await credential(for: nil)).head()
    }

    /// The operation has ended.
    func close() {
        job.close()
    }
}
