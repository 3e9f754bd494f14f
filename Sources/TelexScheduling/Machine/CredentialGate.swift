/// Ensures that only one refresh of a scheme's token runs at a time, and keeps the operations that
/// wait for it in order.
///
/// The ends of refreshes are numbered, for all schemes together. An attempt launched before a
/// successful refresh only has to be repeated. An attempt launched before a refresh that failed a
/// moment ago shares its failure. So a thousand calls with one expired token cause one refresh.
/// While the token server asks for a pause, all operations that need a new token share the failure.
struct CredentialGate: Sendable {
    /// What to do with an operation whose token was refused.
    enum Answer: Equatable, Sendable {
        /// Repeat at once: there is a newer token already.
        case repeatAtOnce
        /// Wait. `isFirst` is whether a refresh has to be started.
        case wait(isFirst: Bool)
        /// Fail: the new token was refused too.
        case fail
        /// Fail: there is no new token.
        case notRefreshed
    }

    /// The last launch of an operation.
    struct Launch: Sendable {
        /// The number of the last refresh that had ended.
        var lastEnd: UInt32
        var moment: Duration
    }

    /// How often an operation without progress may be refused if the last token was new, because
    /// another new one would be refused too.
    static let maximumRefusalsOfNew = 2
    /// How often it may be refused in total. A token that expired while the operation waited for a
    /// turn or a connection proves nothing about the next one, but the repetition must end.
    static let maximumRefusals = 8
    /// How long a token counts as new.
    static let newnessPeriod = Duration.seconds(1)
    /// How long the failure of a refresh also counts for later refusals; after that, a log-in may
    /// have helped.
    static let failurePeriod = Duration.seconds(5)

    let scheme: SchemeKey
    let canRefresh: Bool
    /// The number of the current refresh; nil if there is none.
    private(set) var refresh: Int?
    /// The numbers of the last ends of both kinds, and when they were.
    private var success: (number: UInt32, moment: Duration)?
    private var failure: (number: UInt32, moment: Duration)?
    /// Until when no refresh starts, because the token server asked for a pause.
    private(set) var pauseEnd: Duration?
    /// Whether a server has accepted the current token; true if it does not come from a refresh.
    private(set) var isProven = true
    private var waiting: [OperationID] = []

    init(_ scheme: SchemeKey, canRefresh: Bool) {
        self.scheme = scheme
        self.canRefresh = canRefresh
    }

    var isRefreshing: Bool { refresh != nil }

    /// Decides what follows a refused attempt.
    ///
    /// - Parameters:
    ///   - launch: The launch of the attempt. A token that was new then may have expired since, in
    ///     a queue of the transport.
    ///   - refusals: How often this operation has been refused, including this time.
    mutating func refused(
        _ id: OperationID, launch: Launch, refusals: Int, at now: Duration
    ) -> Answer {
        let hasNewer = hasSucceeded(since: launch.lastEnd)
        let isNew =
            !hasNewer && isNew(at: launch.moment) && (!isProven || isNew(at: now))
        let most = isNew ? Self.maximumRefusalsOfNew : Self.maximumRefusals
        guard canRefresh, refusals < most else { return .fail }
        if hasNewer { return .repeatAtOnce }
        if isUnavailable(since: launch.lastEnd, at: now) { return .notRefreshed }
        wait(id)
        return .wait(isFirst: !isRefreshing)
    }

    /// Whether it is known that no new token is available for an attempt, so that no refresh
    /// starts.
    ///
    /// - Parameter end: The last end before it was launched.
    func isUnavailable(since end: UInt32, at now: Duration) -> Bool {
        !hasSucceeded(since: end) && (isPaused(at: now) || hasFailed(since: end, at: now))
    }

    /// Whether the last refresh has failed since then, and its failure still counts now.
    func hasFailed(since end: UInt32, at now: Duration) -> Bool {
        guard !isRefreshing, !hasSucceeded(since: end), let failure, failure.number > end
        else { return false }
        return isPaused(at: now) || now - failure.moment < Self.failurePeriod
    }

    /// Whether a refresh has ended since then.
    func hasEnded(since end: UInt32) -> Bool {
        hasSucceeded(since: end) || failure.map { $0.number > end } == true
    }

    private func hasSucceeded(since end: UInt32) -> Bool {
        success.map { $0.number > end } == true
    }

    /// Whether the token server has asked for a pause.
    private func isPaused(at now: Duration) -> Bool {
        !isRefreshing && pauseEnd.map { now < $0 } == true
    }

    /// Whether the token has just been obtained.
    private func isNew(at now: Duration) -> Bool {
        success.map { now - $0.moment < Self.newnessPeriod } ?? false
    }

    /// Makes an operation wait for the refresh.
    mutating func wait(_ id: OperationID) { waiting.append(id) }

    /// Begins a refresh.
    mutating func begin(_ number: Int) { refresh = number }

    /// Records that an attempt has succeeded with its token.
    ///
    /// - Parameter end: The last end before it was launched.
    mutating func accepted(since end: UInt32) {
        if !hasSucceeded(since: end) { isProven = true }
    }

    /// Records that the store holds a newer token that this engine did not refresh. A pause of the
    /// token server stays in effect.
    mutating func noteNewer(as end: UInt32, at now: Duration) {
        guard !isRefreshing else { return }
        success = (end, now)
        isProven = false
    }

    /// Ends the refresh. Returns the waiting operations in order; some may have ended already.
    ///
    /// - Parameter pause: How long no further refresh may start; nil if no pause was requested.
    mutating func finish(
        succeeded: Bool, pause: Duration?, as end: UInt32, at now: Duration
    ) -> [OperationID] {
        pauseEnd = pause.map { now.later(by: $0) }
        if succeeded {
            success = (end, now)
            isProven = false
        } else {
            failure = (end, now)
        }
        return release()
    }

    /// Discards the current refresh, whose result is no longer useful and says nothing about the
    /// next one.
    ///
    /// - Returns: The operations that waited for it.
    mutating func abandon() -> [OperationID] {
        pauseEnd = nil
        return release()
    }

    private mutating func release() -> [OperationID] {
        refresh = nil
        defer { waiting = [] }
        return waiting
    }
}
