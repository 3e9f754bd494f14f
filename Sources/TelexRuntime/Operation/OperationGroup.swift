import TelexJSON
import TelexScheduling

/// Runs operations in the body of a group.
///
/// Everything that is run here belongs to the group. Cancelling the group cancels its operations,
/// even if another group runs them too; suspending it suspends them, and their progress is part of
/// the group's. An operation that was suspended individually, or that is a step of another
/// suspended group, stays suspended when this group resumes. A group is an operation too, so groups
/// can be nested to any depth. Operations that the body creates get the group's owner and priority
/// unless they have their own, and the group's tags in addition to theirs.
///
/// A step may be work of the app:
///
/// ```swift
/// let small = try await group.run(NetworkOperation { try await resize(image) }, step: "resizing")
/// ```
///
/// The body is ordinary code: `try await` runs one step after another; `async let` and task groups
/// run several at once. The first error that the body does not catch ends the group and cancels
/// what it still runs.
public final class OperationGroup: Sendable {
    private struct State {
        var children: [OperationID: OperationHandle] = [:]
        var isHeld = false
        var hasEnded = false
        var steps: GroupSteps
    }

    /// The group whose body the current task runs, if any.
    @TaskLocal static var current: OperationGroup?

    /// The lock that is held while a group begins to wait for another, so that no two wait for each
    /// other.
    private static let closing = Lock(())

    private let context: AttemptContext
    /// The options that the operations created by its body inherit; nil for none.
    private let overrides: CallOverrides?
    /// The queues in which the group, and the groups around it, hold a place.
    let heldQueues: Set<HeldQueue>
    private let state: Lock<State>

    init(
        _ context: AttemptContext, inheriting overrides: CallOverrides?,
        holding heldQueues: Set<HeldQueue> = [], steps: [OperationProgress.Step]
    ) {
        self.context = context
        self.overrides = overrides
        self.heldQueues = heldQueues
        state = Lock(State(steps: GroupSteps(planned: steps)))
        context.onHold { [weak self] isHeld in self?.hold(isHeld) }
        context.atEnd { [weak self] _ in self?.end() }
        context.atEnd { [weak handle = context.handle] _ in handle?.removeFromForeignEngines() }
        context.handle.links.setMembers { [weak self] in self?.members ?? [] }
        context.handle.listeners.setUnreported { [weak self] in self?.unreported }
    }

    /// The identity of the group's operation.
    var id: OperationID { context.operation }

    /// Runs an operation as a part of the group.
    ///
    /// - Parameters:
    ///   - operation: The operation to run; it is started if necessary. If it is suspended, it
    ///     stays suspended.
    ///   - step: The name of the step in the group's progress; by default the name of the method.
    ///     It identifies a step that was planned when the group was created.
    ///   - weight: The share of the work relative to other steps; ignored for planned steps.
    /// - Returns: Its value.
    /// - Throws: The operation's error; `CancellationError` if the group is cancelled;
    ///   ``OperationError`` with the reason `.circle` if each would wait for the other. That is so
    ///   if the operation is the group, or a group that this one runs in, or the one whose body
    ///   makes this call, or runs one of these or comes `after:` one of these, directly or
    ///   indirectly, or was created outside the body and waits for a queue in which the group holds
    ///   a place.
    public func run<Output>(
        _ operation: NetworkOperation<Output>, step: String? = nil, weight: Double = 1
    ) async throws -> Output {
        let (index, result) = try await outcome(of: operation, step: step, weight: weight)
        let value = try result.get()
        report(1, of: index)
        return value
    }

    /// Runs an operation whose failure does not end the group; its step is done then, too.
    ///
    /// - Returns: Its value or its error. The parameters are those of ``run(_:step:weight:)``.
    /// - Throws: `CancellationError` if the group is cancelled, and nothing else.
    public func attempt<Output>(
        _ operation: NetworkOperation<Output>, step: String? = nil, weight: Double = 1
    ) async throws -> Result<Output, any Error> {
        do {
            let (index, result) = try await outcome(of: operation, step: step, weight: weight)
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
    /// - Returns: The index of its step, and its result.
    private func outcome<Output>(
        of operation: NetworkOperation<Output>, step: String?, weight: Double
    ) async throws -> (index: Int, result: Result<Output, any Error>) {
        try await context.waitWhilePaused()
        // Start nothing that would have to end at once.
        try checkEnd()
        let index = try begin(operation, label: step ?? operation.method, weight: weight)
        defer { end(operation) }
        do { return (index, .success(try await operation.value)) } catch {
            return (index, .failure(error))
        }
    }

    /// - Throws: `CancellationError` if the task is cancelled, or if the group has ended, because a
    ///   task created by the body may outlive it.
    private func checkEnd() throws {
        try Task.checkCancellation()
        if state.withLock({ $0.hasEnded }) { throw CancellationError() }
    }

    // MARK: Steps

    private func begin(
        _ operation: OperationHandle, label: String, weight: Double
    ) throws -> Int {
        if operation.waits(for: heldQueues) {
            throw OperationError.circle(operation, in: context.handle)
        }
        let index =
            try operation.mayBeInCircle
            ? adoptCheckingCircles(operation, label: label, weight: weight)
            : adopt(operation, label: label, weight: weight)
        guard let index else { throw CancellationError() }
        context.handle.recordTokens(of: operation)
        callingGroup?.recordTokens(of: operation)
        operation.followed.forward(hasReader: { [weak self] in self?.context.hasReader ?? false }) {
            [weak self] in self?.report($0.fractionOfStep, of: index, progress: $0)
        }
        state.withLock { $0.steps.enter(index) }
        report(0, of: index)
        start(operation)
        return index
    }

    /// - Throws: `.circle` if the operation waits for one of the groups that would wait for it.
    private func adoptCheckingCircles(
        _ operation: OperationHandle, label: String, weight: Double
    ) throws(OperationError) -> Int? {
        var searches = waiting.map(CircleSearch.init)
        defer { withExtendedLifetime(searches) {} }
        return try Self.closing.withLock { _ throws(OperationError) in
            for index in searches.indices where searches[index].isClosed(by: operation) {
                throw .circle(operation, in: searches[index].group)
            }
            let index = adopt(operation, label: label, weight: weight)
            if index != nil { for group in waiting { operation.setAwaited(true, by: group) } }
            return index
        }
    }

    /// The groups whose bodies wait for an operation that this task runs in this group.
    private var waiting: [OperationHandle] { [context.handle] + (callingGroup.map { [$0] } ?? []) }

    /// The group whose body the current task runs, if it is another one.
    private var callingGroup: OperationHandle? {
        Self.current.flatMap { $0 === self ? nil : $0.context.handle }
    }

    /// - Returns: The index of its step; nil if the group has ended.
    private func adopt(_ operation: OperationHandle, label: String, weight: Double) -> Int? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.children[operation.id] = operation
            return state.steps.begin(label, weight: weight)
        }
    }

    /// Starts an operation, and suspends it if the group is suspended.
    private func start(_ operation: OperationHandle) {
        operation.begin()
        let hasEnded = state.withLock { state in
            if state.isHeld { operation.noteHold(true, by: id) }
            return state.hasEnded
        }
        // An operation that starts as the group ends was not cancelled with the other members.
        if hasEnded { return operation.cancel() }
        operation.reportHolds()
    }

    private func end(_ operation: OperationHandle) {
        if operation.mayBeInCircle {
            for group in waiting { operation.setAwaited(false, by: group) }
        }
        state.withLock { $0.children[operation.id] = nil }
    }

    /// Runs the body.
    func value<Output>(
        of body: @Sendable (OperationGroup) async throws -> Output
    ) async throws -> Output {
        let value = try await Self.$current.withValue(self) { try await body(self) }
        // A group that was suspended in the meantime returns its value when it is resumed, like a
        // call.
        try await context.waitWhilePaused()
        finish()
        return value
    }

    /// Completes all steps, including planned ones that were not needed.
    private func finish() { report(nil) { $0.finish() } }

    /// - Parameter progress: The progress of the step's operation, if there is any.
    private func report(_ fraction: Double, of index: Int, progress: OperationProgress? = nil) {
        report(index) { $0.update(index, fraction: fraction, progress: progress) }
    }

    /// The progress, if it has not been reported.
    private var unreported: OperationProgress? { state.withLock { $0.steps.unreported() } }

    /// Changes the steps and reports the progress if it has listeners. Later listeners begin with
    /// the complete progress.
    private func report(_ step: Int?, _ change: (inout GroupSteps) -> Void) {
        let hasListener = context.hasListener
        let news = state.withLock { state in
            change(&state.steps)
            return state.steps.news(of: step, isTold: hasListener)
        }
        if let news {
            context.report(news.progress, step: news.step)
        } else if !hasListener, context.hasListener, let unreported {
            // A listener arrived concurrently, and may have read the progress before the change.
            context.report(unreported)
        }
    }

    // MARK: Together

    /// Records the begin or end of a log-out of an engine's API in the body.
    func setLoggingOut(_ leaves: Bool, _ engine: Engine) {
        context.handle.links.setLoggingOut(leaves, of: engine.id)
    }

    /// The operations that are running.
    private var members: [OperationHandle] { state.withLock { Array($0.children.values) } }

    /// Cancels the running operations; no further one can start.
    private func end() {
        let members = state.withLock { state in
            state.hasEnded = true
            return Array(state.children.values)
        }
        Engine.cancel(members)
    }

    /// Suspends or resumes all running operations.
    private func hold(_ isHeld: Bool) {
        let children = state.withLock { state in
            state.isHeld = isHeld
            for child in state.children.values { child.noteHold(isHeld, by: id) }
            return Array(state.children.values)
        }
        for child in children { child.reportHolds() }
    }
}

extension OperationGroup {
    /// Adds to an operation's options those of the group in whose body it is created: the owner and
    /// priority if it has none, and the tags.
    static func completed(_ options: CallOptions?) -> CallOptions? {
        guard let overrides = current?.overrides?.options else { return options }
        var options = options ?? CallOptions()
        options.owner = options.owner ?? overrides.owner
        options.priority = options.priority ?? overrides.priority
        options.tags.formUnion(overrides.tags)
        return options
    }
}

/// An operation that combines several: they are started, suspended, resumed and cancelled together.
public typealias GroupOperation<Output: Sendable> = NetworkOperation<Output>
