/// A bound that a rule sets. A lower and an upper bound of the same measure may contradict each
/// other.
public struct RuleBound: Sendable, Equatable {
    /// The measure of a value that is bounded.
    public enum Measure: Sendable {
        /// The number itself.
        case value
        /// Unicode scalars of a text.
        case scalars
        /// UTF-8 bytes of a text.
        case bytes
        /// Elements of a list, entries of a map.
        case elements
    }

    /// The side of the bound.
    public enum Side: Sendable {
        /// At least this.
        case low
        /// At most this.
        case high
        /// Exactly this.
        case both
    }

    /// The measure.
    public let measure: Measure
    /// The side.
    public let side: Side
    /// Whether the bound itself is not allowed.
    public let isStrict: Bool

    /// At least this.
    public static func low(_ measure: Measure, isStrict: Bool = false) -> Self {
        Self(measure: measure, side: .low, isStrict: isStrict)
    }

    /// At most this.
    public static func high(_ measure: Measure, isStrict: Bool = false) -> Self {
        Self(measure: measure, side: .high, isStrict: isStrict)
    }

    /// Exactly this.
    public static func exact(_ measure: Measure) -> Self {
        Self(measure: measure, side: .both, isStrict: false)
    }
}

extension RuleBound.Measure {
    /// The kinds of JSON values of templates that have the measure.
    public var kinds: TemplateKinds {
        switch self {
        case .value: [.integer, .number]
        case .scalars, .bytes: .string
        case .elements: .array
        }
    }
}
