import HTTPTypes
import Synchronization

/// What an attempt knows of its operation, and leaves behind.
final class AttemptContext: Sendable {
    let number: Int
    /// When it began.
    let start: Duration
    let kept: AttemptRecord
    /// Makes the attempt. Here, because every frame of a call on its way costs memory.
    let work: OperationHandle.Work
    let handle: OperationHandle

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

    /// Remembers the reply, as far as it is known.
    func noteReply(_ head: HTTPResponse, _ body: [UInt8]) {
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

    /// Remembers where the last request is to go, and what it shows.
    func noteRequest(_ hop: Exchange.Hop, showing credential: Credential?, token showsToken: Bool) {
        kept.update { record in
            record.hop = hop
            record.wasSent = false
            record.showsCredential = credential != nil
            if let credential { record.credential = credential }
            record.showsToken = showsToken
        }
    }

    /// Remembers where the last request really went.
    ///
    /// - Returns: Whether it was sent before.
    func noteSending(_ hop: Exchange.Hop) -> Bool {
        kept.update { record in
            record.hop = hop
            defer { record.wasSent = true }
            return record.wasSent
        }
    }

    /// Remembers whether there was a reply to the last request.
    func noteAnswer(_ wasAnswered: Bool) { kept.update { $0.wasAnswered = wasAnswered } }

    /// Remembers why the network may be to blame for the failure of the attempt; nil if it is not.
    func suspect(_ diagnosisRequest: DiagnosisRequest?) {
        kept.update { $0.diagnosisRequest = diagnosisRequest }
    }

    /// Remembers which credential is no longer good.
    func refuse(_ credential: Credential?) {
        kept.update { record in
            record.credential = credential
            record.isRefused = true
        }
    }

    /// What earlier attempts have shown, and a server may repeat.
    var earlierCredentials: [Credential] {
        number == 1 ? [] : handle.live.withLock { $0.coldState?.earlierCredentials ?? [] }
    }

    /// Whether the attempt may show a credential, after those that earlier ones have shown.
    func mayShow(_ credential: Credential) -> Bool {
        guard let last = earlierCredentials.last else { return true }
        return handle.engine.mayGoOn(with: credential, after: last)
    }

    /// Whether the attempt must not show a credential that there was no other for a moment ago.
    func isBarred(from credential: Credential) -> Bool {
        handle.engine.isBarred(operation, from: credential)
    }

    /// Cancels the task if the attempt has been stopped; to be asked before anything is sent.
    func heedStop() { handle.heedStop(attempt: number) }

    /// Nobody calls the host of the last request for so long, if it is the operation's own and none
    /// that a redirect or an interceptor led to.
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
    var privilegedTask: PrivilegedTask? { handle.engine.privilegedTask }

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
