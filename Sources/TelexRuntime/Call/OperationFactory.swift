import HTTPTypes
import Synchronization

/// Makes the operations of one API.
struct OperationFactory: Sendable {
    let pipeline: CallPipeline
    let engine: Engine
    let hub: EventHub
    /// What is known about calls that want nothing special, by method.
    private let common = CommonFacts()

    init(_ pipeline: CallPipeline, _ engine: Engine, _ hub: EventHub) {
        self.pipeline = pipeline
        self.engine = engine
        self.hub = hub
    }

    /// Makes an operation for a call.
    func operation<Output>(
        _ request: APIRequest<Output>, _ options: CallOptions?,
        after dependencies: [OperationHandle]
    ) -> NetworkOperation<Output> {
        let wishes = OperationGroup.completed(options).flatMap(CallWishes.init)
        let plan = CallPlan(pipeline, request.content, wishes)
        let facts = facts(request.template, wishes, dependencies)
        // What will be refused anyway has nothing to share.
        return request.template.endpoint.operation.isCoalesced
            && !pipeline.refuses(request.template, wishes)
            ? rider(plan, facts) : own(plan, facts)
    }

    /// The head of the request that a call would send now.
    func head<Output>(
        of request: APIRequest<Output>, _ options: CallOptions?
    ) async throws(APIError) -> HTTPRequest {
        try await CallPlan(pipeline, request.content, options.flatMap(CallWishes.init)).head()
    }

    /// An operation with a request of its own.
    private func own<Output>(
        _ plan: CallPlan, _ facts: OperationFacts, _ id: OperationID = .next()
    ) -> NetworkOperation<Output> {
        let operation = NetworkOperation<Output>(engine, facts, id, work: plan.attempt)
        if plan.isTransfer { operation.atRelease { plan.close() } }
        return operation
    }

    /// An operation that shares the request of an equal one, if there is one on its way.
    private func rider<Output>(
        _ plan: CallPlan, _ facts: OperationFacts
    ) -> NetworkOperation<Output> {
        let (engine, shared) = (engine, facts.shared)
        // Where calls wait in the order in which they were made, what it may make for itself and others
        // waits as if it were made now.
        let place = OperationID.next()
        let booking = Flights.Booking<Output>(
            identity: { plan.identity(of: Output.self) },
            make: { self.own(plan, shared, place) }, stored: pipeline.storedCredential)
        let rider = NetworkOperation<Output>(engine, facts.rider) { context in
            await NetworkOperation<Output>.end {
                try await engine.flights.value(context, booking)
            }
        }
        rider.atLaunch { engine.flights.board($0, attempt: $1, booking) }
        rider.atRelease { [id = rider.id] in engine.flights.leave(id) }
        return rider
    }

    /// An operation of others.
    ///
    /// - Parameter wishes: What all that its body makes wants different; nil for nothing.
    func group<Output: Sendable>(
        _ facts: OperationFacts, handingOn wishes: CallWishes?, steps: [OperationProgress.Step],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        GroupOperation(engine, facts) { context in
            let group = OperationGroup(context, handingOn: wishes, steps: steps)
            return await GroupOperation.end {
                let value = try await OperationGroup.$current.withValue(group) {
                    try await body(group)
                }
                // One that is suspended meanwhile has its value when it goes on, as a call.
                try await context.passGate()
                group.finish()
                return value
            }
        }
    }

    // MARK: Facts

    private func facts(
        _ template: RequestTemplate, _ wishes: CallWishes?,
        _ dependencies: [OperationHandle]
    ) -> OperationFacts {
        // The throttle, the host and what is wrong depend on the arguments.
        let isCommon =
            dependencies.isEmpty && wishes == nil && template.violations.isEmpty
            && template.endpoint.operation.throttle == nil && !template.isWholeAddress
            && template.isReplayable && !template.showsToken
        guard isCommon else { return newFacts(template, wishes, dependencies) }
        return common.facts(of: template.method) { newFacts(template, wishes, []) }
    }

    private func newFacts(
        _ template: RequestTemplate, _ wishes: CallWishes?,
        _ dependencies: [OperationHandle]
    ) -> OperationFacts {
        // What will be refused anyway has nothing to wait for.
        let isRefused = !dependencies.isEmpty && pipeline.refuses(template, wishes)
        return OperationFacts(
            api: pipeline.definition.name, method: template.method,
            kind: template.endpoint.operation.kind, owner: wishes?.options.owner,
            tags: wishes?.options.tags ?? [],
            priority: pipeline.priority(of: template, wishes),
            prerequisites: Prerequisites(isRefused ? [] : dependencies, of: template.method),
            hub: hub, showsToken: pipeline.showsToken(template),
            ticket: pipeline.ticket(for: template, wishes))
    }
}

extension OperationFacts {
    /// Those of the one request that several calls share. It is nobody's: it has no owner, whoever
    /// cancels cancels their own, and the time of one of them is not that of the others.
    fileprivate var shared: OperationFacts {
        OperationFacts(
            api: api, method: method, kind: kind, priority: priority, isShared: true, hub: hub,
            showsToken: showsToken, ticket: ticket.withoutTotalTimeout)
    }

    /// Those of a call that waits for a shared request: it needs no turn, and has its own time.
    fileprivate var rider: OperationFacts {
        OperationFacts(
            api: api, method: method, kind: kind, owner: owner, tags: tags, priority: priority,
            queue: queue, prerequisites: prerequisites, hub: hub, showsToken: showsToken,
            ticket: Ticket(mayRepeat: ticket.mayRepeat, totalTimeout: ticket.totalTimeout))
    }
}

/// The facts of calls that want nothing special: made once for each method.
private final class CommonFacts: Sendable {
    private let known = Mutex<[String: OperationFacts]>([:])

    func facts(of method: String, _ make: () -> OperationFacts) -> OperationFacts {
        if let facts = known.withLock({ $0[method] }) { return facts }
        let facts = make()
        known.withLock { $0[method] = facts }
        return facts
    }
}
