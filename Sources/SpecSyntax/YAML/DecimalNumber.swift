/// The parts of a number in decimal notation: `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE]
/// [-+]? [0-9]+ )?`.
struct DecimalNumber {
    private var isNegative = false
    private let whole: Substring
    private let fraction: Substring
    private let exponent: Substring

    /// Whether it is written without point and exponent.
    let isWhole: Bool

    init?(_ text: String) {
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
        exponent = rest
        isWhole = !hasPoint && !hasExponent
        guard hasExponent ? Self.isExponent(rest.dropFirst()) : rest.isEmpty else { return nil }
    }

    /// The same number as RFC 8259 writes it: no `+`, no needless zero in front, digits on both
    /// sides of the point.
    var canonical: String {
        let whole = String(whole.drop { $0 == "0" })
        return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole)
            + (fraction.isEmpty ? "" : "." + fraction) + exponent
    }

    private static func isExponent(_ text: Substring) -> Bool {
        var digits = text
        if let sign = digits.first, sign == "-" || sign == "+" { digits.removeFirst() }
        return !takeDigits(&digits).isEmpty && digits.isEmpty
    }

    private static func takeDigits(_ text: inout Substring) -> Substring {
        let end = text.utf8.firstIndex { !(0x30...0x39).contains($0) } ?? text.endIndex
        let digits = text[..<end]
        text = text[end...]
        return digits
    }
}
