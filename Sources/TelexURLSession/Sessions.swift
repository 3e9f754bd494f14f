import Foundation
import HTTPTypes
import TelexJSON
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of a transport, each created when it is first needed.
final class Sessions: Sendable {
    private let configure: URLSessionTransport.Configure
    private let background: BackgroundTransfers
    private let system: BackgroundSystem?
    private let trust: TrustRule?
    private let sessions: Lock<[TransportSession: Session]> = Lock([:])
    private let backgroundSessions: Lock<[TransportSession: BackgroundSession]> = Lock([:])
    /// The lines of exchanges that need a new connection each.
    private let lines: Lock<[TransportSession: ConnectionQueue]> = Lock([:])

    init(
        background: BackgroundTransfers, system: BackgroundSystem?, trust: TrustRule?,
        configure: @escaping URLSessionTransport.Configure
    ) {
        self.background = background
        self.system = system
        self.trust = trust
        self.configure = configure
    }

    func session(for request: TransportRequest) -> Session {
        #if canImport(FoundationNetworking)
            if request.needsNewConnection { return singleUseSession(for: request) }
        #endif
        return existing(request.session)
    }

    private func singleUseSession(for request: TransportRequest) -> Session {
        let configuration = configuration(of: request.session)
        let line = lines.withLock { lines in
            let limit = configuration.httpMaximumConnectionsPerHost
            let line = lines[request.session] ?? ConnectionQueue(perOrigin: limit)
            lines[request.session] = line
            return line
        }
        return Session(configuration, trust: trust, place: line.place(for: Origin(request.head)))
    }

    private func configuration(of session: TransportSession) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.prepare(for: session, configure)
        return configuration
    }

    /// Returns the session of a request whose transfer the system performs; nil for all other
    /// requests.
    func background(for request: TransportRequest) -> BackgroundSession? {
        guard let system, request.session.isBackground, !request.session.isEphemeral,
            request.head.method != .head
        else { return nil }
        return existing(request.session, system)
    }

    /// Returns the background session with a system identifier; nil if it is not one of this
    /// transport.
    func background(identifiedBy identifier: String) -> BackgroundSession? {
        guard let system, let session = background.session(identifiedBy: identifier) else {
            return nil
        }
        return existing(session, system)
    }

    /// Returns the background sessions that this process or an earlier one has used.
    func allBackground() -> [BackgroundSession] {
        guard let system else { return [] }
        let path = background.folder.path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            if let session = background.session(inFolder: name) { _ = existing(session, system) }
        }
        return backgroundSessions.withLock { Array($0.values) }
    }

    /// Created under the lock, because the system does not allow two sessions with one identifier.
    /// The caller's `configure` runs before that, outside the lock.
    private func existing(_ key: TransportSession, _ system: BackgroundSystem) -> BackgroundSession
    {
        if let session = backgroundSessions.withLock({ $0[key] }) { return session }
        let configuration = system.configuration(background.identifier(of: key))
        configuration.prepare(for: key, configure)
        return backgroundSessions.withLock { sessions in
            if let session = sessions[key] { return session }
            let new = BackgroundSession(
                key, settings: background, system: system, trust: trust,
                configuration: configuration)
            sessions[key] = new
            return new
        }
    }

    /// Invalidates the sessions after the exchanges in progress have ended.
    func finish() {
        for session in sessions.withLock({ Array($0.values) }) { session.finish() }
    }

    /// The caller's `configure` must not run under the lock, so two tasks may create the session at
    /// once. The surplus one is invalidated.
    private func existing(_ key: TransportSession) -> Session {
        if let session = sessions.withLock({ $0[key] }) { return session }
        let new = Session(configuration(of: key), trust: trust)
        let kept = sessions.withLock { sessions in
            let kept = sessions[key] ?? new
            sessions[key] = kept
            return kept
        }
        if kept !== new { new.finish() }
        return kept
    }
}

/// A `URLSession` and its exchanges in progress.
final class Session: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate
    private let queue = DelegateQueue()
    #if canImport(FoundationNetworking)
        private let cancellations = DispatchQueue(label: "telex.cancellations")
    #endif
    private let slots: Lock<ConnectionSlots>
    private let place: ConnectionQueue.Place?

    /// - Parameter place: The place of the only exchange, after which the session is invalidated;
    ///   nil for a session with many exchanges.
    init(
        _ configuration: URLSessionConfiguration, trust: TrustRule?,
        place: ConnectionQueue.Place? = nil
    ) {
        delegate = SessionDelegate(trust)
        self.place = place
        slots = Lock(ConnectionSlots(perOrigin: configuration.httpMaximumConnectionsPerHost))
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Runs `work`, which starts an exchange, now or when a connection may be available.
    func begin(_ work: @escaping @Sendable () -> Void) {
        if let place { place.take(work) } else { work() }
    }

    /// Creates a suspended task, and registers `exchange` for its events.
    func makeTask(
        _ request: URLRequest, upload: Upload, for exchange: SessionExchange
    ) -> URLSessionTask {
        let task =
            switch upload.content {
            case .none: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url, let length):
                session.makeUploadTask(request, fromFile: url, length: length)
            }
        delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
        if slots.withLock({ $0.join(task.taskIdentifier, to: exchange.origin) }) {
            exchange.connect()
        }
        if place != nil { finish() }
        return task
    }

    /// Releases the session and the place of an exchange that needs no task.
    func releaseWithoutTask() {
        guard let place else { return }
        finish()
        place.leave()
    }

    /// Unregisters the ended task of `exchange`, and passes its connection on to the next exchange.
    func forget(_ task: URLSessionTask, of exchange: SessionExchange) {
        let identifier = task.taskIdentifier
        delegate.exchanges.withLock { _ = $0.removeValue(forKey: identifier) }
        // Only libcurl, below corelibs-foundation, serves some tasks out of order.
        #if canImport(FoundationNetworking)
            let wasServed = exchange.hasActivity
        #else
            let wasServed = false
        #endif
        let next = slots.withLock {
            $0.leave(identifier, to: exchange.origin, wasServed: wasServed)
        }
        if let next { delegate.exchanges.withLock({ $0[next] })?.connect() }
        place?.leave()
    }

    /// Runs `work` on the delegate's serial queue.
    func onDelegateQueue(_ work: @escaping @Sendable () -> Void) {
        queue.addOperation(BlockOperation(block: work))
    }

    /// Cancels a task that was forgotten on the delegate's queue.
    func cancel(_ task: URLSessionTask) {
        #if canImport(FoundationNetworking)
            ExchangeStarter.cancel(task, on: cancellations)
        #else
            task.cancel()
        #endif
    }

    func finish() { session.finishTasksAndInvalidate() }
}

extension URLSessionConfiguration {
    /// Disables storage and Foundation's time-outs before `configure` runs, which may enable them.
    /// An ephemeral session stores nothing in any case. The connection limit of `rules` takes
    /// precedence.
    func prepare(for rules: TransportSession, _ configure: URLSessionTransport.Configure) {
        storeNothing()
        timeoutIntervalForRequest = URLRequest.neverTimesOut
        timeoutIntervalForResource = URLRequest.neverTimesOut
        configure(self, rules)
        if rules.isEphemeral { storeNothing() }
        if let limit = rules.connectionsPerHost { httpMaximumConnectionsPerHost = limit }
    }

    private func storeNothing() {
        httpCookieStorage = nil
        httpCookieAcceptPolicy = .never
        httpShouldSetCookies = false
        urlCache = nil
        urlCredentialStorage = nil
    }
}

extension URLSession {
    /// Creates a task that sends a file.
    ///
    /// An upload task of corelibs-foundation traps if it is cancelled while it waits for bytes of
    /// its file. A stream is read without waiting, but sent in chunks. libcurl sends no chunks if
    /// the field that would announce them is blank, and then takes the length from the request.
    fileprivate func makeUploadTask(
        _ request: URLRequest, fromFile file: URL, length: Int
    ) -> URLSessionTask {
        #if canImport(FoundationNetworking)
            guard let stream = FileStream(file, length: length) else {
                return uploadTask(with: request, fromFile: file)
            }
            var request = request
            request.httpBodyStream = stream
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
            return dataTask(with: request)
        #else
            return uploadTask(with: request, fromFile: file)
        #endif
    }
}

#if canImport(FoundationNetworking)
    extension TransportRequest {
        /// Whether the request must not use a kept connection. libcurl, below corelibs-foundation,
        /// sends a request again when a reused connection ends without a reply. With a body, that
        /// is detected only after the head is sent again, when the body is requested; without one,
        /// never. So a request that is not idempotent (RFC 9110, 9.2.2) and has no idempotency key
        /// needs a new connection.
        fileprivate var needsNewConnection: Bool { !mayBeSentTwice }
    }
#endif
