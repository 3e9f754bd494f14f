/// How far the network reached, determined after a call failed for a reason that may be the
/// network's fault. See ``APIError/diagnosis``.
public struct Diagnosis: Sendable, Hashable {
    /// The levels that have to work for a reply, in order.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// A network interface of this device is up.
        case link
        /// The host's name has an address.
        case name
        /// The host accepts TCP connections on the port.
        case connect
        /// The TLS handshake succeeds; `https` only.
        case tls
        /// The server replies in time, with valid HTTP.
        case http

        /// Orders levels from the link to HTTP.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The host of the call.
    public internal(set) var host: String
    /// The port of the call.
    public let port: Int
    /// The highest level that works; `nil` if none does.
    public let reached: Level?
    /// The lowest level that does not work. `nil` if no problem was found, for example because the
    /// network was unavailable only briefly, or if the examination took too long.
    public let broken: Level?
    /// Whether a captive portal, which requires the user to log in to the network, replies in place
    /// of the called servers. `nil` if this was not examined, see ``DiagnosisRules/portal``.
    public let isCaptive: Bool?

    /// Makes a diagnosis.
    public init(
        host: String, port: Int, reached: Level?, broken: Level?, isCaptive: Bool? = nil
    ) {
        self.host = host
        self.port = port
        self.reached = reached
        self.broken = broken
        self.isCaptive = isCaptive
    }
}

extension Diagnosis: CustomStringConvertible {
    /// What works and what does not, as a sentence.
    public var description: String {
        if isCaptive == true { return "the network asks its user to log in first" }
        switch broken {
        case .link: return "this device is not connected to a network"
        case .name: return "the network is there, but `\(host)` has no address"
        case .connect: return "`\(host)` has an address, but accepts no connection on port \(port)"
        case .tls: return "`\(host)` accepts connections, but no trust could be established"
        case .http:
            return "`\(host)` accepts connections on port \(port), but no valid reply arrived"
        case nil: return reached.map(works) ?? "how far the network reaches is unknown"
        }
    }

    private func works(_ level: Level) -> String {
        switch level {
        case .link: "the network is there; whether `\(host)` has an address is not known"
        case .name: "`\(host)` has an address; whether it accepts connections is not known"
        case .connect, .tls: "`\(host)` accepts connections on port \(port)"
        case .http: "`\(host)` answers; the connection broke off later"
        }
    }
}
