import Foundation
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 for tests: a real network, but nobody else's. It can misbehave
/// in every way a `LoopbackReply` can say, and has no opinion about HTTP: what a script says is what
/// goes over the socket, be it half a head, a length that is a lie, or a reset in the 1000th byte.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/me" ? .text("hello") : .bytes(status: 404)
/// }
/// defer { server.stop() }
/// let authority = server.authority    // 127.0.0.1:40123
/// ```
///
/// For what goes wrong most often there is a catalogue, `Fault.catalogue`, and a server that has a
/// fault is `try LoopbackServer(.resetInBody(after: 4))`. What depends on earlier requests is a
/// behaviour: `FileOnServer` (ranges), `TokenService` (tokens that expire), `RateLimiter`,
/// `UploadReceiver`. They are handlers and can be put together:
///
/// ```swift
/// let (file, tokens) = (FileOnServer(bytes, entityTag: "\"1\""), TokenService())
/// let films = tokens.protecting(file.answer)
/// let server = try LoopbackServer { request in
///     request.path == "/token" ? tokens.refresh(request) : films(request)
/// }
/// file.cutNextReply(after: 1000)      // the connection breaks off once
/// tokens.expireAccessTokens()         // and by then the token is no good any more
/// ```
///
/// The same handler answers an `InMemoryTransport(serving:)`, where no socket is wanted. Nothing
/// has to wait for time to pass: `Gate` says when a reply goes on, `VirtualClock` what time it is,
/// and `waitUntilNoConnectionIsOpen()` returns when the client has let go.
public final class LoopbackServer: Sendable {
    /// Answers a request. Called on the thread of its connection, so calls run at the same time;
    /// it should not block: let the reply wait for a gate.
    public typealias Handler = @Sendable (_ request: LoopbackRequest) -> LoopbackReply

    /// The port that the system chose.
    public let port: Int
    private let core: LoopbackCore

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - bodyLimit: How many bytes the body of a request may have, 64 MiB by default; a larger
    ///     one is refused with 413.
    ///   - handler: Answers each request.
    /// - Throws: A `LoopbackError` if the system gives no socket.
    public init(
        bodyLimit: Int = 67_108_864, _ handler: @escaping Handler
    ) throws(LoopbackError) {
        (core, port) = try LoopbackCore.start(listens: true, bodyLimit, handler)
    }

    init(refusing: Void) throws(LoopbackError) {
        (core, port) = try LoopbackCore.start(listens: false, 0) { _ in .closed }
    }

    /// A port that is taken, but where every connection is refused until the server is stopped.
    ///
    /// - Throws: A `LoopbackError` if the system gives no socket.
    public static func refusing() throws(LoopbackError) -> LoopbackServer {
        try LoopbackServer(refusing: ())
    }

    deinit { core.stop() }

    /// Host and port, for the authority of a request.
    public var authority: String { "127.0.0.1:\(port)" }

    /// All requests that have been read completely so far, in the order of their arrival.
    public var requests: [LoopbackRequest] { core.requests }

    /// What else has come so far: requests whose end did not arrive, such as a head that a client
    /// repeated on its own and then gave up, and those that the server refused without asking anybody. A
    /// connection on which nothing came is none of them.
    public var brokenRequests: [BrokenRequest] { core.brokenRequests }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { core.connectionCount }

    /// How many connections are open at this moment.
    public var openConnectionCount: Int { core.openConnectionCount }

    /// Returns once no connection is open, or at once if the task is cancelled. A connection ends
    /// when the client closes it, also while its reply waits at a gate, or when its script does.
    ///
    /// One case is not seen: a client that has sent its next request already and then leaves while
    /// the reply to the one before waits. That connection ends when its gate opens.
    public func waitUntilNoConnectionIsOpen() async { await core.gateForNoConnections().wait() }

    /// Accepts no more connections and ends those there are, whatever they are waiting for. When
    /// it returns, the port is free. Does nothing the second time.
    public func stop() { core.stop() }
}

/// What the threads of a server share. They do not hold the server itself, so that it can be freed
/// while they wait.
final class LoopbackCore: Sendable {
    private struct State {
        var requests: [LoopbackRequest] = []
        var brokenRequests: [BrokenRequest] = []
        var connections: [Int: LoopbackConnection] = [:]
        var connectionCount = 0
        var whenAllClosed: [Gate] = []
    }

    let bodyLimit: Int
    let stopped = Gate()
    private let handler: LoopbackServer.Handler
    private let listener: Socket
    private let pipe: WakePipe
    private let hasClosed = DispatchSemaphore(value: 0)
    private let isStopping = Mutex(false)
    private let state = Mutex(State())

    private init(
        _ listener: Socket, _ pipe: WakePipe, _ bodyLimit: Int,
        _ handler: @escaping LoopbackServer.Handler
    ) {
        self.listener = listener
        self.pipe = pipe
        self.bodyLimit = bodyLimit
        self.handler = handler
    }

    static func start(
        listens: Bool, _ bodyLimit: Int, _ handler: @escaping LoopbackServer.Handler
    ) throws(LoopbackError) -> (LoopbackCore, port: Int) {
        let pipe = try WakePipe()
        let (socket, port) = try Socket.bound(listens: listens)
        let core = LoopbackCore(socket, pipe, bodyLimit, handler)
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
            guard state.connections.isEmpty else { return [] }
            defer { state.whenAllClosed = [] }
            return state.whenAllClosed
        }
        for gate in gates { gate.open() }
    }

    func answer(_ request: LoopbackRequest) -> LoopbackReply {
        state.withLock { $0.requests.append(request) }
        return handler(request)
    }

    func keep(_ request: BrokenRequest) { state.withLock { $0.brokenRequests.append(request) } }

    func stop() {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return }
        pipe.wake()
        hasClosed.wait()
        stopped.open()
        for connection in state.withLock({ $0.connections.values.map { $0 } }) {
            connection.shutDown()
        }
    }

    private func acceptConnections(listens: Bool) {
        if listens {
            while let socket = listener.accept(unless: pipe) { serve(socket) }
        } else {
            pipe.waitUntilWoken()
        }
        // A listener that broke refuses its clients, rather than let them wait.
        listener.close()
        pipe.waitUntilWoken()
        hasClosed.signal()
    }

    private func serve(_ socket: Socket) {
        let connection = LoopbackConnection(socket)
        let number = state.withLock { state in
            state.connectionCount += 1
            state.connections[state.connectionCount] = connection
            return state.connectionCount
        }
        Self.startThread {
            connection.serve(self, number: number)
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
