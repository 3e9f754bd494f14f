import SpecIR
import SpecSyntax

/// Checks that a number fits a type; nil if it does. Otherwise the generated literal would have
/// another value or would not compile.
enum NumberProblem {
    /// Returns the help for an integer that does not fit a width.
    static func ofInteger(_ node: YAMLNode, _ width: IntegerWidth) -> String? {
        guard let value = node.integer else {
            let isWhole = node.numberText.flatMap(ExactNumber.init)?.fractionDigits == 0
            return isWhole ? "an integer is written in digits alone and fits 64 bits" : nil
        }
        return switch width {
        case .int: nil
        case .int32 where Int32(exactly: value) == nil:
            "an `int32` goes from \(Int32.min) to \(Int32.max)"
        case .uint where value < 0: "a `uint` is at least 0"
        case .int32, .uint: nil
        }
    }

    /// Returns the help for a number that does not fit a type.
    static func of(_ text: String, _ type: ValueType) -> String? {
        switch type {
        case .double: ofDouble(text)
        case .decimal: ofDecimal(text)
        case .duration: ofDuration(text)
        default: nil
        }
    }

    /// The Swift compiler warns of literals that overflow or underflow.
    private static func ofDouble(_ text: String) -> String? {
        guard let value = Double(text), let exact = ExactNumber(text) else { return nil }
        if !value.isFinite { return "a `double` is at most \(Double.greatestFiniteMagnitude)" }
        if exact.digits.isEmpty || value.isNormal { return nil }
        return "a `double` that is not 0 is at least \(Double.leastNormalMagnitude)"
    }

    /// Foundation's `Decimal` has 38 digits and an 8-bit exponent, also during parsing.
    private static func ofDecimal(_ text: String) -> String? {
        guard let exact = ExactNumber(text), let written = DecimalNumber(text) else { return nil }
        if exact.digits.count > 38 {
            return "a `decimal` keeps 38 digits, and these are \(exact.digits.count)"
        }
        let powers = [written.exponent, written.power, exact.exponent]
        if powers.allSatisfy({ (-128...127).contains($0) }) { return nil }
        return "a `decimal` has powers of ten from -128 to 127"
    }

    /// `Duration` has a resolution of 1e-18 s, and the runtime reads less than 1e15 s.
    private static func ofDuration(_ text: String) -> String? {
        guard let exact = ExactNumber(text) else { return nil }
        if exact.exponent + exact.digits.count > 15 { return "a time is less than 1e15 seconds" }
        return exact.fractionDigits > 18 ? "a time has at most 18 digits behind the point" : nil
    }
}
