public import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Numbers of several types in the rules between fields. They are calculated as decimal numbers of 38
/// digits; a result beyond them counts as absent.
extension RuleTerm {
    /// An integer as a decimal number.
    public static func number<T: BinaryInteger>(_ value: T?) -> Decimal? {
        value.flatMap { number($0.description) }
    }

    /// The shortest decimal number that reads as this one; nil if it is not finite.
    public static func number(_ value: Double?) -> Decimal? {
        value.flatMap { $0.isFinite ? number($0.description) : nil }
    }

    /// The number of a checked literal.
    public static func number(_ literal: String) -> Decimal? { DecimalForm.decimal(from: literal) }

    /// The sum.
    public static func sum(_ one: Decimal?, _ other: Decimal?) -> Decimal? {
        result(one, other, +)
    }

    /// The difference.
    public static func difference(_ one: Decimal?, _ other: Decimal?) -> Decimal? {
        result(one, other, -)
    }

    /// The product.
    public static func product(_ one: Decimal?, _ other: Decimal?) -> Decimal? {
        result(one, other, *)
    }

    private static func result(
        _ one: Decimal?, _ other: Decimal?, _ calculate: (Decimal, Decimal) -> Decimal
    ) -> Decimal? {
        guard let one, let other else { return nil }
        let result = calculate(one, other)
        return result.isNaN ? nil : result
    }
}
