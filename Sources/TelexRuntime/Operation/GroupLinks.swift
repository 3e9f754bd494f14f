import TelexJSON
import TelexScheduling

/// The links between an operation and groups: the groups whose bodies wait for it and, if it is a
/// group itself, what its body runs. Few operations need them.
final class GroupLinks: Sendable {
    private struct State {
        var members: (@Sendable () -> [OperationHandle])?
        var groups: [OperationHandle] = []
        var awaited: [OperationID: OperationHandle] = [:]
        /// Some of the engines may be deallocated.
        var engines: [EngineID: EngineReference] = [:]
        var logOuts: [EngineID: Int] = [:]
    }

    private let state = Lock(State())

    /// The operations that the group runs.
    var members: [OperationHandle] { state.withLock { $0.members }?() ?? [] }

    /// Registers a closure that returns the operations that the group runs.
    func setMembers(_ members: @escaping @Sendable () -> [OperationHandle]) {
        state.withLock { $0.members = members }
    }

    // MARK: Waiting

    /// The operations that the body of the group waits for, as far as they may be part of a circle.
    var awaited: [OperationHandle] { state.withLock { Array($0.awaited.values) } }

    /// Records whether the body of the group waits for an operation.
    func setAwaits(_ awaits: Bool, _ operation: OperationHandle) {
        state.withLock { $0.awaited[operation.id] = awaits ? operation : nil }
    }

    /// Whether the body of a group waits for the operation.
    func isAwaited(by group: OperationHandle) -> Bool {
        state.withLock { $0.groups.contains { $0 === group } }
    }

    /// Records whether the body of a group waits for the operation.
    func setAwaited(_ isAwaited: Bool, by group: OperationHandle) {
        state.withLock { state in
            state.groups.removeAll { $0 === group }
            if isAwaited { state.groups.append(group) }
        }
    }

    // MARK: Tokens

    /// The engines whose tokens are used by the operations that the group runs or has run.
    var engines: [Engine] { state.withLock { $0.engines }.values.compactMap(\.engine) }

    /// Whether an operation that the group runs or has run uses the token of an engine.
    func usesToken(of engine: EngineID) -> Bool {
        state.withLock { $0.engines[engine] != nil }
    }

    /// Records that the group uses the token of an engine.
    ///
    /// - Returns: The groups that run it, which need the same record; nil if it was recorded before.
    func add(_ engine: Engine) -> [OperationHandle]? {
        let known = state.withLock { $0.engines }
        guard known[engine.id] == nil else { return nil }
        // Outside the lock, because loading a weak reference may make this thread the last owner of
        // the engine.
        let gone = known.filter { $0.value.engine == nil }.keys
        return state.withLock { state in
            for id in gone { state.engines[id] = nil }
            guard state.engines[engine.id] == nil else { return nil }
            state.engines[engine.id] = EngineReference(engine)
            return state.groups
        }
    }

    // MARK: Log-outs

    /// Whether the body of the group logs out of an engine's API.
    func isLoggingOut(of engine: EngineID) -> Bool {
        state.withLock { $0.logOuts[engine] != nil }
    }

    /// Records the begin or end of a log-out of an engine's API in the body of the group. Several
    /// may be in progress at once.
    func setLoggingOut(_ leaves: Bool, of engine: EngineID) {
        state.withLock { state in
            let count = state.logOuts[engine, default: 0] + (leaves ? 1 : -1)
            state.logOuts[engine] = count > 0 ? count : nil
        }
    }
}

extension OperationHandle {
    /// The links to groups, made on first use.
    var links: GroupLinks {
        live.withLock { live in
            let coldState = live.requireColdState()
            let links = coldState.links ?? GroupLinks()
            coldState.links = links
            return links
        }
    }

    /// The links to groups; nil if there are none.
    var existingLinks: GroupLinks? { live.withLock { $0.coldState?.links } }

    /// Whether it may be part of a circle: it is a group, or comes after one, directly or
    /// indirectly.
    var mayBeInCircle: Bool {
        attributes.kind == nil || attributes.prerequisites?.leadToGroup == true
    }

    /// Records whether the body of a group waits for it.
    func setAwaited(_ isAwaited: Bool, by group: OperationHandle) {
        links.setAwaited(isAwaited, by: group)
        group.links.setAwaits(isAwaited, self)
    }
}
