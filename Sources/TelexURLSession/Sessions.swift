import Foundation
import HTTPTypes
import Synchronization
import TelexRuntime

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of a transport, each made when it is first needed.
final class Sessions: Sendable {
    private let configure: URLSessionTransport.Configure
    private let background: BackgroundTransfers
    private let system: BackgroundSystem?
    private let trust: TrustRule?
    private let sessions: Mutex<[TransportSession: Session]> = Mutex([:])
    private let backgroundSessions: Mutex<[TransportSession: BackgroundSession]> = Mutex([:])
    /// Those of exchanges that use no connection again.
    private let lines: Mutex<[TransportSession: ConnectionLine]> = Mutex([:])

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
            if request.needsNewConnection { return sessionUsedOnce(for: request) }
        #endif
        return existing(request.session)
    }

    private func sessionUsedOnce(for request: TransportRequest) -> Session {
        let configuration = configuration(of: request.session)
        let line = lines.withLock { lines in
            let limit = configuration.httpMaximumConnectionsPerHost
            let line = lines[request.session] ?? ConnectionLine(perOrigin: limit)
            lines[request.session] = line
            return line
        }
        return Session(configuration, trust, place: line.place(for: Origin(request.head)))
    }

    private func configuration(of session: TransportSession) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.prepare(for: session, configure)
        return configuration
    }

    /// The session of a request whose transfer is the system's; nil for all others.
    func background(for request: TransportRequest) -> BackgroundSession? {
        guard let system, request.session.isBackground, !request.session.isEphemeral,
            request.head.method != .head
        else { return nil }
        return existing(request.session, system)
    }

    /// The background session that the system knows by an identifier; nil if it is not ours.
    func background(identifiedBy identifier: String) -> BackgroundSession? {
        guard let system, let session = background.session(identifiedBy: identifier) else {
            return nil
        }
        return existing(session, system)
    }

    /// The background sessions that have been used, in this process or in one before.
    func allBackground() -> [BackgroundSession] {
        guard let system else { return [] }
        let path = background.folder.path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            if let session = background.session(inFolder: name) { _ = existing(session, system) }
        }
        return backgroundSessions.withLock { Array($0.values) }
    }

    /// Made under the lock, because the system does not bear two sessions with one identifier; what
    /// is the caller's is run before.
    private func existing(_ key: TransportSession, _ system: BackgroundSystem) -> BackgroundSession
    {
        if let session = backgroundSessions.withLock({ $0[key] }) { return session }
        let configuration = system.configuration(background.identifier(of: key))
        configuration.prepare(for: key, configure)
        return backgroundSessions.withLock { sessions in
            if let session = sessions[key] { return session }
            let new = BackgroundSession(key, background, system, trust, configuration)
            sessions[key] = new
            return new
        }
    }

    /// Lets exchanges under way end, then frees the sessions.
    func finish() {
        for session in sessions.withLock({ Array($0.values) }) { session.finish() }
    }

    /// A session made in vain by one of two who need the first at once is freed again: nothing of
    /// the caller's is run under the lock.
    private func existing(_ key: TransportSession) -> Session {
        if let session = sessions.withLock({ $0[key] }) { return session }
        let new = Session(configuration(of: key), trust)
        let kept = sessions.withLock { sessions in
            let kept = sessions[key] ?? new
            sessions[key] = kept
            return kept
        }
        if kept !== new { new.finish() }
        return kept
    }
}

/// A `URLSession` and the exchanges that are under way in it.
final class Session: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate
    private let seats: Mutex<ConnectionSeats>
    private let place: ConnectionLine.Place?

    /// - Parameter place: That of the only exchange, after which the session is freed; nil for a session
    ///   of many.
    init(
        _ configuration: URLSessionConfiguration, _ trust: TrustRule?,
        place: ConnectionLine.Place? = nil
    ) {
        delegate = SessionDelegate(trust)
        self.place = place
        seats = Mutex(ConnectionSeats(perOrigin: configuration.httpMaximumConnectionsPerHost))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Does what begins an exchange, now or when there may be a connection for it.
    func begin(_ work: @escaping @Sendable () -> Void) {
        if let place { place.take(work) } else { work() }
    }

    /// Makes a task that is not running yet; `exchange` is told about it from now on.
    func makeTask(
        _ request: URLRequest, _ upload: Upload, for exchange: SessionExchange
    ) -> URLSessionTask {
        let task =
            switch upload.content {
            case .none: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let url, let length):
                session.makeUploadTask(request, fromFile: url, length)
            }
        delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
        if seats.withLock({ $0.join(task.taskIdentifier, to: exchange.origin) }) {
            exchange.connect()
        }
        if place != nil { finish() }
        return task
    }

    /// There is nothing to make a task for any more.
    func makeNoTask() {
        guard let place else { return }
        finish()
        place.leave()
    }

    /// The task of `exchange` is over, and what it leaves is another's.
    func forget(_ task: URLSessionTask, of exchange: SessionExchange) {
        let identifier = task.taskIdentifier
        delegate.exchanges.withLock { _ = $0.removeValue(forKey: identifier) }
        // Only libcurl, below corelibs-foundation, serves some out of turn.
        #if canImport(FoundationNetworking)
            let wasServed = exchange.hasSign
        #else
            let wasServed = false
        #endif
        let next = seats.withLock {
            $0.leave(identifier, to: exchange.origin, wasServed: wasServed)
        }
        if let next { delegate.exchanges.withLock({ $0[next] })?.connect() }
        place?.leave()
    }

    /// Runs `work` where the delegate is called, one after the other.
    func onDelegateQueue(_ work: @escaping @Sendable () -> Void) {
        session.delegateQueue.addOperation(work)
    }

    func finish() { session.finishTasksAndInvalidate() }
}

extension URLSessionConfiguration {
    /// Nothing is stored, and times are measured by the exchange, unless `configure` asks for it; of
    /// what is ephemeral, nothing is stored whatever it asks for. What `rules` say of connections wins.
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
    /// Makes a task that sends a file.
    ///
    /// That of corelibs-foundation traps if it is cancelled while it waits for bytes of its file. A
    /// stream is read without waiting, but sent in chunks; libcurl does without them if the field that
    /// would announce them is blank, and then takes the length from the request.
    fileprivate func makeUploadTask(
        _ request: URLRequest, fromFile file: URL, _ length: Int
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
        /// libcurl, below corelibs-foundation, sends a request again when a connection that was
        /// used before ends without a reply. With a body it is found out only after the head is sent
        /// again, since then the body has to be asked for; without one, never. So what may not be
        /// done twice (RFC 9110, 9.2.2), and has no key either, must not meet such a connection.
        fileprivate var needsNewConnection: Bool {
            let mayBeDoneTwice: [HTTPRequest.Method] = [
                .get, .head, .options, .trace, .put, .delete,
            ]
            return !hasIdempotencyKey && !mayBeDoneTwice.contains(head.method)
        }
    }
#endif
