#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Parses decimal numbers.
package enum DecimalForm {
    /// Returns the exact value; nil if the text is not a number, or has more digits than a
    /// `Decimal` holds.
    package static func decimal(from text: String) -> Decimal? {
        guard let number = NumberText(text), number.significant <= 38 else { return nil }
        if number.significant == 0 { return 0 }
        guard let value = Decimal(string: text), value.isFinite else { return nil }
        return value
    }
}
