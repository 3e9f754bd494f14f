/// Makes the operations of one API.
struct OperationFactory: Sendable {
    let pipeline: CallPipeline
    let engine: Engine
    let hub: EventHub
    private let flights = Flights()

    init(_ pipeline: CallPipeline, _ engine: Engine, _ hub: EventHub) {
        self.pipeline = pipeline
        self.engine = engine
        self.hub = hub
    }

    /// Makes an operation for a call.
    ///
    /// - Parameter template: All of the request, the base parameters included.
    func operation<Output>(
        _ request: APIRequest<Output>, _ template: RequestTemplate, _ options: CallOptions,
        after dependencies: [any OperationHandle]
    ) -> NetworkOperation<Output> {
        let facts = facts(template, options, dependencies)
        return template.endpoint.operation.isCoalesced
            ? rider(request, template, options, facts) : own(request, template, options, facts)
    }

    /// An operation with a request of its own.
    private func own<Output>(
        _ request: APIRequest<Output>, _ template: RequestTemplate, _ options: CallOptions,
        _ facts: OperationFacts
    ) -> NetworkOperation<Output> {
        let job = TransferJob(request.expected)
        let operation = NetworkOperation<Output>(
            engine, facts, ticket: pipeline.ticket(for: template, options),
            explain: { [name = pipeline.definition.name] failure, engine in
                APIError(failure, of: facts.method, name, engine)
            },
            work: { [pipeline] context in
                await pipeline.attempt(request, template, options, job, context)
            })
        if case .none = job { return operation }
        operation.whenEnded { _ in job.close() }
        return operation
    }

    /// An operation that shares the request of an equal one, if there is one on its way.
    private func rider<Output>(
        _ request: APIRequest<Output>, _ template: RequestTemplate, _ options: CallOptions,
        _ facts: OperationFacts
    ) -> NetworkOperation<Output> {
        // The one that all share is nobody's: it has no owner, and whoever cancels cancels their own.
        let shared = OperationFacts(
            api: facts.api, method: facts.method, kind: facts.kind, priority: facts.priority,
            isShared: true, hub: facts.hub)
        return NetworkOperation(engine, facts) { context in
            await NetworkOperation<Output>.end {
                let identity = Flights.Identity(
                    request: template.identity, server: options.server,
                    credential: try await pipeline.credentials.read())
                return try await flights.value(identity, context) {
                    own(request, template, options, shared)
                }
            }
        }
    }

    /// An operation of others.
    func group<Output: Sendable>(
        _ facts: OperationFacts, timeout: Duration?, steps: [OperationProgress.Step],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        GroupOperation(engine, facts, ticket: Ticket(totalTimeout: timeout)) { context in
            let group = OperationGroup(context, steps: steps)
            return await GroupOperation.end { try await body(group) }
        }
    }

    private func facts(
        _ template: RequestTemplate, _ options: CallOptions,
        _ dependencies: [any OperationHandle]
    ) -> OperationFacts {
        OperationFacts(
            api: pipeline.definition.name, method: template.method,
            kind: template.endpoint.operation.kind, owner: options.owner, tags: options.tags,
            priority: options.priority ?? template.endpoint.operation.priority,
            dependencies: dependencies, hub: hub)
    }
}
