import HTTPTypes
import Synchronization
import TelexScheduling

/// Creates the operations of one API.
struct OperationFactory: Sendable {
    let pipeline: CallPipeline
    let engine: Engine
    let hub: EventHub
    /// The facts of calls without special options, by method.
    private let common = FactsCache()

    init(pipeline: CallPipeline, engine: Engine, hub: EventHub) {
        self.pipeline = pipeline
        self.engine = engine
        self.hub = hub
    }

    /// Creates an operation for a call.
    func operation<Output>(
        _ request: APIRequest<Output>, options: CallOptions?, after dependencies: [OperationHandle]
    ) -> NetworkOperation<Output> {
        let request = request.following(options?.position)
        let overrides = OperationGroup.completed(options).flatMap(CallOverrides.init)
        let plan = CallPlan(pipeline: pipeline, request: request.content, overrides: overrides)
        let facts = facts(of: request.template, overrides: overrides, dependencies: dependencies)
        // An invalid call has no request to share.
        guard !pipeline.refuses(request.template, overrides) else {
            return exclusiveOperation(plan, facts: facts)
        }
        if pipeline.usesCache(request.template, overrides) { return cached(plan, facts) }
        return request.template.endpoint.operation.isCoalesced
            ? subscriber(plan, facts) : exclusiveOperation(plan, facts: facts)
    }

    /// Returns the head of the request that a call would send now.
    func head<Output>(
        of request: APIRequest<Output>, _ options: CallOptions?
    ) async throws(APIError) -> HTTPRequest {
        try await CallPlan(
            pipeline: pipeline, request: request.following(options?.position).content,
            overrides: options.flatMap(CallOverrides.init)
        ).head()
    }

    /// Creates an operation that sends its own request.
    private func exclusiveOperation<Output>(
        _ plan: CallPlan, facts: OperationFacts, id: OperationID = .next()
    ) -> NetworkOperation<Output> {
        let operation = NetworkOperation<Output>(
            engine: engine, facts: facts, id: id, work: plan.attempt)
        if plan.isTransfer { operation.atRelease { plan.close() } }
        return operation
    }

    /// Creates an operation that shares the request of an equal call in flight, if there is one.
    private func subscriber<Output>(
        _ plan: CallPlan, _ facts: OperationFacts
    ) -> NetworkOperation<Output> {
        let (engine, shared) = (engine, facts.shared)
        // The identity fixes the place in the order of creation. A shared request that this call
        // starts takes the place that the call itself would have.
        let place = OperationID.next()
        let coalescable = coalescable(plan, shared, place) as Coalescable<Output>
        let subscriber = NetworkOperation<Output>(engine: engine, facts: facts.subscriber) {
            context in
            await NetworkOperation<Output>.end {
                try await engine.coalescer.value(context, coalescable)
            }
        }
        subscriber.atLaunch { engine.coalescer.join($0, attempt: $1, with: coalescable) }
        subscriber.atRelease { [id = subscriber.id] in engine.coalescer.leave(id) }
        return subscriber
    }

    private typealias Coalescable = RequestCoalescer.CoalescableCall

    private func coalescable<Output>(
        _ plan: CallPlan, _ facts: OperationFacts, _ place: OperationID
    ) -> Coalescable<Output> {
        Coalescable(
            coalescingKey: { plan.coalescingKey(of: Output.self) },
            make: { self.exclusiveOperation(plan, facts: facts, id: place) },
            stored: pipeline.storedCredential)
    }

    /// Creates an operation that looks for a stored reply, which takes no turn and counts against no
    /// limit. If there is none, it shares a request with equal calls.
    private func cached<Output>(
        _ plan: CallPlan, _ facts: OperationFacts
    ) -> NetworkOperation<Output> {
        let coalescable =
            coalescable(plan, facts.shared, OperationID.next()) as Coalescable<Output>
        let (coalescer, id) = (engine.coalescer, OperationID.next())
        let operation = NetworkOperation<Output>(engine: engine, facts: facts.subscriber, id: id) {
            context in
            await NetworkOperation<Output>.end {
                let call = await plan.call(context)
                if let stored = try await call.storedValue() {
                    return try await call.shown(stored)
                }
                try await context.waitWhilePaused()
                try Task.checkCancellation()
                coalescer.join(context.handle, attempt: context.number, with: coalescable)
                do { return try await coalescer.value(context, coalescable) } catch {
                    // The engine has stopped the request, for example by its time-out.
                    guard let error = error as? APIError,
                        let stored = await call.storedValue(after: error)
                    else { throw error }
                    return try await call.shown(stored)
                }
            }
        }
        operation.atRelease { coalescer.leave(id) }
        return operation
    }

    /// Creates a group operation.
    ///
    /// - Parameter overrides: The options that the operations of its body inherit; nil for none.
    func group<Output: Sendable>(
        _ facts: OperationFacts, inheriting overrides: CallOverrides?,
        steps: [OperationProgress.Step],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        GroupOperation(engine: engine, facts: facts) { context in
            let group = OperationGroup(context, inheriting: overrides, steps: steps)
            return await GroupOperation.end {
                let value = try await OperationGroup.$current.withValue(group) {
                    try await body(group)
                }
                // A group that was suspended in the meantime returns its value when it is resumed,
                // like a call.
                try await context.waitWhilePaused()
                group.finish()
                return value
            }
        }
    }

    // MARK: Facts

    private func facts(
        of template: RequestTemplate, overrides: CallOverrides?, dependencies: [OperationHandle]
    ) -> OperationFacts {
        // The throttle key, the host and the violations depend on the arguments.
        let isCommon =
            dependencies.isEmpty && overrides == nil && template.violations.isEmpty
            && template.endpoint.operation.throttle == nil && !template.isWholeAddress
            && template.isReplayable && !template.sendsToken
        guard isCommon else {
            return newFacts(of: template, overrides: overrides, dependencies: dependencies)
        }
        return common.facts(of: template.method) {
            newFacts(of: template, overrides: overrides, dependencies: [])
        }
    }

    private func newFacts(
        of template: RequestTemplate, overrides: CallOverrides?, dependencies: [OperationHandle]
    ) -> OperationFacts {
        // An invalid call does not wait for its dependencies.
        let isRefused = !dependencies.isEmpty && pipeline.refuses(template, overrides)
        return OperationFacts(
            api: pipeline.definition.name, method: template.method,
            kind: template.endpoint.operation.kind, owner: overrides?.options.owner,
            tags: overrides?.options.tags ?? [],
            priority: pipeline.priority(of: template, overrides),
            prerequisites: Prerequisites(isRefused ? [] : dependencies, of: template.method),
            hub: hub, sendsToken: pipeline.sendsToken(template),
            scheduling: pipeline.scheduling(for: template, overrides))
    }
}

extension OperationFacts {
    /// The facts of a shared request. It has no owner and no tags, so that cancelling by owner
    /// affects only the subscribers, and no total time-out, because that belongs to each call.
    fileprivate var shared: OperationFacts {
        OperationFacts(
            api: api, method: method, kind: kind, priority: priority, isShared: true, hub: hub,
            sendsToken: sendsToken, scheduling: scheduling.withoutTotalTimeout)
    }

    /// The facts of a subscriber of a shared request. It needs no queue slot and keeps its own
    /// total time-out.
    fileprivate var subscriber: OperationFacts {
        OperationFacts(
            api: api, method: method, kind: kind, owner: owner, tags: tags, priority: priority,
            queue: queue, prerequisites: prerequisites, hub: hub, sendsToken: sendsToken,
            scheduling: SchedulingRequest(
                mayRepeat: scheduling.mayRepeat, totalTimeout: scheduling.totalTimeout))
    }
}

/// A cache of the facts of calls without special options, one entry per method.
private final class FactsCache: Sendable {
    private let known = Mutex<[String: OperationFacts]>([:])

    func facts(of method: String, _ make: () -> OperationFacts) -> OperationFacts {
        if let facts = known.withLock({ $0[method] }) { return facts }
        let facts = make()
        known.withLock { $0[method] = facts }
        return facts
    }
}
