import HTTPTypes
import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexJSON
import TelexRequests
import TelexScheduling

/// The context of one attempt: its operation, and the record that it leaves.
final class AttemptContext: Sendable {
    let number: Int
    /// When it began.
    let start: Duration
    let kept: AttemptRecord
    /// Makes the attempt. Stored here, because each frame of a call in flight costs memory.
    let work: OperationHandle.Work
    let handle: OperationHandle
    private let ownPrivilegedTask: PrivilegedTask?

    init(
        _ number: Int, of handle: OperationHandle,
        work: @escaping OperationHandle.Work = { _ in .stopped }, start: Duration,
        queued: Duration = .zero, privilegedTask: PrivilegedTask? = nil
    ) {
        ownPrivilegedTask = privilegedTask
        self.number = number
        self.work = work
        self.start = start
        self.handle = handle
        kept = AttemptRecord(queued: queued)
    }

    var record: AttemptRecord.Contents { kept.contents }

    /// Records the reply received so far.
    ///
    /// - Parameters:
    ///   - hop: The request of another operation that it replies to; nil for the last one.
    ///   - source: Where the reply comes from.
    func noteReply(
        _ head: HTTPResponse, _ body: [UInt8], from hop: Hop? = nil,
        source: ReplySource = .network
    ) {
        kept.update { record in
            if let hop { record.hop = hop }
            record.source = source
            record.head = head
            record.body = body
        }
    }

    /// Records what was left out of the value, or of one element of a stream.
    func noteSkipped(_ skipped: SkippedValues, keeping limit: Int) {
        kept.update { $0.skipped.add(skipped, keeping: limit) }
    }

    /// Records violations of which only warnings came.
    func noteWarnings(_ warnings: [Violation], keeping limit: Int) {
        kept.update { record in
            record.warnings += warnings.prefix(max(limit - record.warnings.count, 0))
        }
    }

    /// Returns how long the operation waited before the first exchange of the attempt, and zero
    /// from then on.
    func takeQueued() -> Duration {
        kept.update { record in
            defer { record.queued = .zero }
            return record.queued
        }
    }

    /// Records the destination and the credential of the next request.
    func noteRequest(_ hop: Hop, showing credential: Credential?, token sendsToken: Bool) {
        kept.update { record in
            record.hop = hop
            record.wasSent = false
            record.showsCredential = credential != nil
            if let credential { record.credential = credential }
            record.sendsToken = sendsToken
        }
    }

    /// Records where the last request was actually sent.
    ///
    /// - Returns: Whether it had been sent before.
    func noteSending(_ hop: Hop) -> Bool {
        kept.update { record in
            record.hop = hop
            defer { record.wasSent = true }
            return record.wasSent
        }
    }

    /// Records which header fields interceptors have changed.
    func noteChanged(_ fields: Set<String>) { kept.update { $0.changedFields = fields } }

    /// Records whether the last request was replied to.
    func noteAnswer(_ wasAnswered: Bool) { kept.update { $0.wasAnswered = wasAnswered } }

    /// Records why the network may be to blame for the failure of the attempt; nil if it is not.
    func setDiagnosisRequest(_ diagnosisRequest: DiagnosisRequest?) {
        kept.update { $0.diagnosisRequest = diagnosisRequest }
    }

    /// Records the credential that was used, or was about to be.
    func noteCredential(_ credential: Credential?) { kept.update { $0.credential = credential } }

    /// The credentials of earlier attempts, which a server may repeat in its reply.
    var earlierCredentials: [Credential] {
        number == 1 ? [] : handle.live.withLock { $0.coldState?.earlierCredentials ?? [] }
    }

    /// Whether the attempt may use a credential, given those of earlier attempts.
    func mayUse(_ credential: Credential) -> Bool {
        guard let last = earlierCredentials.last else { return true }
        return handle.engine.mayContinue(with: credential, after: last)
    }

    /// Whether the attempt must not use a credential, because its refresh has just failed.
    func mustNotUse(_ credential: Credential, of scheme: SchemeKey) -> Bool {
        handle.engine.mustNotUse(credential, of: scheme, in: operation)
    }

    /// Whether the redactor of its credentials may be kept for other calls: it is not part of a
    /// log-out, nor stopped by one.
    var mayKeepSecrets: Bool {
        privilegedTask?.revokedCredential == nil
            && !handle.live.withLock { $0.hasStopped(number) }
    }

    /// Cancels the task if the attempt has been stopped; call this before sending anything.
    func cancelTaskIfStopped() { handle.cancelTaskIfStopped(attempt: number) }

    /// Whether the last request went to the operation's own host, rather than to one that a
    /// redirect or an interceptor led to.
    var isAtOwnHost: Bool {
        kept.hop?.address.authority == handle.attributes.scheduling.slot?.host
    }

    /// Pauses the host of the last request, if it is the operation's own host rather than one that
    /// a redirect or an interceptor led to.
    func pauseHost(_ time: Duration) {
        guard let host = kept.hop?.address.authority else { return }
        handle.pauseHost(host, for: time, attempt: number)
    }

    /// Records a pause that the host advises; nil if it revokes the advice.
    func adviseHost(_ time: Duration?) {
        guard let host = kept.hop?.address.authority else { return }
        handle.adviseHost(host, pause: time, attempt: number)
    }

    /// Delivers an element of a stream to its reader; waits for buffer space.
    func deliver(_ element: AnyProduct) async throws(CancellationError) {
        try await handle.deliver(element)
    }

    /// The privileged task that the attempt is part of, if there is one that has not ended.
    var privilegedTask: PrivilegedTask? {
        ownPrivilegedTask.flatMap { $0.isOpen(for: handle.engine) ? $0 : nil }
    }

    /// Registers a handler that is called when the attempt is paused and when it continues.
    func onHold(_ handler: @escaping @Sendable (Bool) -> Void) {
        handle.onHold(attempt: number, handler)
    }

    /// Registers a handler that is called when the operation has ended.
    func atEnd(_ handler: @escaping @Sendable (OperationState) -> Void) { handle.atEnd(handler) }

    /// Reports progress.
    ///
    /// - Parameter step: The only step of a group that changed; nil if any may have changed.
    func report(_ progress: OperationProgress, step: Int? = nil) {
        handle.listeners.report(progress, step: step)
    }

    /// Whether the progress has been requested.
    var hasListener: Bool { handle.listeners.hasTracker }

    /// Whether the progress has a reader at the moment.
    var hasReader: Bool { handle.listeners.hasReader }

    /// Emits an event without secrets.
    func emit(_ kind: APIEvent.Kind) {
        handle.emit(kind, attempt: number)
    }

    /// Whether events have a listener.
    var isObserved: Bool { handle.isObserved }

    /// How many bytes of bodies the listeners request.
    var bodyLimit: Int { handle.bodyLimit }

    /// Whether it is an attempt of a shared request.
    var isShared: Bool { handle.isShared }

    /// The operation of the attempt.
    var operation: OperationID { handle.id }
}

extension AttemptContext: ExchangeReporter {}
