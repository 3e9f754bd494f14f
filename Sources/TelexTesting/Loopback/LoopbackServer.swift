import Foundation
import TelexJSON

/// An HTTP/1.1 server for tests, on 127.0.0.1 unless its settings say otherwise. It sends exactly
/// what a `LoopbackReply` describes and does not check it, so it can send half a head, a wrong
/// length, or a reset after 1000 bytes.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/me" ? .text("hello") : .bytes(status: 404)
/// }
/// defer { server.stop() }
/// let authority = server.authority    // 127.0.0.1:40123
/// ```
///
/// `Fault.catalogue` contains common failures; `try LoopbackServer(.resetInBody(after: 4))` starts
/// a server with one of them. Behaviours keep state across requests: `FileOnServer` (ranges),
/// `TokenService` (tokens that expire), `RateLimiter` and `UploadReceiver`. Their handlers can be
/// combined:
///
/// ```swift
/// let (file, tokens) = (FileOnServer(bytes, entityTag: "\"1\""), TokenService())
/// let films = tokens.protecting(file.answer)
/// let server = try LoopbackServer { request in
///     request.path == "/token" ? tokens.refresh(request) : films(request)
/// }
/// file.cutNextReply(after: 1000)      // resets one connection
/// tokens.expireAccessTokens()         // and the token has expired
/// ```
///
/// A handler also works without a socket, with `InMemoryTransport(serving:)`. Tests need no real
/// waits: a `Gate` decides when a reply continues, a `VirtualClock` sets the time, and
/// `waitUntilNoConnectionIsOpen()` returns when the client has closed its connections.
public final class LoopbackServer: Sendable {
    /// Answers a request. It is called on the thread of its connection, so calls run concurrently.
    /// It should not block; a reply can wait for a gate instead.
    public typealias Handler = @Sendable (_ request: LoopbackRequest) -> LoopbackReply

    /// Returns how many bytes of the body of a request with this target are read before the handler
    /// is called; `nil` for all of them. The rest is read and dropped after the reply, unless the
    /// reply ends the connection. Chunked bodies are always read first.
    public typealias BodyPart = @Sendable (_ target: String) -> Int?

    /// Where a server listens, and what it bears with.
    public struct Settings: Sendable {
        /// The IPv4 address to listen at: 127.0.0.1, the default, is for this machine alone, and 0.0.0.0
        /// for all networks that it is in.
        public var host = "127.0.0.1"
        /// The port; 0, the default, lets the system choose one.
        public var port = 0
        /// The maximum size of a request's body in bytes, 64 MiB by default. A larger body is
        /// refused with 413.
        public var bodyLimit = 67_108_864
        /// The most open connections, no limit by default. A further one is refused with 503; while
        /// 64 are being refused, it waits.
        public var connectionLimit = Int.max
        /// How long a client may neither send nor take a byte until its connection is ended; nil,
        /// the default, for ever.
        public var silence: Duration?
        /// Takes requests that are not passed to the handler; see ``BrokenRequest``.
        public var onBroken: @Sendable (BrokenRequest) -> Void = { _ in }
        /// Whether the server keeps all requests, for tests that look at them; `true` by default.
        public var keepsRequests = true

        /// The settings of a server for tests.
        public init() {}
    }

    /// The port that the server listens on.
    public let port: Int
    private let core: LoopbackCore

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - bodyLimit: The maximum size of a request's body in bytes, 64 MiB by default. A larger
    ///     body is refused with 413.
    ///   - bodyPart: How much of a body is read; all of it by default.
    ///   - handler: Answers each request.
    /// - Throws: A `LoopbackError` if the system provides no socket.
    public init(
        bodyLimit: Int = 67_108_864, bodyPart: @escaping BodyPart = { _ in nil },
        _ handler: @escaping Handler
    ) throws(LoopbackError) {
        var settings = Settings()
        settings.bodyLimit = bodyLimit
        (core, port) = try LoopbackCore.start(
            listens: true, settings, bodyPart: bodyPart, handler: handler)
    }

    /// Starts a server that people use, too.
    ///
    /// - Throws: A `LoopbackError`, for instance if another program listens on the port.
    public init(_ settings: Settings, _ handler: @escaping Handler) throws(LoopbackError) {
        (core, port) = try LoopbackCore.start(
            listens: true, settings, bodyPart: { _ in nil }, handler: handler)
    }

    init(refusing: Void) throws(LoopbackError) {
        (core, port) = try LoopbackCore.start(
            listens: false, Settings(), bodyPart: { _ in nil }, handler: { _ in .closed })
    }

    /// Reserves a port that refuses every connection until the server is stopped.
    ///
    /// - Throws: A `LoopbackError` if the system provides no socket.
    public static func refusing() throws(LoopbackError) -> LoopbackServer {
        try LoopbackServer(refusing: ())
    }

    deinit { core.stop() }

    /// The host and port, for the authority of a request.
    public var authority: String { "127.0.0.1:\(port)" }

    /// All completely read requests so far, in the order of their arrival.
    public var requests: [LoopbackRequest] { core.requests }

    /// The requests so far that were not passed to the handler: incomplete ones, such as a head
    /// that a client repeated on its own, and invalid ones that the server refused. A connection
    /// without any bytes is not included.
    public var brokenRequests: [BrokenRequest] { core.brokenRequests }

    /// The number of connections accepted so far.
    public var connectionCount: Int { core.connectionCount }

    /// The number of open connections.
    public var openConnectionCount: Int { core.openConnectionCount }

    /// Waits until no connection is open, or returns at once if the task is cancelled. A connection
    /// ends when the client closes it, even while its reply waits for a gate, or when a step closes
    /// it.
    ///
    /// One case is not detected: the client has already sent its next request and then leaves while
    /// the previous reply waits. That connection ends when the gate opens.
    public func waitUntilNoConnectionIsOpen() async { await core.gateForNoConnections().wait() }

    /// Stops accepting connections and ends the open ones, even while they wait. When it returns,
    /// the port is free. Later calls do nothing.
    public func stop() { core.stop() }
}

/// The state that the threads of a server share. The threads do not retain the server, so that it
/// can be freed while they wait.
final class LoopbackCore: Sendable {
    private struct State {
        var requests: [LoopbackRequest] = []
        var brokenRequests: [BrokenRequest] = []
        var connections: [Int: LoopbackConnection] = [:]
        /// The open connections that are being refused.
        var refused: Set<Int> = []
        var connectionCount = 0
        var whenAllClosed: [Gate] = []
    }

    let bodyPart: LoopbackServer.BodyPart
    let settings: LoopbackServer.Settings
    let stopped = Gate()
    private let handler: LoopbackServer.Handler
    private let listener: Socket
    private let pipe: WakePipe
    private let listenerClosed = DispatchSemaphore(value: 0)
    private let isStopping = Lock(false)
    private let state = Lock(State())

    private init(
        listener: Socket, pipe: WakePipe, settings: LoopbackServer.Settings,
        bodyPart: @escaping LoopbackServer.BodyPart, handler: @escaping LoopbackServer.Handler
    ) {
        self.listener = listener
        self.pipe = pipe
        self.settings = settings
        self.bodyPart = bodyPart
        self.handler = handler
    }

    static func start(
        listens: Bool, _ settings: LoopbackServer.Settings,
        bodyPart: @escaping LoopbackServer.BodyPart, handler: @escaping LoopbackServer.Handler
    ) throws(LoopbackError) -> (LoopbackCore, port: Int) {
        let pipe = try WakePipe()
        let (socket, port) = try Socket.bound(
            to: settings.host, port: settings.port, listens: listens)
        let core = LoopbackCore(
            listener: socket, pipe: pipe, settings: settings, bodyPart: bodyPart, handler: handler)
        startThread { core.acceptConnections(listens: listens) }
        return (core, port)
    }

    var requests: [LoopbackRequest] { state.withLock { $0.requests } }
    var brokenRequests: [BrokenRequest] { state.withLock { $0.brokenRequests } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }
    var openConnectionCount: Int { state.withLock { $0.connections.count } }

    func gateForNoConnections() -> Gate {
        let gate = Gate()
        let isNow = state.withLock { state in
            if !state.connections.isEmpty { state.whenAllClosed.append(gate) }
            return state.connections.isEmpty
        }
        if isNow { gate.open() }
        return gate
    }

    private func forget(_ number: Int) {
        let gates = state.withLock { state -> [Gate] in
            state.connections[number] = nil
            state.refused.remove(number)
            guard state.connections.isEmpty else { return [] }
            defer { state.whenAllClosed = [] }
            return state.whenAllClosed
        }
        for gate in gates { gate.open() }
    }

    func answer(_ request: LoopbackRequest) -> LoopbackReply {
        if settings.keepsRequests { state.withLock { $0.requests.append(request) } }
        return handler(request)
    }

    func keep(_ request: BrokenRequest) {
        settings.onBroken(request)
        if settings.keepsRequests { state.withLock { $0.brokenRequests.append(request) } }
    }

    func stop() {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return }
        pipe.wake()
        listenerClosed.wait()
        stopped.open()
        for connection in state.withLock({ $0.connections.values.map { $0 } }) {
            connection.shutDown()
        }
    }

    private func acceptConnections(listens: Bool) {
        if listens {
            while let socket = listener.accept(unless: pipe) {
                serve(socket)
                while isCrowded { pipe.waitUntilWoken(atMost: 10) }
            }
        } else {
            pipe.waitUntilWoken()
        }
        // A broken listener is closed, so that clients are refused instead of waiting.
        listener.close()
        pipe.waitUntilWoken()
        listenerClosed.signal()
    }

    /// Whether so many connections are being refused that a further one has to wait.
    private var isCrowded: Bool {
        !isStopping.withLock { $0 } && state.withLock { $0.refused.count } >= 64
    }

    private func serve(_ socket: Socket) {
        settings.silence.map { socket.endAfter(silence: $0) }
        let connection = LoopbackConnection(socket)
        let (number, hasRoom) = state.withLock { state in
            let hasRoom =
                state.connections.count - state.refused.count < settings.connectionLimit
            state.connectionCount += 1
            state.connections[state.connectionCount] = connection
            if !hasRoom { state.refused.insert(state.connectionCount) }
            return (state.connectionCount, hasRoom)
        }
        Self.startThread {
            if hasRoom {
                connection.serve(self, number: number)
            } else {
                connection.refuse(until: self.stopped)
            }
            self.forget(number)
        }
    }

    private static func startThread(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread { work() }
        thread.stackSize = 524_288
        thread.name = "telex loopback"
        thread.start()
    }
}
