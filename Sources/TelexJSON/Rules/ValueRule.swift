/// A rule that stands with the value that it is about: `json.int(&count, .min(0))`.
///
/// The cases have the names of the spec's rules. Rules with a message or a severity of their own, and
/// rarer ones, are calls of ``RuleChecker`` after the value.
public protocol ValueRule: Sendable {
    /// The type of the values.
    associatedtype Value

    /// Reports a violation to a checker that has just read or written the value; nil passes.
    func check<Checker: RuleChecker & ~Copyable>(_ value: Value?, with checker: inout Checker)
}

/// A type whose values may have rules that stand with them.
public protocol RuledValue {
    /// The rules.
    associatedtype JSONRule: ValueRule where JSONRule.Value == Self
}

/// A rule of a number.
@frozen public enum NumberRule<Number: Comparable & Sendable>: ValueRule {
    /// `min`: at least the bound.
    case min(Number)
    /// `max`: at most the bound.
    case max(Number)
    /// `min` and `max`: between the bounds, which are included.
    case between(Number, Number)
    /// `above`: greater than the bound.
    case above(Number)
    /// `below`: less than the bound.
    case below(Number)

    /// Reports a violation.
    @inlinable
    public func check<Checker: RuleChecker & ~Copyable>(
        _ value: Number?, with checker: inout Checker
    ) {
        switch self {
        case .min(let bound): checker.minimum(value, bound)
        case .max(let bound): checker.maximum(value, bound)
        case .between(let low, let high):
            checker.minimum(value, low)
            checker.maximum(value, high)
        case .above(let bound): checker.above(value, bound)
        case .below(let bound): checker.below(value, bound)
        }
    }
}

extension Int: RuledValue {
    /// A rule of an integer.
    public typealias JSONRule = NumberRule<Int>
}

extension Double: RuledValue {
    /// A rule of a number.
    public typealias JSONRule = NumberRule<Double>
}

/// A rule of a text.
public enum TextRule: ValueRule {
    /// `min-length`: at least this many Unicode scalars.
    case minLength(Int)
    /// `max-length`: at most this many Unicode scalars.
    case maxLength(Int)
    /// `min-length` and `max-length`: between the bounds, which are included.
    case lengthBetween(Int, Int)
    /// `length`: exactly this many Unicode scalars.
    case length(Int)
    /// `pattern`: the pattern matches somewhere in the text.
    case pattern(Pattern)
    /// `format`: has a well-known format.
    case format(StringFormat)

    /// Reports a violation.
    public func check<Checker: RuleChecker & ~Copyable>(
        _ value: String?, with checker: inout Checker
    ) {
        switch self {
        case .minLength(let count): checker.minLength(value, count)
        case .maxLength(let count): checker.maxLength(value, count)
        case .lengthBetween(let low, let high):
            checker.minLength(value, low)
            checker.maxLength(value, high)
        case .length(let count): checker.length(value, count)
        case .pattern(let pattern): checker.pattern(value, pattern)
        case .format(let format): checker.format(value, format)
        }
    }
}

extension String: RuledValue {
    /// A rule of a text.
    public typealias JSONRule = TextRule
}

/// A rule of a list.
@frozen public enum ListRule<Element>: ValueRule {
    /// `min-items`: at least this many elements.
    case minItems(Int)
    /// `max-items`: at most this many elements.
    case maxItems(Int)
    /// `min-items` and `max-items`: between the bounds, which are included.
    case itemsBetween(Int, Int)

    /// Reports a violation.
    @inlinable
    public func check<Checker: RuleChecker & ~Copyable>(
        _ value: [Element]?, with checker: inout Checker
    ) {
        switch self {
        case .minItems(let count): checker.minItems(value, count)
        case .maxItems(let count): checker.maxItems(value, count)
        case .itemsBetween(let low, let high):
            checker.minItems(value, low)
            checker.maxItems(value, high)
        }
    }
}

extension Array: RuledValue {
    /// A rule of a list.
    public typealias JSONRule = ListRule<Element>
}

/// Reading with a rule.
extension JSONReader {
    /// Reads text and checks it. A text that breaks the rule is kept, with a violation.
    @discardableResult
    @inline(never)
    public mutating func string(_ value: inout String, _ rule: TextRule) -> Bool {
        guard string(&value, from: .string) else { return false }
        rule.check(value, with: &self)
        return true
    }

    /// Reads text and checks it. A text that breaks the rule is kept, with a violation.
    @discardableResult
    @inline(never)
    public mutating func string(_ value: inout String?, _ rule: TextRule) -> Bool {
        guard string(&value, from: .string) else { return false }
        rule.check(value, with: &self)
        return true
    }

    /// Reads an integer and checks it. One that breaks the rule is kept, with a violation.
    @discardableResult
    @inline(never)
    public mutating func int(_ value: inout Int, _ rule: NumberRule<Int>) -> Bool {
        guard int(&value, from: .native) else { return false }
        rule.check(value, with: &self)
        return true
    }

    /// Reads an integer and checks it. One that breaks the rule is kept, with a violation.
    @discardableResult
    @inline(never)
    public mutating func int(_ value: inout Int?, _ rule: NumberRule<Int>) -> Bool {
        guard int(&value, from: .native) else { return false }
        rule.check(value, with: &self)
        return true
    }

    /// Reads a number and checks it. One that breaks the rule is kept, with a violation.
    @discardableResult
    @inline(never)
    public mutating func double(_ value: inout Double, _ rule: NumberRule<Double>) -> Bool {
        guard double(&value, from: .native) else { return false }
        rule.check(value, with: &self)
        return true
    }

    /// Reads a number and checks it. One that breaks the rule is kept, with a violation.
    @discardableResult
    @inline(never)
    public mutating func double(_ value: inout Double?, _ rule: NumberRule<Double>) -> Bool {
        guard double(&value, from: .native) else { return false }
        rule.check(value, with: &self)
        return true
    }

    /// Reads a list and checks it. One that breaks the rule is kept, with a violation.
    @inlinable
    @discardableResult
    public mutating func list<T: JSONReadable>(
        _ values: inout [T], _ rule: ListRule<T>
    ) -> Bool {
        guard list(&values) else { return false }
        rule.check(values, with: &self)
        return true
    }

    /// Reads a list and checks it. One that breaks the rule is kept, with a violation.
    @inlinable
    @discardableResult
    public mutating func list<T: JSONReadable>(
        _ values: inout [T]?, _ rule: ListRule<T>
    ) -> Bool {
        guard list(&values) else { return false }
        rule.check(values, with: &self)
        return true
    }
}

/// Reading an element of a list, in a closure.
extension JSONReader {
    /// Reads a text with a rule; nil if there is no text.
    public mutating func string(_ rule: TextRule) -> String? {
        var value: String?
        string(&value, rule)
        return value
    }

    /// Reads an integer with a rule; nil if there is no integer.
    public mutating func int(_ rule: NumberRule<Int>) -> Int? {
        var value: Int?
        int(&value, rule)
        return value
    }

    /// Reads a number with a rule; nil if there is no number.
    public mutating func double(_ rule: NumberRule<Double>) -> Double? {
        var value: Double?
        double(&value, rule)
        return value
    }
}

/// Writing with a rule.
extension JSONWriter {
    /// Writes a member and checks its value; writes nothing for nil.
    @inline(never)
    public mutating func field<T: JSONWritable & RuledValue>(
        _ key: StaticString, _ value: T?, _ rule: T.JSONRule
    ) {
        field(key, value)
        rule.check(value, with: &self)
    }
}
