/// Limits that protect a reader from hostile or broken input.
public struct JSONLimits: Sendable, Hashable {
    /// The largest accepted document in bytes, at least zero. Default: 16 MiB.
    ///
    /// The search for the tags of unions passes at most 16 times this number of bytes:
    /// ``JSONSyntaxError/Reason/lookAheadTooLong``.
    public var bytes: Int {
        didSet { bytes = max(bytes, 0) }
    }
    /// The deepest accepted nesting of objects and arrays, between 1 and 512. Default: 128.
    ///
    /// A document within the limit is still refused if it would exhaust the stack of the reading
    /// thread: ``JSONSyntaxError/Reason/stackTooSmall(depth:)``.
    public var depth: Int {
        didSet { depth = Self.allowed(depth) }
    }
    /// The number of violations to keep, at least zero; further ones are only counted. Default:
    /// 1,000.
    public var violations: Int {
        didSet { violations = max(violations, 0) }
    }

    /// The upper bound of every depth limit.
    static let deepest = 512

    /// Creates limits. A depth outside 1...512 is clamped.
    public init(bytes: Int = 16_777_216, depth: Int = 128, violations: Int = 1_000) {
        self.bytes = max(bytes, 0)
        self.depth = Self.allowed(depth)
        self.violations = max(violations, 0)
    }

    private static func allowed(_ depth: Int) -> Int {
        min(max(depth, 1), deepest)
    }
}

/// The checks that a reader makes.
///
/// A check that is off reports nothing. Exception: a problem that leaves no value to return, such
/// as a missing required key, is reported if nothing else explains the missing value.
public struct JSONChecks: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Required and duplicate keys of the top-level object (or of the objects in a top-level list).
    public static let keys = JSONChecks(rawValue: 1)
    /// Required and duplicate keys of nested objects.
    public static let nestedKeys = JSONChecks(rawValue: 2)
    /// The types of values, including null and the ranges of numbers.
    public static let types = JSONChecks(rawValue: 4)
    /// The extended rules: bounds, lengths, patterns and the like.
    public static let rules = JSONChecks(rawValue: 8)
    /// Every check.
    public static let all: JSONChecks = [.keys, .nestedKeys, .types, .rules]
}

/// The accepted JSON forms of a scalar.
public enum JSONSource: Sendable, Hashable {
    /// The form of the type: text as a string, numbers as a number, Booleans as `true` and `false`.
    case native
    /// As a number: text from a number's digits, Booleans from 0 and 1.
    case int
    /// As a string: numbers and Booleans from their text.
    case string
    /// Any of these.
    case either
}
