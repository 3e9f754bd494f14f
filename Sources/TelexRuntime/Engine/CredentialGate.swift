/// Lets one refresh happen at a time, and keeps the operations that wait for it in order.
///
/// Refreshes are counted. An attempt that was launched before one that succeeded missed it, and only
/// has to be made again; one that was launched before one that failed a moment ago shares its failure.
/// So a thousand calls that hear of one expired credential refresh it once. Where the server that gives
/// new ones wants to be left alone for a while, all share its failure that need one until then.
struct CredentialGate: Sendable {
    /// What to do with an operation whose credential was refused.
    enum Answer: Equatable, Sendable {
        /// Try again at once: there is a newer credential already.
        case goOn
        /// Wait. `isFirst` tells whether somebody has to start the refresh.
        case wait(isFirst: Bool)
        /// Give up: it was refused again, with a new credential.
        case fail
        /// Give up: there was no new credential.
        case notRefreshed
    }

    /// How many refreshes had succeeded and failed at a moment.
    struct Count: Equatable, Sendable {
        var successes: UInt32 = 0
        var failures: UInt32 = 0
    }

    /// How often an operation may be refused before it comes forward, if the last time was with a new
    /// credential: then another one would fare no better.
    static let mostRefusals = 2
    /// How often at all. A credential that has become old while the operation waited, for its turn or
    /// for a connection, says nothing about the next one, but that must not go on for ever.
    static let mostRefusalsAtAll = 8
    /// How long a credential is new.
    static let novelty = Duration.seconds(1)
    /// How long a refresh that failed speaks for one that would be begun: somebody may log in.
    static let failureCounts = Duration.seconds(5)

    let canRefresh: Bool
    private(set) var count = Count()
    private var lastSuccess: Duration?
    private var lastFailure: Duration?
    /// Until when nobody asks for a new credential, because the server asked for that.
    private(set) var pauseEnd: Duration?
    /// Whether a server has taken the present credential, if that came of a refresh.
    private(set) var isProven = true
    private(set) var isRefreshing = false
    private var waiting: [OperationID] = []

    init(canRefresh: Bool) {
        self.canRefresh = canRefresh
    }

    /// An attempt was refused.
    ///
    /// - Parameters:
    ///   - launched: The count when it was launched.
    ///   - wasNew: Whether the credential was new then. It is no longer if it became old meanwhile:
    ///     transports have queues, too.
    ///   - refusals: How often this operation has been refused, counting this time.
    mutating func refused(
        _ id: OperationID, launched: Count, wasNew: Bool, refusals: Int, at now: Duration
    ) -> Answer {
        let isNew = wasNew && (!isProven || isNew(at: now))
        let most = isNew ? Self.mostRefusals : Self.mostRefusalsAtAll
        guard canRefresh, refusals < most else { return .fail }
        guard launched.successes == count.successes else { return .goOn }
        if hasNone(for: launched, at: now) { return .notRefreshed }
        return .wait(isFirst: wait(id))
    }

    /// Whether it is known that there is no new credential for an attempt, so that nobody asks for one.
    ///
    /// - Parameter launched: The count when it was launched.
    func hasNone(for launched: Count, at now: Duration) -> Bool {
        launched.successes == count.successes
            && (isPaused(at: now) || hasFailed(since: launched, at: now))
    }

    /// Whether the last refresh has failed since then, and speaks for one that would be begun now.
    func hasFailed(since launched: Count, at now: Duration) -> Bool {
        guard !isRefreshing, launched.successes == count.successes,
            launched.failures != count.failures, let lastFailure
        else { return false }
        return isPaused(at: now) || now - lastFailure < Self.failureCounts
    }

    /// There is a newer credential, by no refresh of this engine's. That says nothing of when the server
    /// may be asked for another.
    mutating func noteNewer(at now: Duration) {
        guard !isRefreshing else { return }
        count.successes += 1
        lastSuccess = now
        isProven = false
    }

    /// Whether the server that gives new credentials is to be left alone.
    private func isPaused(at now: Duration) -> Bool {
        !isRefreshing && pauseEnd.map { now < $0 } == true
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

    /// An attempt has succeeded with its credential.
    ///
    /// - Parameter launched: The count when it was launched.
    mutating func accepted(launched: Count) {
        if launched.successes == count.successes { isProven = true }
    }

    /// Whether the credential has just come.
    func isNew(at now: Duration) -> Bool {
        lastSuccess.map { now - $0 < Self.novelty } ?? false
    }

    /// Begins a refresh on behalf of those that come later.
    ///
    /// - Parameter launched: The count when the attempt was launched that was refused.
    /// - Returns: Whether one has to be started.
    mutating func renew(launched: Count) -> Bool {
        guard canRefresh, !isRefreshing, launched == count else { return false }
        isRefreshing = true
        return true
    }

    /// The refresh has ended. Those that waited, in their order; some may have ended meanwhile.
    ///
    /// - Parameter pause: For how long nobody may ask again; nil if that was not said.
    mutating func finish(
        succeeded: Bool, pause: Duration? = nil, at now: Duration
    ) -> [OperationID] {
        pauseEnd = pause.map { now.later(by: $0) }
        if succeeded {
            count.successes += 1
            lastSuccess = now
            isProven = false
        } else {
            count.failures += 1
            lastFailure = now
        }
        isRefreshing = false
        defer { waiting = [] }
        return waiting
    }

    /// The refresh under way is of no use any more, and says nothing about the next one.
    ///
    /// - Returns: Those that waited for it.
    mutating func abandon() -> [OperationID] {
        pauseEnd = nil
        isRefreshing = false
        defer { waiting = [] }
        return waiting
    }
}
