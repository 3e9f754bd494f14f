/// Bounds that protect a reader from hostile or broken input.
public struct JSONLimits: Sendable, Hashable {
    /// The largest accepted document, in bytes, not below zero. Default: 16 MiB.
    public var bytes: Int {
        didSet { bytes = max(bytes, 0) }
    }
    /// The deepest accepted nesting of objects and arrays, between 1 and 512. Default: 128.
    ///
    /// A document within the limit is refused all the same if it would exhaust the stack of the
    /// thread that reads it: ``JSONSyntaxError/Reason/stackTooSmall(depth:)``.
    public var depth: Int {
        didSet { depth = Self.allowed(depth) }
    }
    /// How many violations are kept, not below zero; further ones are only counted. Default: 1,000.
    public var violations: Int {
        didSet { violations = max(violations, 0) }
    }

    /// The depth no reader goes beyond, whatever its limits say.
    static let deepest = 512

    /// Creates limits; a depth outside of 1...512 is moved to the nearest bound.
    public init(bytes: Int = 16_777_216, depth: Int = 128, violations: Int = 1_000) {
        self.bytes = max(bytes, 0)
        self.depth = Self.allowed(depth)
        self.violations = max(violations, 0)
    }

    private static func allowed(_ depth: Int) -> Int {
        min(max(depth, 1), deepest)
    }
}

/// What is checked while a document is read.
///
/// A check that is off is not reported. A problem that leaves no value to return, such as a missing
/// required key, is reported even then if nothing else explains why there is no value.
public struct JSONChecks: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Required and duplicate keys of the top object (or of the objects in a top list).
    public static let keys = JSONChecks(rawValue: 1)
    /// Required and duplicate keys of nested objects.
    public static let nestedKeys = JSONChecks(rawValue: 2)
    /// Types of values, null and the range of numbers included.
    public static let types = JSONChecks(rawValue: 4)
    /// The extended rules: bounds, lengths, patterns and the like.
    public static let rules = JSONChecks(rawValue: 8)
    /// Every check.
    public static let all: JSONChecks = [.keys, .nestedKeys, .types, .rules]
}

/// How a scalar may be spelt in JSON.
public enum JSONSource: Sendable, Hashable {
    /// As the type says: text as a string, numbers as a number, Booleans as `true` and `false`.
    case native
    /// As a number: text from a number's digits, Booleans from 0 and 1.
    case int
    /// As a string: numbers and Booleans from their text.
    case string
    /// Any of these.
    case either
}
