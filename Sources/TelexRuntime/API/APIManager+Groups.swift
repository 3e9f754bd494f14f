extension APIManager {
    /// Makes an operation of several.
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
    ///   - name: What it is called in events, descriptions and metrics: one of few words, so without
    ///     the number of a user, say.
    ///   - owner: On whose behalf it runs, and what its body makes; nil, in the body of another group,
    ///     for that one's.
    ///   - tags: Marks of the caller's own, also of what its body makes.
    ///   - priority: The place of what its body makes among all that waits; nil for that of the group
    ///     around it, or else of each method.
    ///   - steps: The steps that its progress will have, so that the fraction is known from the
    ///     start; steps that are not planned are added when they begin. Their own fractions are not
    ///     asked for: none has begun.
    ///   - timeout: The longest time that all of it may take, not below zero; nil for no limit.
    ///   - dependencies: Operations that have to succeed before this one begins.
    ///   - body: Runs operations with the group that it is given, and returns the value.
    public func group<Output: Sendable>(
        _ name: String = "group", owner: OperationOwner? = nil, tags: Set<String> = [],
        priority: CallPriority? = nil, steps: [OperationProgress.Step] = [],
        timeout: Duration? = nil, after dependencies: [OperationHandle] = [],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        let overrides = OperationGroup.completed(
            CallOptions(priority: priority, owner: owner, tags: tags)
        ).flatMap(CallOverrides.init)
        let facts = OperationFacts(
            api: factory.pipeline.definition.name, method: name, owner: overrides?.options.owner,
            tags: overrides?.options.tags ?? [], priority: overrides?.options.priority ?? .normal,
            prerequisites: Prerequisites(dependencies, of: name), hub: factory.hub,
            scheduling: SchedulingRequest(totalTimeout: timeout?.atLeast(.zero)))
        return factory.group(facts, handingOn: overrides, steps: steps, body)
    }

    /// Makes an operation of several, on behalf of an object.
    ///
    /// - Parameters:
    ///   - name: What it is called in events, descriptions and metrics: one of few words, so without
    ///     the number of a user, say.
    ///   - owner: A screen, a view model. Not held; see `OperationOwner.init(of:)`.
    ///   - tags: Marks of the caller's own, also of what its body makes.
    ///   - priority: The place of what its body makes among all that waits; nil for that of the group
    ///     around it, or else of each method.
    ///   - steps: The steps that its progress will have, so that the fraction is known from the
    ///     start; none has begun.
    ///   - timeout: The longest time that all of it may take, not below zero; nil for no limit.
    ///   - dependencies: Operations that have to succeed before this one begins.
    ///   - body: Runs operations with the group that it is given, and returns the value.
    public func group<Output: Sendable>(
        _ name: String = "group", owner: AnyObject, tags: Set<String> = [],
        priority: CallPriority? = nil, steps: [OperationProgress.Step] = [],
        timeout: Duration? = nil, after dependencies: [OperationHandle] = [],
        _ body: @escaping @Sendable (OperationGroup) async throws -> Output
    ) -> GroupOperation<Output> {
        group(
            name, owner: OperationOwner(of: owner), tags: tags, priority: priority, steps: steps,
            timeout: timeout, after: dependencies, body)
    }
}
