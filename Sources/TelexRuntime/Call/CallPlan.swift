/// A call as it will be made, attempt by attempt. Its request is put together anew for each of them,
/// so that one that waits holds little.
final class CallPlan<Output: Sendable>: Sendable {
    let pipeline: CallPipeline
    let request: APIRequest<Output>
    /// What it wants different; nil for nothing, as most calls.
    private let wishes: Wishes?
    /// The key by which the server recognises a repetition; the same in all attempts.
    private let idempotencyKey: String?
    private let job: TransferJob

    private final class Wishes: Sendable {
        let options: CallOptions

        init(_ options: CallOptions) {
            self.options = options
        }
    }

    init(_ pipeline: CallPipeline, _ request: APIRequest<Output>, _ options: CallOptions) {
        self.pipeline = pipeline
        self.request = request
        wishes = options == CallOptions() ? nil : Wishes(options)
        idempotencyKey = request.template.newIdempotencyKey
        job = TransferJob(request.expected)
    }

    var options: CallOptions { wishes?.options ?? CallOptions() }

    /// All of the request, the base parameters included.
    var template: RequestTemplate {
        var template = request.template
        template.add(base: pipeline.base)
        if let idempotencyKey { template.add(idempotencyKey: idempotencyKey) }
        return template
    }

    /// Whether something is held that has to be given back at the end.
    var isTransfer: Bool {
        if case .none = job { false } else { true }
    }

    func attempt(_ context: AttemptContext) async -> AttemptEnd<Output> {
        await pipeline.attempt(request, template, options, job, context)
    }

    /// The operation has ended.
    func close() {
        job.close()
    }
}
