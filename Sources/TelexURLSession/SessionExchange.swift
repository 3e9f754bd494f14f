import Foundation
import HTTPTypes
import TelexJSON
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its reply. The delegate's queue reports events, and the caller's task awaits the
/// results. `SessionExchangeState` makes all decisions; a lock guards it, and the actions that it
/// returns are performed after the lock is released.
final class SessionExchange: Sendable {
    private enum Phase {
        case waiting
        case running(URLSessionTask)
        case over
    }

    let origin: Origin
    private let state: Lock<SessionExchangeState>
    private let phase = Lock(Phase.waiting)
    private let awaitsHead = Lock(true)
    private let session: Session
    private let idleTimeouts: IdleTimeoutMonitor
    private let timeout: Duration
    private let onBodySent: (@Sendable (Int) -> Void)?
    private let maximumUnreadBytes: (@Sendable () -> Int?)?
    private let watch: FileWatch?
    private let onEnd: @Sendable () -> Void

    init(
        _ request: TransportRequest, upload: Upload, session: Session,
        idleTimeouts: IdleTimeoutMonitor
    ) {
        origin = Origin(request.head)
        watch = upload.watch
        maximumUnreadBytes = request.maximumUnreadBytes
        state = Lock(
            SessionExchangeState(
                limit: request.maximumReplyBytes, asksForHeadOnly: request.head.method == .head))
        self.session = session
        self.idleTimeouts = idleTimeouts
        self.timeout = request.timeout
        self.onBodySent = request.onBodySent
        onEnd = upload.removeTemporaryFile
    }

    /// Starts the exchange, perhaps later and on another thread.
    ///
    /// - Parameter owner: The transport, which is kept alive until then because its `deinit` ends
    ///   the session.
    func start(_ request: URLRequest, upload: Upload, for owner: URLSessionTransport) {
        session.begin { [self] in
            ExchangeStarter.begin { withExtendedLifetime(owner) { self.begin(request, upload) } }
        }
    }

    private func begin(_ request: URLRequest, _ upload: Upload) {
        guard !state.withLock({ $0.hasEnded }) else { return cleanUpUnstarted() }
        let task = session.makeTask(request, upload: upload, for: self)
        phase.withLock { $0 = .running(task) }
        task.resume()
        idleTimeouts.add(self)
        // If the exchange ended in the meantime, `stop` did not find the task.
        if state.withLock({ $0.hasEnded }) { stop() }
    }

    /// Cleans up after an exchange that ended before it started.
    private func cleanUpUnstarted() {
        session.releaseWithoutTask()
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
        #if canImport(FoundationNetworking)
            let limit = maximumUnreadBytes?()
            perform { $0.receive(bytes, unreadLimit: limit ?? Self.maximumUnreadBytes) }
            let isBehind = state.withLock { $0.isBehind(by: Self.slowUnreadBytes) }
            if limit == nil, isBehind { Thread.sleep(forTimeInterval: 0.01) }
        #else
            perform { $0.receive(bytes) }
            pauseOrResume()
        #endif
    }

    #if canImport(FoundationNetworking)
        /// The number of unread bytes from which on each piece of up to 16 KiB waits on the
        /// delegate's queue, because libcurl cannot be paused: 4 MiB. All exchanges of the session
        /// wait then, so it is more than a reader leaves that is only slower than the server.
        private static let slowUnreadBytes = 4_194_304
        /// The number of unread bytes at which the connection is closed: 64 MiB. Only a reader that
        /// takes less than 1.6 MB/s for half a minute gets there.
        private static let maximumUnreadBytes = 67_108_864
    #endif

    func sent(_ total: Int) {
        state.withLock { $0.sent() }
        if let problem = watch?.sent(total) { return fail(problem) }
        onBodySent?(total)
    }

    /// Records that the exchange presumably has a connection from now on.
    func connect() { state.withLock { $0.connect() } }

    /// Whether a byte is known to have been sent or received.
    var hasActivity: Bool { state.withLock { $0.hasActivity } }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let problem = watch?.problem { return fail(problem) }
        perform { $0.complete(response, error) }
    }

    func fail(_ error: TransportError) { perform { $0.end(.failure(error)) } }

    // MARK: Performing actions

    private func perform(_ event: (inout SessionExchangeState) -> SessionExchangeState.Actions) {
        let actions = state.withLock { event(&$0) }
        actions.wake()
        if actions.endsTask { stop() }
    }

    /// Ends the task, if there is one. An exchange that has not started checks `hasEnded` when it
    /// starts.
    private func stop() {
        idleTimeouts.remove(self)
        guard let task = takeTask() else { return }
        // Runs on the queue that answers redirects, so that none is answered after its task has
        // ended.
        session.onDelegateQueue { [self] in
            session.forget(task, of: self)
            session.cancel(task)
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
        let awaited = awaitsHead.withLock { awaits in
            defer { awaits = false }
            return awaits
        }
        if awaited { ExchangeStarter.endWait() }
    }

    /// Applies back-pressure while the reader is behind. Runs only on the delegate's queue, so that
    /// `suspend` and `resume` stay in order. Not with corelibs-foundation, where a resumed task
    /// sends its request a second time.
    private func pauseOrResume() {
        #if !canImport(FoundationNetworking)
            guard let pauses = state.withLock({ $0.changePause() }) else { return }
            guard case .running(let task) = phase.withLock({ $0 }) else { return }
            if pauses { task.suspend() } else { task.resume() }
        #endif
    }

    // MARK: Idle time-out

    /// The time left until the idle time-out; zero or less if it has passed.
    var timeLeft: Duration { state.withLock { $0.timeLeft(of: timeout) } }

    func failForIdleTimeout() { fail(watch?.problem ?? .timedOut(after: timeout)) }
}
