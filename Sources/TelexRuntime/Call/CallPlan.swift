import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

/// A call: what all of its attempts share. The full request is rebuilt for each attempt, so that a
/// waiting call uses little memory.
final class CallPlan: Sendable {
    let pipeline: CallPipeline
    let request: RequestContent
    private let overrides: CallOverrides?
    /// The progress of a transfer.
    let job: TransferJob
    /// The id of the call, by which the server recognises a repeated request; the same in all
    /// attempts.
    private let key: String?

    init(pipeline: CallPipeline, request: RequestContent, overrides: CallOverrides?) {
        self.pipeline = pipeline
        self.request = request
        self.overrides = overrides
        key = overrides?.options.idempotencyKey ?? request.template.newKey
        job = TransferJob(request.expected)
    }

    /// The request as the caller made it.
    var template: RequestTemplate { request.template }

    /// The options that differ from the method's; nil for none, as in most calls.
    var options: CallOptions? { overrides?.options }

    var rules: EffectiveRules { EffectiveRules(of: self) }

    /// Whether the call holds a resource, such as a file, that must be released at the end.
    var isTransfer: Bool {
        if case .none = job { false } else { true }
    }

    /// The complete request: with the base parameters of the API and the id of the call. A
    /// request to a whole address gets only the base header fields, and only if the address has the
    /// origin of the call's server.
    var completeRequest: RequestTemplate {
        let base = pipeline.base
        let isBased = !base.isEmpty && (!template.isWholeAddress || isOwnAddress)
        guard isBased || key != nil else { return template }
        var request = template
        if isBased { request.add(base: base) }
        if let key {
            request.add(idempotencyKey: key)
            request.add(callID: key)
        }
        return request
    }

    /// Whether the whole address of the request is one of the call's server. In a background
    /// transfer it counts as none, because the system follows redirects itself and repeats all
    /// header fields.
    private var isOwnAddress: Bool {
        guard !rules.session.isBackground, case .success(let server) = server else { return false }
        return template.wholeAddress?.hasSameOrigin(as: server) ?? false
    }

    // MARK: Attempts

    /// Returns the call of an attempt.
    ///
    /// - Parameter context: The context of the attempt; nil for a call that is not sent.
    @inline(never)
    nonisolated(nonsending) func call(_ context: AttemptContext?) async -> Call {
        let isRefused = isRefused
        let credential: StoredCredential =
            isRefused ? .success(nil) : await credential(for: context)
        let request = completeRequest
        let stored = context?.privilegedTask?.revokedCredential ?? credential
        let auth: CallAuth =
            if !pipeline.carriesMore(request) {
                pipeline.plainAuth(for: request, stored)
            } else if isRefused {
                .none
            } else {
                await pipeline.auth(
                    for: request, on: server, stored: stored, context: context)
            }
        return Call(
            self, sending: request, context: context, credential: credential, auth: auth)
    }

    /// Returns the credential for an attempt.
    nonisolated(nonsending) private func credential(
        for context: AttemptContext?
    ) async -> StoredCredential {
        if let own = options?.credential { return .success(own) }
        guard let context, context.isShared else { return await pipeline.storedCredential() }
        return await context.handle.engine.coalescer.credential(
            for: context, pipeline.storedCredential)
    }

    /// Makes an attempt.
    nonisolated(nonsending) func attempt(_ context: AttemptContext) async -> AttemptEnd {
        let call = await call(context)
        do throws(APIError) {
            let value = try await call.value()
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
        let refusal = error.contents.refusal
        let (error, failure) = call.failed(error, context: context)
        if let refusal {
            await findNewerToken(failure.remedy, refusal, context.handle.engine)
        }
        return .failure(error, failure)
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

    /// Releases the resources of the operation, which has ended.
    func close() {
        job.close()
    }
}
