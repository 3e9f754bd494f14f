import HTTPTypes
import Synchronization

/// One try of an operation.
public struct OperationAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// When it began, since the operation was started.
    public let start: Duration
    /// How long it took.
    public let duration: Duration
    /// The status of its reply, if one came.
    public let status: Int?
    /// Why it failed; nil if it did not.
    public let error: (any Error)?
}

/// How an attempt ended.
enum AttemptEnd: Sendable {
    case success(AnyProduct)
    /// Behind a reference, since it is large, and rare.
    indirect case failure(any Error, AttemptFailure)

    /// It was stopped, and nobody asks for its outcome.
    static var stopped: AttemptEnd {
        .failure(CancellationError(), AttemptFailure(.none, "it was stopped"))
    }
}

/// What is worth keeping of an attempt.
final class AttemptRecord: Sendable {
    struct Contents: Sendable {
        var head: HTTPResponse?
        var body: [UInt8] = []
        /// The last request.
        var hop: Exchange.Hop?
        /// Whether it showed the credential.
        var showsCredential = false
        /// Whether it had the token in it.
        var showsToken = false
        /// The credential that it has shown or was about to show, if any.
        var credential: Credential?
        /// Whether that was refused.
        var isRefused = false
        /// How long the operation waited before the attempt, until an exchange has counted it.
        var queued = Duration.zero
        /// Whether there was a reply to the last request.
        var wasAnswered = false
        /// How far the attempt is, as the engine knows it.
        var standing = AttemptStanding()
    }

    private let state: Mutex<Contents>

    init(queued: Duration) {
        state = Mutex(Contents(queued: queued))
    }

    var contents: Contents { state.withLock { $0 } }

    func update<Result>(_ change: (inout sending Contents) -> sending Result) -> sending Result {
        state.withLock { change(&$0) }
    }
}

/// What an attempt knows of its operation, and leaves behind.
final class AttemptContext: Sendable {
    let number: Int
    /// When it began.
    let start: Duration
    let kept: AttemptRecord
    /// Makes the attempt. Here, because every frame of a call on its way costs memory.
    let work: OperationHandle.Work
    private let handle: OperationHandle

    init(
        _ number: Int, _ handle: OperationHandle,
        _ work: @escaping OperationHandle.Work = { _ in .stopped }, start: Duration,
        queued: Duration = .zero
    ) {
        self.number = number
        self.work = work
        self.start = start
        self.handle = handle
        kept = AttemptRecord(queued: queued)
    }

    var record: AttemptRecord.Contents { kept.contents }

    func keep(_ head: HTTPResponse, _ body: [UInt8]) {
        kept.update { record in
            record.head = head
            record.body = body
        }
    }

    /// How long the operation waited before the first exchange of the attempt; none before others.
    func takeQueued() -> Duration {
        kept.update { record in
            defer { record.queued = .zero }
            return record.queued
        }
    }

    /// Remembers where the last request went, and what it showed.
    func keep(_ hop: Exchange.Hop, showing credential: Credential?, token showsToken: Bool) {
        kept.update { record in
            record.hop = hop
            record.showsCredential = credential != nil
            if let credential { record.credential = credential }
            record.showsToken = showsToken
        }
    }

    /// Remembers whether there was a reply to the last request.
    func keep(wasAnswered: Bool) { kept.update { $0.wasAnswered = wasAnswered } }

    /// Remembers which credential is no longer good.
    func refuse(_ credential: Credential?) {
        kept.update { record in
            record.credential = credential
            record.isRefused = true
        }
    }

    /// What earlier attempts have shown, and a server may repeat.
    var earlierCredentials: [Credential] {
        number == 1 ? [] : handle.live.withLock { $0.rare?.earlierCredentials ?? [] }
    }

    /// Whether the attempt is held.
    var isHeld: Bool { handle.isHeld }

    /// Returns once the attempt is not held; to be asked before each piece of work.
    @inline(__always)
    nonisolated(nonsending) func passGate() async throws(CancellationError) {
        // Few are held, and to ask is much cheaper than to wait for no time.
        if handle.isHeld { try await handle.passGate() }
    }

    /// The same before a request is sent, which waits for rates and hosts as soon as it may go.
    @inline(__always)
    nonisolated(nonsending) func passGateToSend() async throws(CancellationError) {
        if handle.isHeld { try await waitToSend() }
    }

    nonisolated(nonsending) private func waitToSend() async throws(CancellationError) {
        keep(asksAgain: true)
        try await handle.passGate()
        keep(asksAgain: false)
    }

    /// Cancels the task if the attempt has been stopped; to be asked before anything is sent.
    func heedStop() { handle.heedStop(attempt: number) }

    /// Tells the engine how far the attempt is, if it does not know.
    ///
    /// - Returns: Whether the engine said that it has given the attempt up.
    @discardableResult
    func keep(_ standing: AttemptStanding) -> Bool {
        let isKnown = kept.update { record in
            defer { record.standing = standing }
            return record.standing == standing
        }
        return !isKnown && !handle.keep(standing, attempt: number)
    }

    /// Whether another attempt will follow if this one fails so.
    func wouldRepeat(_ failure: AttemptFailure) -> Bool {
        handle.engine.wouldRepeat(handle.id, failure)
    }

    /// Tells the engine that another request is sent than the first.
    func sendsAnother() { handle.sends(attempt: number) }

    /// Returns once another request may be sent, which rates and hosts have a say in.
    func waitToAskAgain() async throws(CancellationError) {
        keep(asksAgain: true)
        handle.asks(attempt: number)
        try await handle.passGate()
        keep(asksAgain: false)
    }

    /// Tells the engine whether a request is sent when the attempt, which is held, goes on.
    private func keep(asksAgain: Bool) {
        var standing = record.standing
        standing.asksAgain = asksAgain
        standing.isUnsent = asksAgain && record.hop == nil
        keep(standing)
    }

    /// Remembers that the next attempt will not begin at the beginning.
    func cameForward() { keep(AttemptStanding(hasProgress: true)) }

    /// Returns once the attempt has been stopped, which its being given up leads to.
    func stopped() async {
        let (never, source) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        source.finish()
    }

    /// Nobody calls the host of the last request for so long, if it is the operation's own and none
    /// that a redirect led to.
    func pauseHost(_ time: Duration) {
        guard let host = record.hop?.address.authority else { return }
        handle.pauseHost(host, time, attempt: number)
    }

    /// The same as a mere advice; nil if the host has none any more.
    func adviseHost(_ time: Duration?) {
        guard let host = record.hop?.address.authority else { return }
        handle.adviseHost(host, time, attempt: number)
    }

    /// Gives an element of a stream to whoever reads it; waits until there is room.
    func handOut(_ element: AnyProduct) async throws(CancellationError) {
        try await handle.handOut(element)
    }

    /// What it is a part of, if it is an errand.
    var errand: Errand? { handle.engine.errand }

    /// The attempt waits for a request with others; no matter, if it has been stopped.
    func setShared(_ operation: OperationHandle) {
        handle.live.withLock { live in
            if !live.hasStopped(number) { live.needRare().shared = operation }
        }
    }

    /// Has a closure asked what runs inside of the operation, which is a group.
    func setMembers(_ members: @escaping @Sendable () -> [OperationHandle]) {
        handle.live.withLock { $0.needRare().members = members }
    }

    /// Has a closure asked how far the operation is, which is a group, when somebody begins to follow
    /// it; nil if that is known.
    func setUntold(_ untold: @escaping @Sendable () -> OperationProgress?) {
        handle.live.withLock { $0.needRare().untold = untold }
    }

    /// - Throws: `.circle` if another operation waits for the end of this one, or of one that this runs
    ///   in, or runs it.
    func checkCircle(_ operation: OperationHandle) throws(OperationError) {
        let around = handle.enclosing
        let isCircle = operation.tree.contains { member in
            around.contains(member.id)
                || member.facts.prerequisites?.ids.contains(where: around.contains) == true
        }
        if isCircle { throw .circle(operation, in: handle) }
    }

    /// The operation, which is a group, runs this one from now on, or no longer does.
    func setRuns(_ isRun: Bool, _ operation: OperationHandle) {
        // Only what runs others needs to know what it runs in.
        guard operation.facts.kind == nil else { return }
        operation.live.withLock { live in
            let rare = live.needRare()
            rare.groups.removeAll { $0 === handle }
            if isRun { rare.groups.append(handle) }
        }
    }

    /// Remembers of the operation, which is a group, that something in it carries the token, if so.
    func noteToken(of member: OperationHandle) {
        guard member.engine === handle.engine, member.carriesToken else { return }
        handle.live.withLock { $0.needRare().hasCarriedToken = true }
    }

    /// Remembers of the operation, which is a group, whether its body logs out of an engine's API.
    func setLeaving(_ leaves: Bool, _ engine: Engine) {
        guard engine === handle.engine else { return }
        handle.live.withLock { $0.needRare().leaves = leaves }
    }

    /// Has a handler told when the attempt is held, and when it goes on.
    func onHold(_ handler: @escaping @Sendable (Bool) -> Void) {
        handle.onHold(attempt: number, handler)
    }

    /// Has a handler told when the operation has ended.
    func atEnd(_ handler: @escaping @Sendable (OperationState) -> Void) { handle.atEnd(handler) }

    /// Shows how far the attempt is.
    ///
    /// - Parameter step: Of a group, the only step that is different from before; nil if any may be.
    func report(_ progress: OperationProgress, step: Int? = nil) {
        handle.report(progress, step: step)
    }

    /// Whether anybody wants to see how far it is.
    var isFollowed: Bool { handle.isFollowed }

    /// Whether anybody sees how far it is at this moment.
    var isSeen: Bool { handle.isSeen }

    /// Tells what happens, without secrets.
    func emit(_ kind: APIEvent.Kind) {
        handle.emit(kind, attempt: number)
    }

    /// Whether anybody wants to know what happens.
    var isObserved: Bool { handle.isObserved }

    /// How many bytes of bodies somebody wants to see.
    var bodyLimit: Int { handle.bodyLimit }

    /// Whether it is an attempt of what several calls share.
    var isShared: Bool { handle.isShared }

    /// The operation that it is an attempt of.
    var operation: OperationID { handle.id }
}
