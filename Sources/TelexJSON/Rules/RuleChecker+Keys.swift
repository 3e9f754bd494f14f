extension RuleChecker where Self: ~Copyable {
    /// Checks the keys of a map with rules, in the order of their text. A violation has the path of
    /// the key.
    ///
    /// - Parameter check: Checks one key.
    public mutating func keys<K: JSONMapKey, V>(
        _ map: [K: V]?, _ check: (inout KeyChecker, K) -> Void
    ) {
        guard checksRules, let map, !map.isEmpty else { return }
        var checker = KeyChecker(
            map: rulePath, isSensitive: ruleIsSensitive, appChecks: appChecks)
        let keys = map.keys.map { (text: $0.jsonKey, key: $0) }
        for (text, key) in keys.sorted(by: { $0.text < $1.text }) {
            checker.key = text
            check(&checker, key)
        }
        for violation in checker.violations { report(violation) }
    }
}

/// Checks the rules of one key of a map after the other.
public struct KeyChecker: RuleChecker {
    private let map: JSONPath
    private let isSensitive: Bool
    /// The app's own checks of the map.
    public let appChecks: (any Sendable)?
    fileprivate var key = ""
    fileprivate var violations: [Violation] = []

    fileprivate init(map: String, isSensitive: Bool, appChecks: (any Sendable)?) {
        self.map = JSONPath(map)
        self.isSensitive = isSensitive
        self.appChecks = appChecks
    }

    /// The path of the key's value.
    public var rulePath: String {
        var path = map
        path.append(key: key)
        return path.description
    }

    /// Whether the map is sensitive.
    public var ruleIsSensitive: Bool { isSensitive }

    /// Keeps a violation.
    public mutating func report(_ violation: Violation) { violations.append(violation) }
}
