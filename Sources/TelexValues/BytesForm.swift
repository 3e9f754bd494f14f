import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The text form of bytes in JSON (RFC 4648).
public enum BytesForm: Sendable, Hashable {
    /// Section 4: with `+`, `/` and padding.
    case base64
    /// Section 5: with `-` and `_`; the padding may be missing, and is not written.
    case base64url
    /// Section 8: two hexadecimal digits for each byte, written in lower case.
    case hex

    /// The expectation in a violation.
    package var expectation: String {
        switch self {
        case .base64: "bytes in base 64"
        case .base64url: "bytes in base 64 for URLs"
        case .hex: "bytes as hexadecimal digits"
        }
    }

    /// Parses a text; nil if it is not in this form.
    package func data(from text: String) -> Data? {
        switch self {
        // Foundation accepts more padding than the last group needs.
        case .base64:
            text.utf8.count % 4 == 0 && !text.hasSuffix("===") ? Data(base64Encoded: text) : nil
        case .base64url: Self.standard(text).flatMap { Data(base64Encoded: $0) }
        case .hex: Self.hex(text)
        }
    }

    /// Returns the text of bytes.
    package func text(for data: Data) -> String {
        switch self {
        case .base64: return data.base64EncodedString()
        case .base64url:
            let text = data.base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") }
            return String(decoding: text.map { Self.urlDigits[$0] ?? $0 }, as: UTF8.self)
        case .hex:
            let digits = Array("0123456789abcdef".utf8)
            let text = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The last two digits of the alphabet for URLs, by those of the standard one.
    private static let urlDigits = [
        UInt8(ascii: "+"): UInt8(ascii: "-"), UInt8(ascii: "/"): UInt8(ascii: "_"),
    ]

    /// The text in the standard alphabet, with padding; nil if it has other letters or wrong padding.
    private static func standard(_ text: String) -> String? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
        let rest = text.utf8.dropFirst(digits.count)
        guard rest.isEmpty || rest.elementsEqual(padding.utf8),
            !digits.contains(where: { urlDigits[$0] != nil })
        else { return nil }
        let standard = digits.map { digit in
            urlDigits.first { $0.value == digit }?.key ?? digit
        }
        return String(decoding: standard, as: UTF8.self) + padding
    }

    private static func hex(_ text: String) -> Data? {
        let digits = text.utf8.map { UnicodeScalar($0).hexDigitValue }
        guard digits.count % 2 == 0 else { return nil }
        var data = Data(capacity: digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            data.append(UInt8(high << 4 | low))
        }
        return data
    }
}

extension UnicodeScalar {
    fileprivate var hexDigitValue: Int? { isASCII ? Character(self).hexDigitValue : nil }
}

extension JSONWriter {
    /// Writes bytes as text in this form.
    public mutating func value(_ value: Data, as form: BytesForm) {
        self.value(form.text(for: value))
    }
}
