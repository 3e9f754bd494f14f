/// The parts of a number in decimal notation: `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE]
/// [-+]? [0-9]+ )?`.
package struct DecimalNumber {
    /// Whether it has a minus sign.
    package private(set) var isNegative = false
    private let whole: Substring
    private let fraction: Substring
    private let exponentText: Substring

    /// Whether it is written without point and exponent.
    let isWhole: Bool

    /// Reads a text; nil for any other notation.
    package init?(_ text: String) {
        var rest = text[...]
        if let sign = rest.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            rest.removeFirst()
        }
        whole = Self.takeDigits(&rest)
        let hasPoint = rest.first == "."
        if hasPoint { rest.removeFirst() }
        fraction = hasPoint ? Self.takeDigits(&rest) : ""
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        let hasExponent = rest.first == "e" || rest.first == "E"
        exponentText = rest
        isWhole = !hasPoint && !hasExponent
        guard hasExponent ? Self.isExponent(rest.dropFirst()) : rest.isEmpty else { return nil }
    }

    /// The same number as RFC 8259 writes it: no `+`, no needless zero in front, digits on both
    /// sides of the point.
    var canonical: String {
        let whole = String(whole.drop { $0 == "0" })
        return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole)
            + (fraction.isEmpty ? "" : "." + fraction) + exponentText
    }

    /// All digits 0...9, before and behind the point.
    package var digits: [UInt8] { (whole + fraction).utf8.map { $0 - 0x30 } }

    /// The exponent, 0 if none is written. It is clamped, so that a difference of two fits an `Int`.
    package var exponent: Int {
        let largest = 1_000_000_000
        let text = exponentText.dropFirst()
        let limit = text.hasPrefix("-") ? -largest : largest
        return text.isEmpty ? 0 : min(max(Int(text) ?? limit, -largest), largest)
    }

    /// The power of ten that the digits, read as an integer, are multiplied by.
    package var power: Int { exponent - fraction.count }

    private static func isExponent(_ text: Substring) -> Bool {
        var digits = text
        if let sign = digits.first, sign == "-" || sign == "+" { digits.removeFirst() }
        return !takeDigits(&digits).isEmpty && digits.isEmpty
    }

    private static func takeDigits(_ text: inout Substring) -> Substring {
        let end = text.utf8.firstIndex { !$0.isDigit } ?? text.endIndex
        let digits = text[..<end]
        text = text[end...]
        return digits
    }
}
