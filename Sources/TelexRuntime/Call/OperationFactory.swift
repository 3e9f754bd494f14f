import HTTPTypes
import TelexJSON
import TelexRequests
import TelexScheduling

/// Creates the operations of one API.
struct OperationFactory: Sendable {
    let pipeline: CallPipeline
    let engine: Engine
    let hub: EventHub
    /// The attributes of calls without special options, by method.
    private let common = AttributesCache()

    init(pipeline: CallPipeline, engine: Engine, hub: EventHub) {
        self.pipeline = pipeline
        self.engine = engine
        self.hub = hub
    }

    /// Creates an operation for a call.
    func operation<Output>(
        _ request: APIRequest<Output>, options: CallOptions?, after dependencies: [OperationHandle]
    ) -> NetworkOperation<Output> {
        let request = request.loading(options?.position)
        let overrides = OperationGroup.completed(options).flatMap(CallOverrides.init)
        let plan = CallPlan(pipeline: pipeline, request: request.content, overrides: overrides)
        let attributes = attributes(of: plan, dependencies: dependencies)
        // An invalid call has no request to share.
        let usesCache = plan.usesCache
        let isShared = plan.template.endpoint.operation.isCoalesced && plan.template.isComparable
        guard usesCache || isShared, !plan.isRefused else {
            return exclusiveOperation(plan, attributes: attributes)
        }
        return usesCache
            ? cached(plan, attributes) : subscriber(attributes) { coalescable(plan, $0, $1) }
    }

    /// Returns the head of the request that a call would send now.
    func head<Output>(
        of request: APIRequest<Output>, _ options: CallOptions?
    ) async throws(APIError) -> HTTPRequest {
        try await CallPlan(
            pipeline: pipeline, request: request.loading(options?.position).content,
            overrides: options.flatMap(CallOverrides.init)
        ).call(nil).head()
    }

    /// Creates an operation that sends its own request.
    private func exclusiveOperation<Output>(
        _ plan: CallPlan, attributes: OperationAttributes, id: OperationID = .next()
    ) -> NetworkOperation<Output> {
        let operation = NetworkOperation<Output>(
            engine: engine, attributes: attributes, id: id, work: plan.attempt)
        if plan.isTransfer { operation.atRelease { plan.close() } }
        return operation
    }

    /// Creates an operation that shares the request of an equal call in flight, or the run of an
    /// equal group, if there is one.
    private func subscriber<Output>(
        _ attributes: OperationAttributes,
        _ share: (OperationAttributes, OperationID) -> Coalescable<Output>
    ) -> NetworkOperation<Output> {
        let (engine, shared) = (engine, attributes.shared)
        // The identity fixes the place in the order of creation. A shared request that this call
        // starts takes the place that the call itself would have.
        let place = OperationID.next()
        let coalescable = share(shared, place)
        let subscriber = NetworkOperation<Output>(engine: engine, attributes: attributes.subscriber)
        {
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
        _ plan: CallPlan, _ attributes: OperationAttributes, _ place: OperationID
    ) -> Coalescable<Output> {
        Coalescable(
            coalescingKey: {
                var key = plan.coalescingKey(of: Output.self)
                // A step of a group that holds the queue does not wait for it.
                key.sendingOptions.queue = attributes.queue
                return key
            },
            make: { self.exclusiveOperation(plan, attributes: attributes, id: place) },
            stored: pipeline.storedCredential)
    }

    /// Creates an operation that looks for a stored reply, which takes no turn and counts against
    /// no limit. If there is none, it shares a request with equal calls.
    private func cached<Output>(
        _ plan: CallPlan, _ attributes: OperationAttributes
    ) -> NetworkOperation<Output> {
        let coalescable =
            coalescable(plan, attributes.shared, OperationID.next()) as Coalescable<Output>
        let (coalescer, id) = (engine.coalescer, OperationID.next())
        let operation = NetworkOperation<Output>(
            engine: engine, attributes: attributes.subscriber, id: id
        ) {
            context in
            await NetworkOperation<Output>.end {
                let call = await plan.call(context)
                if let stored = try await CacheFeature.storedValue(of: call) {
                    return try await Self.shown(stored, context)
                }
                try await context.waitWhilePaused()
                try Task.checkCancellation()
                coalescer.join(context.handle, attempt: context.number, with: coalescable)
                do { return try await coalescer.value(context, coalescable) } catch {
                    // The engine has stopped the request, for example by its time-out.
                    guard let error = error as? APIError,
                        let stored = await CacheFeature.answer(to: call, after: error)?.value
                    else { throw error }
                    return try await Self.shown(stored, context)
                }
            }
        }
        operation.atRelease { coalescer.leave(id) }
        return operation
    }

    /// Returns a stored value once the operation is not suspended.
    private static func shown<Output: Sendable>(
        _ stored: AnyProduct, _ context: AttemptContext
    ) async throws -> Output {
        try await context.waitWhilePaused()
        guard let product = stored as? Product<Output> else { throw OperationError.unknown }
        return product.value
    }

    /// Creates a group operation.
    ///
    /// - Parameters:
    ///   - overrides: The options that the operations of its body inherit; nil for none.
    ///   - start: When it starts; the attributes include its queue and throttle.
    func group<Output: Sendable>(
        _ attributes: OperationAttributes, inheriting overrides: CallOverrides?, start: GroupStart,
        steps: [OperationProgress.Step],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        var held = OperationGroup.current?.heldQueues ?? []
        if let queue = start.queue { held.insert(HeldQueue(engine: engine.id, name: queue)) }
        let problem = pipeline.definition.unknown(
            start.queue, kind: "queue", among: pipeline.definition.queues.map(\.name))
        let make = { @Sendable [held] (attributes: OperationAttributes, id: OperationID) in
            GroupOperation<Output>(engine: engine, attributes: attributes, id: id) { context in
                // A shared run belongs to no owner, so that its steps are not cancelled by one.
                let group = OperationGroup(
                    context, inheriting: attributes.isShared ? overrides?.withoutOwner : overrides,
                    holding: held, steps: steps)
                return await GroupOperation.end {
                    if let problem { throw APIError(invalid: attributes.method, problem) }
                    return try await group.value(of: body)
                }
            }
        }
        guard start.isCoalesced, problem == nil else { return make(attributes, .next()) }
        let key = RequestCoalescer.CoalescingKey(
            request: start.identity(of: attributes.method), output: ObjectIdentifier(Output.self))
        return subscriber(attributes) { shared, place in
            Coalescable(
                coalescingKey: { key }, make: { make(shared, place) },
                stored: pipeline.storedCredential)
        }
    }

    // MARK: Attributes

    private func attributes(
        of plan: CallPlan, dependencies: [OperationHandle]
    ) -> OperationAttributes {
        let template = plan.template
        // The throttle key, the host and the violations depend on the arguments.
        let isCommon =
            dependencies.isEmpty && plan.options == nil && template.violations.isEmpty
            && template.endpoint.operation.throttle == nil && !template.isWholeAddress
            && template.isReplayable && !template.sendsToken
            && !isHeld(template.endpoint.operation.queue)
        guard isCommon else { return newAttributes(of: plan, dependencies: dependencies) }
        return common.attributes(of: template.method) { newAttributes(of: plan, dependencies: []) }
    }

    private func newAttributes(
        of plan: CallPlan, dependencies: [OperationHandle]
    ) -> OperationAttributes {
        // An invalid call does not wait for its dependencies.
        let isRefused = !dependencies.isEmpty && plan.isRefused
        let (template, options, scheduling) = (plan.template, plan.options, plan.scheduling)
        return OperationAttributes(
            api: pipeline.definition.name, method: template.method,
            kind: template.endpoint.operation.kind, owner: options?.owner,
            tags: options?.tags ?? [], priority: plan.rules.priority,
            prerequisites: Prerequisites(isRefused ? [] : dependencies, of: template.method),
            hub: hub, sendsToken: pipeline.sendsToken(template),
            scheduling: isHeld(scheduling.slot?.queue) ? scheduling.withoutQueue : scheduling)
    }

    /// Whether the group that this task runs holds a place in a queue.
    func isHeld(_ queue: String?) -> Bool {
        guard let queue, let held = OperationGroup.current?.heldQueues else { return false }
        return held.contains(HeldQueue(engine: engine.id, name: queue))
    }
}

extension OperationAttributes {
    /// The attributes of a shared request. It has no owner and no tags, so that cancelling by owner
    /// affects only the subscribers, and no total time-out, because that belongs to each call.
    fileprivate var shared: OperationAttributes {
        OperationAttributes(
            api: api, method: method, kind: kind, priority: priority, isShared: true, hub: hub,
            sendsToken: sendsToken, scheduling: scheduling.withoutTotalTimeout)
    }

    /// The attributes of a subscriber of a shared request. It needs no queue slot and keeps its own
    /// total time-out.
    fileprivate var subscriber: OperationAttributes {
        OperationAttributes(
            api: api, method: method, kind: kind, owner: owner, tags: tags, priority: priority,
            queue: queue, throttle: throttle, prerequisites: prerequisites, hub: hub,
            sendsToken: sendsToken,
            scheduling: SchedulingRequest(
                mayRepeat: scheduling.mayRepeat, totalTimeout: scheduling.totalTimeout))
    }
}

/// A cache of the attributes of calls without special options, one entry per method.
private final class AttributesCache: Sendable {
    private let known = Lock<[String: OperationAttributes]>([:])

    func attributes(of method: String, _ make: () -> OperationAttributes) -> OperationAttributes {
        if let attributes = known.withLock({ $0[method] }) { return attributes }
        let attributes = make()
        known.withLock { $0[method] = attributes }
        return attributes
    }
}
