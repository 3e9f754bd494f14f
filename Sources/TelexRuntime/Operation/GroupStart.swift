import TelexScheduling

/// When a group starts, and what it shares with equal groups.
///
/// ```swift
/// vk.group("feed", start: GroupStart(queue: "screens", isCoalesced: true)) { group in … }
/// ```
public struct GroupStart: Sendable, Hashable {
    /// The named queue of the API that the group waits in; nil for none. From its start to its
    /// end it holds one place there. Steps that its body creates for the same queue do not wait for
    /// it. A queue that the API does not have makes the group fail with `invalidRequest`.
    public var queue: String?
    /// Limits how often groups of this name and key start; nil for no limit. Its own
    /// `Throttle.key` does not count.
    public var throttle: Throttle?
    /// Whether groups with the same name, key and type of value that run at the same time share one
    /// run of the body. The run is suspended when all of them are, and cancelled with the last.
    public var isCoalesced: Bool
    /// Distinguishes groups of the same name for ``throttle`` and ``isCoalesced``: a number of a
    /// user, for example.
    public var key: String

    /// Creates options; by default a group starts at once and shares nothing.
    public init(
        queue: String? = nil, throttle: Throttle? = nil, isCoalesced: Bool = false,
        key: String = ""
    ) {
        self.queue = queue
        self.throttle = throttle
        self.isCoalesced = isCoalesced
        self.key = key
    }
}

/// A place in a queue that a group holds for its steps.
struct HeldQueue: Hashable, Sendable {
    let engine: EngineID
    let name: String
}

extension OperationHandle {
    /// Whether it would wait for a place in one of these queues.
    func waits(for queues: Set<HeldQueue>) -> Bool {
        guard let queue = attributes.queue,
            queues.contains(HeldQueue(engine: engine.id, name: queue))
        else { return false }
        if case .running = state { return false }
        return !state.isTerminal
    }
}

extension GroupStart {
    /// The identity of groups of a name that share one run or throttle each other.
    func identity(of name: String) -> String { "group\0\(name)\0\(key)" }
}

extension CallOverrides {
    /// The options without the owner and the tags; nil if there are no others.
    var withoutOwner: CallOverrides? {
        var options = options
        (options.owner, options.tags) = (nil, [])
        return CallOverrides(options)
    }
}

extension APIError {
    /// The error of a group with an invalid option.
    init(invalid group: String, _ problem: Violation) {
        self.init(method: group, phase: .build, reason: .invalidRequest, violations: [problem])
    }
}
