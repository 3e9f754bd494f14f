/// Lets one refresh happen at a time, and keeps the operations that wait for it in order.
///
/// Credentials are counted: an attempt that was refused with an earlier generation than the present
/// one missed a refresh, and only has to be made again.
struct CredentialGate: Sendable {
    /// What to do with an operation whose credential was refused.
    enum Answer: Equatable, Sendable {
        /// Try again at once: there is a newer credential already.
        case goOn
        /// Wait. `isFirst` tells whether somebody has to start the refresh.
        case wait(isFirst: Bool)
        /// Give up.
        case fail
    }

    /// How often an operation may be refused with the newest credential.
    static let mostRefusals = 2

    let canRefresh: Bool
    private(set) var generation = 0
    private(set) var isRefreshing = false
    private var waiting: [OperationID] = []

    init(canRefresh: Bool) {
        self.canRefresh = canRefresh
    }

    /// An attempt that was launched with a generation was refused.
    ///
    /// - Parameter refusals: How often this operation was refused with the newest credential,
    ///   counting this time.
    mutating func refused(
        _ id: OperationID, generation launched: Int, refusals: Int
    ) -> Answer {
        guard canRefresh else { return .fail }
        guard launched == generation else { return .goOn }
        guard refusals < Self.mostRefusals else { return .fail }
        return .wait(isFirst: wait(id))
    }

    /// Lets an operation wait for the refresh that is under way; starts one if there is none.
    ///
    /// - Returns: Whether one has to be started.
    @discardableResult
    mutating func wait(_ id: OperationID) -> Bool {
        waiting.append(id)
        defer { isRefreshing = true }
        return !isRefreshing
    }

    /// The refresh has ended. Those that waited, in their order; some may have ended meanwhile.
    mutating func finish(succeeded: Bool) -> [OperationID] {
        if succeeded { generation += 1 }
        isRefreshing = false
        defer { waiting = [] }
        return waiting
    }
}
