import HTTPTypes
import Synchronization
import TelexRuntime

/// Something that goes wrong on the way to a server or on the server itself, with what an honest
/// client has to make of it.
///
/// `Fault.catalogue` has one of each: connections that are refused, silent, broken off or half open;
/// heads that are late or no HTTP; bodies that are too short, too long, cut, stalled, dripped or
/// badly framed; compression that lies; ranges, redirects, challenges, rate limits and cookies. A
/// `LoopbackServer` plays a fault on a real socket, and
/// `problems(with:)` says all that a transport gets wrong there:
///
/// ```swift
/// @Test(arguments: Fault.catalogue)
/// func survives(_ fault: Fault) async throws {
///     let problems = try await fault.problems(with: MyTransport())
///     #expect(problems == [])
/// }
/// ```
///
/// The outcomes are those of a `Transport`, which sends one request and reports one reply. What
/// the layers above owe — not to repeat a payment, not to follow a redirect with credentials — is
/// said in `duty`. A server whose clock or tokens go wrong over many requests is made of
/// behaviours instead: `TokenService`, `RateLimiter`, `FileOnServer`, `UploadReceiver`, with a
/// `VirtualClock` for jumps of time.
public struct Fault: Sendable, CustomStringConvertible {
    /// What goes wrong, in a phrase.
    public let name: String
    /// What an honest client does about it.
    public let duty: String
    /// What to send, one after the other over one transport, and what has to come out. Where a
    /// transport cannot do what it has to, since what lies below it does not let it, change the
    /// `outcomes` to those that it has.
    public var probes: [Probe]
    /// How many requests may arrive at the server at most. More than there are exchanges only where
    /// a client may send a request again on its own.
    public let requestLimit: Int
    /// Whether there is anybody who accepts connections.
    public let acceptsConnections: Bool
    /// Whether the fault is in how bytes are sent, which an `InMemoryTransport` does not know.
    private let isInBytes: Bool
    private let makeHandler: @Sendable () -> LoopbackServer.Handler

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - name: What goes wrong.
    ///   - duty: What an honest client does.
    ///   - exchanges: What to send and what has to come out.
    ///   - repeats: How many requests a client may send again on its own; 0 by default.
    ///   - acceptsConnections: `true` by default.
    ///   - isInBytes: Whether it is in how bytes are sent and not in what they say; `false` by
    ///     default.
    ///   - makeHandler: Makes the handler of a server that has this fault. Called once for each
    ///     server, so that what a handler counts begins anew.
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

    /// A fault in which each of some requests gets the next of these replies, and all later ones
    /// the last.
    public init(
        _ name: String, duty: String, _ probes: Probe..., isInBytes: Bool = false,
        replies: LoopbackReply...
    ) {
        self.init(name, duty: duty, probes: probes, isInBytes: isInBytes) {
            LoopbackServer.inTurn(replies)
        }
    }

    /// Whether only a `LoopbackServer` can play the fault: nobody accepts connections, it is in how
    /// bytes are sent (half a head, compression), or it ends in a time-out, which an
    /// `InMemoryTransport` does not have.
    public var needsSocket: Bool {
        !acceptsConnections || isInBytes || probes.contains { $0.endsInTimeout }
    }

    /// What a server with this fault does, from the beginning. Also for an `InMemoryTransport`,
    /// unless the fault needs a socket.
    public func handler() -> LoopbackServer.Handler { makeHandler() }

    /// The name.
    public var description: String { name }
}

extension Fault {
    /// A request that is sent to a server with a fault, and what may come out.
    public struct Probe: Sendable {
        /// What is sent; the authority is that of the server.
        public var request: TransportRequest
        /// What an honest transport reports: one of these.
        public var outcomes: [Outcome]

        /// Makes a request.
        ///
        /// - Parameters:
        ///   - outcomes: Any of these is right.
        ///   - method: GET by default.
        ///   - path: `/` by default.
        ///   - timeout: The longest silence; 10 minutes by default, which only a transport that hangs
        ///     reaches.
        ///   - session: Which connections the request may use; `.shared` by default.
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

    /// What comes out of an exchange.
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
    /// What came out, for the message of a test.
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
    /// Starts a server that has `fault`, from its beginning.
    ///
    /// - Throws: A `LoopbackError` if the system gives no socket.
    public convenience init(_ fault: Fault) throws(LoopbackError) {
        if fault.acceptsConnections {
            try self.init(fault.handler())
        } else {
            try self.init(refusing: ())
        }
    }

    /// A handler that gives one reply after the other, and then the last one again and again; 404
    /// if there are none.
    public static func inTurn(_ replies: [LoopbackReply]) -> Handler {
        let rest = Mutex(replies[...])
        return { _ in
            rest.withLock { rest in
                (rest.count > 1 ? rest.popFirst() : rest.first) ?? .bytes(status: 404)
            }
        }
    }
}
