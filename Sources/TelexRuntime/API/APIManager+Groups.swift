import TelexScheduling

extension APIManager {
    /// Creates a group operation, which runs other operations as its steps.
    ///
    /// ```swift
    /// let screen = vk.group { group in
    ///     let me = try await group.run(vk.users.get())
    ///     async let friends = group.run(vk.friends.get())
    ///     async let wall = group.run(vk.wall.get())
    ///     return try await Screen(me, friends, wall)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in events, descriptions and metrics. Use only a few distinct names, so no
    ///     user numbers, for example.
    ///   - owner: The owner of the group and of the operations in its body; nil inside another
    ///     group for that group's owner.
    ///   - tags: Labels of the group and of the operations in its body.
    ///   - priority: The priority of the operations in its body; nil for that of the enclosing
    ///     group, or else of each method.
    ///   - start: The queue that the group waits in, its throttle, and whether equal groups share
    ///     one run; by default none of these.
    ///   - steps: The planned steps of its progress, so that the fraction is known from the start;
    ///     other steps are added when they begin. Fractions in planned steps are ignored, because
    ///     none has begun.
    ///   - timeout: The maximum duration of the whole group, not below zero; nil for no limit.
    ///   - dependencies: Operations that must succeed before this one begins.
    ///   - body: Runs operations with the group that it receives, and returns the value.
    public func group<Output: Sendable>(
        _ name: String = "group", owner: OperationOwner? = nil, tags: Set<String> = [],
        priority: CallPriority? = nil, start: GroupStart = GroupStart(),
        steps: [OperationProgress.Step] = [],
        timeout: Duration? = nil, after dependencies: [OperationHandle] = [],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        let overrides = OperationGroup.completed(
            CallOptions(priority: priority, owner: owner, tags: tags)
        ).flatMap(CallOverrides.init)
        let attributes = OperationAttributes(
            api: factory.pipeline.definition.name, method: name, owner: overrides?.options.owner,
            tags: overrides?.options.tags ?? [], priority: overrides?.options.priority ?? .normal,
            prerequisites: Prerequisites(dependencies, of: name), hub: factory.hub,
            scheduling: SchedulingRequest(
                slot: slot(start.queue, overrides),
                throttle: start.throttle.map { .init(name: start.identity(of: name), $0) },
                totalTimeout: timeout?.atLeast(.zero)))
        return factory.group(attributes, inheriting: overrides, start: start, steps: steps, body)
    }

    /// The place in a queue that a group waits for; nil if it waits for none, or the group around
    /// it holds one.
    private func slot(
        _ queue: String?, _ overrides: CallOverrides?
    ) -> SchedulingRequest.QueueSlot? {
        guard let queue, !factory.isHeld(queue) else { return nil }
        var slot = SchedulingRequest.QueueSlot(
            queue: queue, host: "", priority: overrides?.options.priority ?? .normal,
            owner: overrides?.options.owner, isOutsideAPI: true)
        slot.isGroup = true
        return slot
    }

    /// Creates a group operation that belongs to an object.
    ///
    /// - Parameters:
    ///   - name: The name in events, descriptions and metrics. Use only a few distinct names, so no
    ///     user numbers, for example.
    ///   - owner: A screen or a view model, for example. Not retained; see
    ///     `OperationOwner.init(of:)`.
    ///   - tags: Labels of the group and of the operations in its body.
    ///   - priority: The priority of the operations in its body; nil for that of the enclosing
    ///     group, or else of each method.
    ///   - start: The queue that the group waits in, its throttle, and whether equal groups share
    ///     one run; by default none of these.
    ///   - steps: The planned steps of its progress, so that the fraction is known from the start.
    ///   - timeout: The maximum duration of the whole group, not below zero; nil for no limit.
    ///   - dependencies: Operations that must succeed before this one begins.
    ///   - body: Runs operations with the group that it receives, and returns the value.
    public func group<Output: Sendable>(
        _ name: String = "group", owner: AnyObject, tags: Set<String> = [],
        priority: CallPriority? = nil, start: GroupStart = GroupStart(),
        steps: [OperationProgress.Step] = [],
        timeout: Duration? = nil, after dependencies: [OperationHandle] = [],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        group(
            name, owner: OperationOwner(of: owner), tags: tags, priority: priority, start: start,
            steps: steps, timeout: timeout, after: dependencies, body)
    }
}
