/// Ensures that only one refresh runs at a time, and keeps the operations that wait for it in
/// order.
///
/// Refreshes are counted. An attempt launched before a successful refresh only has to be repeated.
/// An attempt launched before a refresh that failed a moment ago shares its failure. So a thousand
/// calls with one expired credential cause one refresh. While the token server asks for a pause,
/// all operations that need a new credential share the failure.
struct CredentialGate: Sendable {
    /// What to do with an operation whose credential was refused.
    enum Answer: Equatable, Sendable {
        /// Repeat at once: there is a newer credential already.
        case repeatAtOnce
        /// Wait. `isFirst` is whether a refresh has to be started.
        case wait(isFirst: Bool)
        /// Fail: the new credential was refused too.
        case fail
        /// Fail: there is no new credential.
        case notRefreshed
    }

    /// The numbers of successful and failed refreshes at some time.
    struct Count: Equatable, Sendable {
        var successes: UInt32 = 0
        var failures: UInt32 = 0
    }

    /// How often an operation without progress may be refused if the last credential was new,
    /// because another new one would be refused too.
    static let maximumRefusalsOfNew = 2
    /// How often it may be refused in total. A credential that expired while the operation waited
    /// for a turn or a connection proves nothing about the next one, but the repetition must end.
    static let maximumRefusals = 8
    /// How long a credential counts as new.
    static let newnessPeriod = Duration.seconds(1)
    /// How long the failure of a refresh also counts for later refusals; after that, a log-in may
    /// have helped.
    static let failurePeriod = Duration.seconds(5)

    let canRefresh: Bool
    private(set) var count = Count()
    private var lastSuccess: Duration?
    private var lastFailure: Duration?
    /// Until when no refresh starts, because the token server asked for a pause.
    private(set) var pauseEnd: Duration?
    /// Whether a server has accepted the current credential; true if it does not come from a
    /// refresh.
    private(set) var isProven = true
    private(set) var isRefreshing = false
    private var waiting: [OperationID] = []

    init(canRefresh: Bool) {
        self.canRefresh = canRefresh
    }

    /// Decides what follows a refused attempt.
    ///
    /// - Parameters:
    ///   - launched: The count when it was launched.
    ///   - wasNew: Whether the credential was new then. It may have expired since, in a queue of
    ///     the transport.
    ///   - refusals: How often this operation has been refused, including this time.
    mutating func refused(
        _ id: OperationID, launched: Count, wasNew: Bool, refusals: Int, at now: Duration
    ) -> Answer {
        let isNew = wasNew && (!isProven || isNew(at: now))
        let most = isNew ? Self.maximumRefusalsOfNew : Self.maximumRefusals
        guard canRefresh, refusals < most else { return .fail }
        guard launched.successes == count.successes else { return .repeatAtOnce }
        if isUnavailable(for: launched, at: now) { return .notRefreshed }
        return .wait(isFirst: wait(id))
    }

    /// Whether it is known that no new credential is available for an attempt, so that no refresh
    /// starts.
    ///
    /// - Parameter launched: The count when it was launched.
    func isUnavailable(for launched: Count, at now: Duration) -> Bool {
        launched.successes == count.successes
            && (isPaused(at: now) || hasFailed(since: launched, at: now))
    }

    /// Whether the last refresh has failed since then, and its failure still counts now.
    func hasFailed(since launched: Count, at now: Duration) -> Bool {
        guard !isRefreshing, launched.successes == count.successes,
            launched.failures != count.failures, let lastFailure
        else { return false }
        return isPaused(at: now) || now - lastFailure < Self.failurePeriod
    }

    /// Records that the store holds a newer credential that this engine did not refresh. A pause of
    /// the token server stays in effect.
    mutating func noteNewer(at now: Duration) {
        guard !isRefreshing else { return }
        count.successes += 1
        lastSuccess = now
        isProven = false
    }

    /// Whether the token server has asked for a pause.
    private func isPaused(at now: Duration) -> Bool {
        !isRefreshing && pauseEnd.map { now < $0 } == true
    }

    /// Makes an operation wait for the current refresh.
    ///
    /// - Returns: Whether a refresh has to be started.
    @discardableResult
    mutating func wait(_ id: OperationID) -> Bool {
        waiting.append(id)
        defer { isRefreshing = true }
        return !isRefreshing
    }

    /// Records that an attempt has succeeded with its credential.
    ///
    /// - Parameter launched: The count when it was launched.
    mutating func accepted(launched: Count) {
        if launched.successes == count.successes { isProven = true }
    }

    /// Whether the credential has just been obtained.
    func isNew(at now: Duration) -> Bool {
        lastSuccess.map { now - $0 < Self.newnessPeriod } ?? false
    }

    /// Begins a refresh on behalf of later operations.
    ///
    /// - Parameter launched: The count when the refused attempt was launched.
    /// - Returns: Whether a refresh has to be started.
    mutating func renew(launched: Count) -> Bool {
        guard canRefresh, !isRefreshing, launched == count else { return false }
        isRefreshing = true
        return true
    }

    /// Ends the refresh. Returns the waiting operations in order; some may have ended already.
    ///
    /// - Parameter pause: How long no further refresh may start; nil if no pause was requested.
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

    /// Discards the current refresh, whose result is no longer useful and says nothing about the
    /// next one.
    ///
    /// - Returns: The operations that waited for it.
    mutating func abandon() -> [OperationID] {
        pauseEnd = nil
        isRefreshing = false
        defer { waiting = [] }
        return waiting
    }
}
