/// The parsed parts of a JSON number (RFC 8259, section 6): an optional sign, digits, a fraction
/// and an exponent. Leading zeros are accepted and marked.
package struct NumberText {
    package var isNegative = false
    /// The digits before and after the decimal point.
    package var digits: [UInt8] = []
    /// The number of digits after the decimal point.
    package var fraction = 0
    /// The exponent of ten; inexact beyond a hundred million.
    package var power = 0
    /// Whether there are leading zeros, which JSON does not allow.
    package var hasLeadingZeros = false

    /// Parses a text; nil if it is not a number.
    package init?(_ text: some StringProtocol) {
        var rest = Substring(text).utf8
        isNegative = Self.take(0x2D, &rest)
        digits = Self.digits(&rest)
        guard !digits.isEmpty else { return nil }
        hasLeadingZeros = digits.count > 1 && digits[0] == 0
        if Self.take(0x2E, &rest) {
            let decimals = Self.digits(&rest)
            guard !decimals.isEmpty else { return nil }
            fraction = decimals.count
            digits += decimals
        }
        if let letter = rest.first, letter | 0x20 == 0x65 {
            rest.removeFirst()
            let isSmall = Self.take(0x2D, &rest)
            if !isSmall { _ = Self.take(0x2B, &rest) }
            let exponent = Self.digits(&rest)
            guard !exponent.isEmpty else { return nil }
            power = exponent.reduce(0) { $0 < 100_000_000 ? $0 * 10 + Int($1) : $0 }
            if isSmall { power = -power }
        }
        guard rest.isEmpty else { return nil }
    }

    /// The number of significant digits: those between leading and trailing zeros.
    package var significant: Int {
        let trimmed = digits.drop { $0 == 0 }
        return trimmed.count - trimmed.reversed().prefix { $0 == 0 }.count
    }

    /// The value as seconds, rounded half away from zero to 10⁻¹⁸; nil for 10¹⁵ and more.
    package var seconds: Duration? {
        let digits = digits.drop { $0 == 0 }
        let behind = digits.count + power - fraction + 18
        guard !digits.isEmpty, behind >= 0 else { return .zero }
        guard behind <= 15 + 18 else { return nil }
        func value(_ places: Range<Int>) -> Int64 {
            places.reduce(0) { value, place in
                value * 10 + (place < digits.count ? Int64(digits[digits.startIndex + place]) : 0)
            }
        }
        let point = max(behind - 18, 0)
        let isUp = behind < digits.count && digits[digits.startIndex + behind] >= 5
        let size = Duration(
            secondsComponent: value(0..<point),
            attosecondsComponent: value(point..<behind) + (isUp ? 1 : 0))
        return isNegative ? .zero - size : size
    }

    private static func take(_ byte: UInt8, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private static func digits(_ rest: inout Substring.UTF8View) -> [UInt8] {
        let digits = rest.prefix { (0x30...0x39).contains($0) }.map { $0 - 0x30 }
        rest = rest.dropFirst(digits.count)
        return digits
    }
}
