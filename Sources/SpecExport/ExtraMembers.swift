import SpecDiagnostics

/// The members of `x-telex` that an export has: what OpenAPI has no word for.
public struct ExtraMembers: Sendable {
    /// One kind of member.
    public struct Kind: Sendable {
        /// Its key, for instance `retry`.
        public let key: String
        /// How often it occurs.
        public fileprivate(set) var count: Int
        /// Where the spec has the first one.
        public let first: Span
    }

    private var found: [String: Kind] = [:]

    /// Members that say where something is in the spec, and those that standard words repeat.
    private static let said: Set<String> = [
        "telex", "file", "models", "methods", "name", "procedure", "prefix", "path", "parameters",
        "headers", "server", "unwrap", "accepts", "returns", "reply-headers", "json", "body",
        "params", "call", "wrap", "content-type",
    ]

    mutating func add(_ key: String, at span: Span) {
        guard !Self.said.contains(key) else { return }
        found[key, default: Kind(key: key, count: 0, first: span)].count += 1
    }

    mutating func add(_ other: ExtraMembers) {
        for kind in other.kinds {
            found[kind.key, default: Kind(key: kind.key, count: 0, first: kind.first)].count +=
                kind.count
        }
    }

    /// The kinds, the most frequent first.
    public var kinds: [Kind] {
        found.values.sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    }
}
