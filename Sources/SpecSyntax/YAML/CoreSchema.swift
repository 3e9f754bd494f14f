/// The core schema of YAML 1.2.2, chapter 10.3.2.
package enum CoreSchema {
    static func isNull(_ text: String) -> Bool {
        text.isEmpty || text == "~" || text == "null" || text == "Null" || text == "NULL"
    }

    static func boolean(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    static func integer(_ text: String) -> Int? {
        if let digits = radixDigits(text) { return Int(digits.text, radix: digits.radix) }
        guard let number = DecimalNumber(text), number.isWhole else { return nil }
        return Int(text)
    }

    static func double(_ text: String) -> Double? {
        switch text {
        case ".nan", ".NaN", ".NAN": return .nan
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .infinity
        case "-.inf", "-.Inf", "-.INF": return -.infinity
        default: return numberText(text).flatMap { Double($0) }
        }
    }

    package static func numberText(_ text: String) -> String? {
        if let digits = radixDigits(text) {
            return UInt64(digits.text, radix: digits.radix).map { String($0) }
        }
        return DecimalNumber(text)?.canonical
    }

    /// The digits of `0o17` or `0x1F` and their base; nil if the text is neither.
    private static func radixDigits(_ text: String) -> (text: Substring, radix: Int)? {
        let digits = text.dropFirst(2)
        guard !digits.isEmpty else { return nil }
        if text.hasPrefix("0x"), digits.utf8.allSatisfy(\.isHexDigit) { return (digits, 16) }
        if text.hasPrefix("0o"), digits.utf8.allSatisfy({ (0x30...0x37).contains($0) }) {
            return (digits, 8)
        }
        return nil
    }
}
