/// How far the network reached, found out after a call had failed for which it may be to blame. See
/// ``APIError/diagnosis``.
public struct Diagnosis: Sendable, Hashable {
    /// What has to work for a reply to come, each after the one before it.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// A network interface of this device is up.
        case link
        /// The host's name has an address.
        case name
        /// The host takes TCP connections on the port.
        case connect
        /// Trust is established; only where the address is `https`.
        case tls
        /// The server answers in time, with valid HTTP.
        case http

        /// In the order in which they have to work.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The host that the call was for.
    public internal(set) var host: String
    /// The port that the call was for.
    public let port: Int
    /// The last level that works; nil if none does.
    public let reached: Level?
    /// The first level that does not work; nil if nothing was found to be wrong, as when the
    /// network was away for a moment only, or if the time for finding out was over.
    public let broken: Level?
    /// Whether another server answers in the place of those called, as networks do that want their
    /// users to log in; nil if that was not looked into, see ``DiagnosisRules/portal``.
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
    /// What works and what does not, in words.
    public var description: String {
        if isCaptive == true { return "the network wants its user to log in first" }
        switch broken {
        case .link: return "this device is in no network"
        case .name: return "the network is there, but `\(host)` has no address"
        case .connect: return "`\(host)` has an address, but takes no connection on port \(port)"
        case .tls: return "`\(host)` takes connections, but no trust could be established"
        case .http:
            return "`\(host)` takes connections on port \(port), but no whole and valid reply came"
        case nil: return reached.map(works) ?? "how far the network reaches is not known"
        }
    }

    private func works(_ level: Level) -> String {
        switch level {
        case .link: "the network is there; whether `\(host)` has an address is not known"
        case .name: "`\(host)` has an address; whether it takes connections is not known"
        case .connect, .tls: "`\(host)` takes connections on port \(port)"
        case .http: "`\(host)` answers; the connection broke off later"
        }
    }
}
