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
        let overrides = OperationGroup.completed(options).flatMap(CallOverrides.init)
        let plan = CallPlan(pipeline, request.content, overrides)
        let facts = facts(request.template, overrides, dependencies)
        // What will be refused anyway has nothing to share.
        return request.template.endpoint.operation.isCoalesced
            && !pipeline.refuses(request.template, overrides)
            ? subscriber(plan, facts) : own(plan, facts)
    }

    /// The head of the request that a call would send now.
    func head<Output>(
        of request: APIRequest<Output>, _ options: CallOptions?
    ) async throws(APIError) -> HTTPRequest {
        try await CallPlan(pipeline, request.content, options.flatMap(CallOverrides.init)).head()
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
    private func subscriber<Output>(
        _ plan: CallPlan, _ facts: OperationFacts
    ) -> NetworkOperation<Output> {
        let (engine, shared) = (engine, facts.shared)
        // Where calls wait in the order in which they were made, what it may make for itself and others
        // waits as if it were made now.
        let place = OperationID.next()
        let coalescable = RequestCoalescer.CoalescableCall<Output>(
            coalescingKey: { plan.coalescingKey(of: Output.self) },
            make: { self.own(plan, shared, place) }, stored: pipeline.storedCredential)
        let subscriber = NetworkOperation<Output>(engine, facts.subscriber) { context in
            await NetworkOperation<Output>.end {
                try await engine.coalescer.value(context, coalescable)
            }
        }
        subscriber.atLaunch { engine.coalescer.join($0, attempt: $1, coalescable) }
        subscriber.atRelease { [id = subscriber.id] in engine.coalescer.leave(id) }
        return subscriber
    }

    /// An operation of others.
    ///
    /// - Parameter wishes: What all that its body makes wants different; nil for nothing.
    func group<Output: Sendable>(
        _ facts: OperationFacts, handingOn overrides: CallOverrides?,
        steps: [OperationProgress.Step],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        GroupOperation(engine, facts) { context in
            let group = OperationGroup(context, handingOn: overrides, steps: steps)
            return await GroupOperation.end {
                let value = try await OperationGroup.$current.withValue(group) {
                    try await body(group)
                }
                // One that is suspended meanwhile has its value when it goes on, as a call.
                try await context.waitWhileHeld()
                group.finish()
                return value
            }
        }
    }

    // MARK: Facts

    private func facts(
        _ template: RequestTemplate, _ overrides: CallOverrides?,
        _ dependencies: [OperationHandle]
    ) -> OperationFacts {
        // The throttle, the host and what is wrong depend on the arguments.
        let isCommon =
            dependencies.isEmpty && overrides == nil && template.violations.isEmpty
            && template.endpoint.operation.throttle == nil && !template.isWholeAddress
            && template.isReplayable && !template.showsToken
        guard isCommon else { return newFacts(template, overrides, dependencies) }
        return common.facts(of: template.method) { newFacts(template, overrides, []) }
    }

    private func newFacts(
        _ template: RequestTemplate, _ overrides: CallOverrides?,
        _ dependencies: [OperationHandle]
    ) -> OperationFacts {
        // What will be refused anyway has nothing to wait for.
        let isRefused = !dependencies.isEmpty && pipeline.refuses(template, overrides)
        return OperationFacts(
            api: pipeline.definition.name, method: template.method,
            kind: template.endpoint.operation.kind, owner: overrides?.options.owner,
            tags: overrides?.options.tags ?? [],
            priority: pipeline.priority(of: template, overrides),
            prerequisites: Prerequisites(isRefused ? [] : dependencies, of: template.method),
            hub: hub, showsToken: pipeline.showsToken(template),
            scheduling: pipeline.scheduling(for: template, overrides))
    }
}

extension OperationFacts {
    /// Those of the one request that several calls share. It is nobody's: it has no owner, whoever
    /// cancels cancels their own, and the time of one of them is not that of the others.
    fileprivate var shared: OperationFacts {
        OperationFacts(
            api: api, method: method, kind: kind, priority: priority, isShared: true, hub: hub,
            showsToken: showsToken, scheduling: scheduling.withoutTotalTimeout)
    }

    /// Those of a call that waits for a shared request: it needs no turn, and has its own time.
    fileprivate var subscriber: OperationFacts {
        OperationFacts(
            api: api, method: method, kind: kind, owner: owner, tags: tags, priority: priority,
            queue: queue, prerequisites: prerequisites, hub: hub, showsToken: showsToken,
            scheduling: SchedulingRequest(
                mayRepeat: scheduling.mayRepeat, totalTimeout: scheduling.totalTimeout))
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
