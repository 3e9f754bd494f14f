import Foundation
import HTTPTypes
import Synchronization
import TelexRuntime

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its reply, between the delegate's queue, which tells what happens, and the task
/// of the caller, which waits. All decisions are those of `SessionExchangeState`; the lock guards it, and
/// whatever it asks for is done after the lock is released.
final class SessionExchange: Sendable {
    private enum Phase {
        case waiting
        case running(URLSessionTask)
        case over
    }

    let origin: Origin
    private let state: Mutex<SessionExchangeState>
    private let phase = Mutex(Phase.waiting)
    private let awaitsHead = Atomic(true)
    private let session: Session
    private let silence: SilenceWatch
    private let timeout: Duration
    private let onBodySent: (@Sendable (Int) -> Void)?
    private let maximumUnreadBytes: (@Sendable () -> Int?)?
    private let watch: FileWatch?
    private let onEnd: @Sendable () -> Void

    init(
        _ request: TransportRequest, _ upload: Upload, session: Session, silence: SilenceWatch
    ) {
        origin = Origin(request.head)
        watch = upload.watch
        maximumUnreadBytes = request.maximumUnreadBytes
        state = Mutex(
            SessionExchangeState(
                limit: request.maximumReplyBytes, asksForHeadOnly: request.head.method == .head))
        self.session = session
        self.silence = silence
        self.timeout = request.timeout
        self.onBodySent = request.onBodySent
        onEnd = upload.removeTemporaryFile
    }

    /// Begins, perhaps on another thread and a while later.
    ///
    /// - Parameter owner: Who ends the session when it goes, which must not be before.
    func start(_ request: URLRequest, _ upload: Upload, for owner: URLSessionTransport) {
        session.begin { [self] in
            Beginnings.begin { withExtendedLifetime(owner) { self.begin(request, upload) } }
        }
    }

    private func begin(_ request: URLRequest, _ upload: Upload) {
        guard !state.withLock({ $0.hasEnded }) else { return beginNothing() }
        let task = session.makeTask(request, upload, for: self)
        phase.withLock { $0 = .running(task) }
        task.resume()
        silence.add(self)
        // Ended in the meantime? Then there was nothing to stop yet.
        if state.withLock({ $0.hasEnded }) { stop() }
    }

    /// It ended while it waited.
    private func beginNothing() {
        session.makeNoTask()
        onEnd()
        endWaitForHead()
    }

    // MARK: The caller

    func head() async throws(TransportError) -> SessionExchangeState.Head {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in perform { $0.waitForHead(waiter) } }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    func nextChunk() async throws(TransportError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in perform { $0.waitForChunk(waiter) } }
        } onCancel: {
            cancel()
        }
        if state.withLock({ $0.isPaused }) { session.onDelegateQueue { self.pauseOrResume() } }
        return try result.get()
    }

    func cancel() { fail(.cancelled) }

    // MARK: The delegate

    func receive(_ response: URLResponse) {
        if !response.isInterim { endWaitForHead() }
        if let problem = watch?.answered() { return fail(problem) }
        perform { $0.receive(response) }
    }

    func receive(_ data: Data) {
        let bytes = [UInt8](data)
        let limit = unreadLimit
        perform { $0.receive(bytes, unreadLimit: limit) }
        pauseOrResume()
    }

    /// How many bytes may wait for the reader, where the connection cannot be held back.
    private var unreadLimit: Int? {
        #if canImport(FoundationNetworking)
            maximumUnreadBytes?()
        #else
            nil
        #endif
    }

    func sent(_ total: Int) {
        state.withLock { $0.sent() }
        if let problem = watch?.sent(total) { return fail(problem) }
        onBodySent?(total)
    }

    /// There is a connection for it from now on, as far as can be known.
    func connect() { state.withLock { $0.connect() } }

    /// Whether a byte was sent or received that is known.
    var hasSign: Bool { state.withLock { $0.hasSign } }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let problem = watch?.problem { return fail(problem) }
        perform { $0.complete(response, error) }
    }

    func fail(_ error: TransportError) { perform { $0.end(.failure(error)) } }

    // MARK: Doing what the state asks for

    private func perform(_ event: (inout SessionExchangeState) -> SessionExchangeState.Actions) {
        let actions = state.withLock { event(&$0) }
        actions.wake()
        if actions.endsTask { stop() }
    }

    /// Ends what has begun; what has not finds out when it is to begin.
    private func stop() {
        silence.remove(self)
        guard let task = takeTask() else { return }
        // Where redirects are answered, so that none is answered after the end of its task.
        session.onDelegateQueue { [self] in
            session.forget(task, of: self)
            task.cancel()
            endWaitForHead()
        }
        onEnd()
    }

    private func takeTask() -> URLSessionTask? {
        phase.withLock { phase in
            guard case .running(let task) = phase else { return nil }
            phase = .over
            return task
        }
    }

    private func endWaitForHead() {
        if awaitsHead.exchange(false, ordering: .relaxed) { Beginnings.endWait() }
    }

    /// Holds the connection back while the reader is behind. Only on the delegate's queue, so that
    /// `suspend` and `resume` cannot overtake each other. Not with corelibs-foundation, where a
    /// resumed task sends its request a second time.
    private func pauseOrResume() {
        #if !canImport(FoundationNetworking)
            guard let pauses = state.withLock({ $0.changePause() }) else { return }
            guard case .running(let task) = phase.withLock({ $0 }) else { return }
            if pauses { task.suspend() } else { task.resume() }
        #endif
    }

    // MARK: IdleTimeout

    /// How long nothing may yet be heard of it; not more than zero if that has been too long.
    var timeLeft: Duration { state.withLock { $0.timeLeft(of: timeout) } }

    func endInSilence() { fail(watch?.problem ?? .timedOut(after: timeout)) }
}
