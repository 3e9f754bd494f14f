/// The conditions of the current network that calls may avoid.
public struct NetworkStatus: Sendable, Hashable {
    /// Whether the user wants little data sent, as with Low Data Mode of Apple platforms.
    public var isConstrained: Bool
    /// Whether data costs money, as with a mobile network or a personal hotspot.
    public var isExpensive: Bool

    /// Creates a status; by default a network without conditions.
    public init(isConstrained: Bool = false, isExpensive: Bool = false) {
        self.isConstrained = isConstrained
        self.isExpensive = isExpensive
    }
}

/// A condition of a network.
public enum NetworkCondition: String, Sendable, Hashable {
    /// The user wants little data sent.
    case constrained
    /// Data costs money.
    case expensive
}

/// What a call does on a constrained or an expensive network. A call whose request is in flight
/// when the network changes is completed.
public struct NetworkRules: Sendable, Hashable {
    /// What a call does under a condition.
    public enum Policy: String, Sendable, Hashable {
        /// It is sent all the same.
        case use
        /// It waits for another network.
        case wait
        /// It fails when its turn comes, with ``APIError/Reason/network(_:)``.
        case fail
    }

    /// What a call does on a constrained network.
    public var constrained: Policy
    /// What a call does on an expensive network.
    public var expensive: Policy

    /// Creates rules; by default a call uses any network.
    public init(constrained: Policy = .use, expensive: Policy = .use) {
        self.constrained = constrained
        self.expensive = expensive
    }

    /// The condition under which the policy applies; nil for none.
    func condition(_ policy: Policy, in status: NetworkStatus) -> NetworkCondition? {
        if status.isConstrained, constrained == policy { return .constrained }
        return status.isExpensive && expensive == policy ? .expensive : nil
    }
}
