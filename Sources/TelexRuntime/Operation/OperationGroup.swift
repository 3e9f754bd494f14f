import Synchronization

/// What the body of a group runs its operations with.
///
/// Everything that is run here belongs to the group: cancelling the group cancels it, even if another
/// group runs it as well, suspending the group suspends it, and its progress is part of the group's.
/// What somebody has suspended on its own stays so when the group goes on, and so does what is a step of
/// another group that is suspended. A group is an operation too, so groups can be run in groups, to any
/// depth. What the body makes has the group's owner and priority, unless it is given its own, and the
/// group's tags besides its own.
///
/// A step may be work of the app's own:
///
/// ```swift
/// let small = try await group.run(NetworkOperation { try await resize(image) }, step: "resizing")
/// ```
///
/// The body is ordinary code: `try await` runs one step after the other, `async let` and task groups
/// run several at once. The first error that the body does not catch ends the group, and what it
/// still runs is cancelled.
public final class OperationGroup: Sendable {
    private struct State {
        var children: [OperationID: OperationHandle] = [:]
        var isHeld = false
        var hasEnded = false
        var steps: GroupSteps
    }

    /// The group whose body this task runs, if it does.
    @TaskLocal static var current: OperationGroup?

    /// Held while a group begins to wait for another, so that no two wait for each other.
    private static let closing = Mutex(())

    private let context: AttemptContext
    /// What all that its body makes wants different; nil for nothing.
    private let overrides: CallOverrides?
    private let state: Mutex<State>

    init(
        _ context: AttemptContext, handingOn overrides: CallOverrides?,
        steps: [OperationProgress.Step]
    ) {
        self.context = context
        self.overrides = overrides
        state = Mutex(State(steps: GroupSteps(planned: steps)))
        context.onHold { [weak self] isHeld in self?.hold(isHeld) }
        context.atEnd { [weak self] _ in self?.end() }
        context.leaveEnginesAtEnd()
        context.setMembers { [weak self] in self?.members ?? [] }
        context.setUntold { [weak self] in self?.untold }
    }

    /// The operation that it is.
    var id: OperationID { context.operation }

    /// Runs an operation as a part of the group.
    ///
    /// - Parameters:
    ///   - operation: What to run; it is started if nobody has. One that is suspended stays so.
    ///   - step: What it is called in the group's progress; by default the name of its method. A
    ///     step that was planned when the group was made is found by this name.
    ///   - weight: How much of the work it is, beside other steps; of a step that was not planned.
    /// - Returns: Its value.
    /// - Throws: What it throws; `CancellationError` if the group is cancelled; ``OperationError`` of the
    ///   reason `.circle` if each would wait for the other: if the operation is the group, or one that
    ///   the group runs in, or the one whose body this is called in, or has such a one running in it, or
    ///   comes `after:` such a one, however many are between.
    public func run<Output>(
        _ operation: NetworkOperation<Output>, step: String? = nil, weight: Double = 1
    ) async throws -> Output {
        let (index, result) = try await outcome(of: operation, step, weight)
        let value = try result.get()
        report(1, of: index)
        return value
    }

    /// Runs an operation whose failure does not end the group. Its step is done then, too.
    ///
    /// - Returns: Its value or its error. The parameters are those of ``run(_:step:weight:)``.
    /// - Throws: `CancellationError` if the group is cancelled, and nothing else.
    public func attempt<Output>(
        _ operation: NetworkOperation<Output>, step: String? = nil, weight: Double = 1
    ) async throws -> Result<Output, any Error> {
        do {
            let (index, result) = try await outcome(of: operation, step, weight)
            if case .failure = result { try checkEnd() }
            report(1, of: index)
            return result
        } catch {
            try checkEnd()
            return .failure(error)
        }
    }

    /// Runs an operation.
    ///
    /// - Returns: The number of its step, and what came of it.
    private func outcome<Output>(
        of operation: NetworkOperation<Output>, _ step: String?, _ weight: Double
    ) async throws -> (index: Int, result: Result<Output, any Error>) {
        try await context.waitWhileHeld()
        // Nothing begins that would have to end at once.
        try checkEnd()
        let index = try begin(operation, step ?? operation.method, weight)
        defer { end(operation) }
        do { return (index, .success(try await operation.value)) } catch {
            return (index, .failure(error))
        }
    }

    /// - Throws: `CancellationError` if the task is cancelled, or the group has ended: a task of the
    ///   body's own may still be at work.
    private func checkEnd() throws {
        try Task.checkCancellation()
        if state.withLock({ $0.hasEnded }) { throw CancellationError() }
    }

    // MARK: Steps

    private func begin(
        _ operation: OperationHandle, _ label: String, _ weight: Double
    ) throws -> Int {
        let index =
            try operation.mayCloseCircle
            ? adoptOutsideOfCircles(operation, label, weight) : adopt(operation, label, weight)
        guard let index else { throw CancellationError() }
        context.noteTokens(of: operation)
        asking?.noteTokens(of: operation)
        operation.followed.forward(isSeen: { [weak self] in self?.context.isSeen ?? false }) {
            [weak self] in self?.report($0.fractionOfStep, of: index, $0)
        }
        state.withLock { $0.steps.enter(index) }
        report(0, of: index)
        start(operation)
        return index
    }

    /// - Throws: `.circle` if the operation waits for one of those that would wait for it.
    private func adoptOutsideOfCircles(
        _ operation: OperationHandle, _ label: String, _ weight: Double
    ) throws(OperationError) -> Int? {
        var searches = waiting.map { CircleSearch(in: $0.handle) }
        defer { withExtendedLifetime(searches) {} }
        return try Self.closing.withLock { _ throws(OperationError) in
            for index in searches.indices where searches[index].isClosed(by: operation) {
                throw .circle(operation, in: searches[index].group)
            }
            let index = adopt(operation, label, weight)
            if index != nil { for group in waiting { group.setAwaits(true, operation) } }
            return index
        }
    }

    /// The groups whose bodies wait for what this task has this one run.
    private var waiting: [AttemptContext] { [context] + (asking.map { [$0] } ?? []) }

    /// The group whose body this task runs, if it is another one.
    private var asking: AttemptContext? {
        Self.current.flatMap { $0 === self ? nil : $0.context }
    }

    /// - Returns: The number of its step; nil if the group has ended.
    private func adopt(_ operation: OperationHandle, _ label: String, _ weight: Double) -> Int? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.children[operation.id] = operation
            return state.steps.begin(label, weight: weight)
        }
    }

    /// Starts an operation, and holds it if the group is held. The group may be told one thing or the
    /// other meanwhile, so it is asked again until both agree.
    private func start(_ operation: OperationHandle) {
        operation.begin()
        // What had not been started when the group ended was not cancelled with the others.
        if state.withLock({ $0.hasEnded }) { return operation.cancel() }
        var isHeld = false
        while isHeld != state.withLock({ $0.isHeld }) {
            isHeld.toggle()
            hold(operation, isHeld)
        }
    }

    private func end(_ operation: OperationHandle) {
        if operation.mayCloseCircle {
            for group in waiting { group.setAwaits(false, operation) }
        }
        state.withLock { $0.children[operation.id] = nil }
    }

    /// All is done, also what was planned and turned out not to be needed.
    func finish() { report(nil) { $0.finish() } }

    /// - Parameter progress: That of the operation which is the step, if it has told any.
    private func report(_ fraction: Double, of index: Int, _ progress: OperationProgress? = nil) {
        report(index) { $0.update(index, fraction, progress) }
    }

    /// How far it is, if nobody was told.
    private var untold: OperationProgress? { state.withLock { $0.steps.untold() } }

    /// Tells of a change to those who want to see it. Whoever follows later finds all of it.
    ///
    /// - Parameter step: The step that it is about; nil for all.
    private func report(_ step: Int?, _ change: (inout GroupSteps) -> Void) {
        let isFollowed = context.isFollowed
        let news = state.withLock { state in
            change(&state.steps)
            return state.steps.news(of: step, isTold: isFollowed)
        }
        if let news {
            context.report(news.progress, step: news.step)
        } else if !isFollowed, context.isFollowed, let untold {
            // Somebody came meanwhile, who may have asked before the change.
            context.report(untold)
        }
    }

    // MARK: Together

    /// The body logs out of an engine's API, or has done so.
    func setLeaving(_ leaves: Bool, _ engine: Engine) { context.setLeaving(leaves, engine) }

    /// What still runs.
    private var members: [OperationHandle] { state.withLock { Array($0.children.values) } }

    /// Cancels what still runs; nothing begins any more.
    private func end() {
        let members = state.withLock { state in
            state.hasEnded = true
            return Array(state.children.values)
        }
        Engine.cancel(members)
    }

    /// Suspends or resumes everything that runs.
    private func hold(_ isHeld: Bool) {
        let children = state.withLock { state in
            state.isHeld = isHeld
            return Array(state.children.values)
        }
        for child in children { hold(child, isHeld) }
    }

    /// Suspends an operation, or lets it go on if this has suspended it.
    private func hold(_ child: OperationHandle, _ isHeld: Bool) {
        // One that has yet to begin is held as soon as it has.
        guard child.state != .ready else { return }
        child.hold(isHeld, by: context.operation)
    }
}

extension OperationGroup {
    /// What an operation wants that is made in the body of a group: the group's owner and priority, if
    /// it is given none of its own, and also the group's tags.
    static func completed(_ options: CallOptions?) -> CallOptions? {
        guard let overrides = current?.overrides?.options else { return options }
        var options = options ?? CallOptions()
        options.owner = options.owner ?? overrides.owner
        options.priority = options.priority ?? overrides.priority
        options.tags.formUnion(overrides.tags)
        return options
    }
}

/// Several operations that are one: started, suspended, resumed and cancelled together.
public typealias GroupOperation<Output: Sendable> = NetworkOperation<Output>
