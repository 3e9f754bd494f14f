import HTTPTypes
import TelexJSON
import TelexRuntime

/// A failure of a server or of the network, with the correct reaction of a client.
///
/// `Fault.catalogue` contains all faults: connections that are refused, silent, reset or half open;
/// heads that are late or not HTTP; bodies that are too short, too long, truncated, stalled, in
/// single bytes or badly framed; invalid compression; ranges, redirects, challenges, rate limits
/// and cookies. A `LoopbackServer` plays a fault on a real socket, and `problems(with:)` lists what
/// a transport does wrong:
///
/// ```swift
/// @Test(arguments: Fault.catalogue)
/// func survives(_ fault: Fault) async throws {
///     let problems = try await fault.problems(with: MyTransport())
///     #expect(problems == [])
/// }
/// ```
///
/// The outcomes are those of a `Transport`, which sends one request and reports one reply. The
/// duties of the layers above, such as not repeating a payment, are described in `duty`. Faults
/// that span many requests, such as expired tokens, are simulated with `TokenService`,
/// `RateLimiter`, `FileOnServer` and `UploadReceiver`; jumps of time with a `VirtualClock`.
public struct Fault: Sendable, CustomStringConvertible {
    /// The failure, in a phrase.
    public let name: String
    /// The correct behaviour of a client.
    public let duty: String
    /// The requests to send, one after the other over one transport, with their allowed outcomes.
    /// If a transport cannot behave correctly because of its underlying library, set `outcomes` to
    /// its real ones.
    public var probes: [Probe]
    /// The maximum number of requests at the server. It exceeds the number of probes only where a
    /// client may repeat a request on its own.
    public let requestLimit: Int
    /// Whether the server accepts connections.
    public let acceptsConnections: Bool
    /// Whether the fault is in the transmission of bytes, which an `InMemoryTransport` cannot play.
    private let isInBytes: Bool
    private let makeHandler: @Sendable () -> LoopbackServer.Handler
    /// How much of a request's body the server reads before it answers; all of it by default.
    public var bodyPart: LoopbackServer.BodyPart = { _ in nil }

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - name: The failure.
    ///   - duty: The correct behaviour of a client.
    ///   - probes: The requests to send and their allowed outcomes.
    ///   - repeats: The number of requests that a client may repeat on its own; 0 by default.
    ///   - acceptsConnections: `true` by default.
    ///   - isInBytes: Whether the fault is in the transmission of bytes and not in their content;
    ///     `false` by default.
    ///   - makeHandler: Makes the handler of a server with this fault. Called once per server, so
    ///     that the state of a handler starts fresh.
    public init(
        _ name: String, duty: String, probes: [Probe], repeats: Int = 0,
        acceptsConnections: Bool = true, isInBytes: Bool = false,
        makeHandler: @escaping @Sendable () -> LoopbackServer.Handler
    ) {
        self.name = name
        self.duty = duty
        self.probes = probes
        self.requestLimit = acceptsConnections ? probes.count + repeats : 0
        self.acceptsConnections = acceptsConnections
        self.isInBytes = isInBytes
        self.makeHandler = makeHandler
    }

    /// Makes a fault whose server answers each request with the next reply, and all later ones with
    /// the last.
    public init(
        _ name: String, duty: String, _ probes: Probe..., isInBytes: Bool = false,
        replies: LoopbackReply...
    ) {
        self.init(name, duty: duty, probes: probes, isInBytes: isInBytes) {
            LoopbackServer.inTurn(replies)
        }
    }

    /// Whether only a `LoopbackServer` can play the fault. An `InMemoryTransport` cannot refuse
    /// connections, send partial heads or compression, or time out.
    public var needsSocket: Bool {
        !acceptsConnections || isInBytes || probes.contains { $0.endsInTimeout }
    }

    /// Makes a new handler for a server with this fault. An `InMemoryTransport` can use it unless
    /// the fault needs a socket.
    public func handler() -> LoopbackServer.Handler { makeHandler() }

    /// The name of the fault.
    public var description: String { name }
}

extension Fault {
    /// A request to a faulty server, with its allowed outcomes.
    public struct Probe: Sendable {
        /// The request. `perform` sets its authority to that of the server.
        public var request: TransportRequest
        /// The allowed outcomes. A correct transport reports one of them.
        public var outcomes: [Outcome]

        /// Makes a probe.
        ///
        /// - Parameters:
        ///   - outcomes: The allowed outcomes.
        ///   - method: GET by default.
        ///   - path: `/` by default.
        ///   - timeout: The idle time-out, 10 minutes by default. Only faults about silence, which
        ///     set a shorter one, reach it.
        ///   - session: The session whose connections the request may use; `.shared` by default.
        public init(
            _ outcomes: Outcome..., method: HTTPRequest.Method = .get, path: String = "/",
            fields: HTTPFields = [:], body: RequestBody? = nil, timeout: Duration = .seconds(600),
            maximumReplyBytes: Int = 16_777_216, session: TransportSession = .shared
        ) {
            request = TransportRequest(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: nil, path: path,
                    headerFields: fields),
                body: body, timeout: timeout, maximumReplyBytes: maximumReplyBytes,
                session: session)
            self.outcomes = outcomes
        }

        fileprivate var endsInTimeout: Bool {
            outcomes.contains {
                [.noReply(.timedOut), .brokenBody(status: 200, .timedOut)].contains($0)
            }
        }

        /// Sends the request to `authority` and reads the reply to its end.
        public func perform(
            with transport: any Transport, at authority: String
        ) async -> Outcome {
            var request = request
            request.head.authority = authority
            do throws(TransportError) {
                return await Outcome(of: try await transport.send(request))
            } catch {
                return .noReply(error.kind)
            }
        }
    }

    /// The outcome of an exchange.
    public enum Outcome: Sendable, Hashable {
        /// A whole reply.
        case reply(status: Int, body: [UInt8])
        /// No reply: sending throws an error of this kind.
        case noReply(TransportError.Kind)
        /// A head with this status, and then a body that throws an error of this kind.
        case brokenBody(status: Int, TransportError.Kind)

        /// Reads `reply` to its end.
        public init(of reply: TransportReply) async {
            let status = reply.head.status.code
            do throws(TransportError) {
                self = .reply(status: status, body: try await reply.body.collect(upTo: .max))
            } catch {
                self = .brokenBody(status: status, error.kind)
            }
        }

        /// A whole reply with a text.
        public static func text(_ text: String, status: Int = 200) -> Outcome {
            .reply(status: status, body: Array(text.utf8))
        }

        /// A body that ends after `received` bytes.
        public static func cut(
            after received: Int, of expected: Int?, status: Int = 200
        ) -> Outcome {
            .brokenBody(status: status, .truncated(received: received, expected: expected))
        }
    }
}

extension Fault.Outcome: CustomStringConvertible {
    /// A description of the outcome for test messages.
    public var description: String {
        switch self {
        case .reply(let status, let body) where body.count <= 100:
            "\(status) with `\(String(decoding: body, as: UTF8.self))`"
        case .reply(let status, let body): "\(status) with \(body.count) bytes"
        case .noReply(let kind): "no reply: \(kind)"
        case .brokenBody(let status, let kind): "\(status), then \(kind)"
        }
    }
}

extension LoopbackServer {
    /// Starts a server with a new handler of `fault`.
    ///
    /// - Throws: A `LoopbackError` if the system provides no socket.
    public convenience init(_ fault: Fault) throws(LoopbackError) {
        if fault.acceptsConnections {
            try self.init(bodyPart: fault.bodyPart, fault.handler())
        } else {
            try self.init(refusing: ())
        }
    }

    /// A handler that returns one reply after the other, and then repeats the last one; 404 if
    /// there are none.
    public static func inTurn(_ replies: [LoopbackReply]) -> Handler {
        let rest = Lock(replies[...])
        return { _ in
            rest.withLock { rest in
                (rest.count > 1 ? rest.popFirst() : rest.first) ?? .bytes(status: 404)
            }
        }
    }
}
