/// Percent-encoding as of RFC 3986, section 2. Every value passes through it exactly once.
package enum PercentEncoding {
    /// Encodes a value of a query: everything except unreserved characters (section 2.3).
    package static func component(_ text: String) -> String {
        encode(text[...]) { isUnreserved($0) }
    }

    /// Encodes a value in a path: only what cannot be in a segment (section 3.3), and escapes.
    package static func segment(_ text: Substring) -> String {
        encode(text) { isUnreserved($0) || "!$&'()*+,;=:@".utf8.contains($0) }
    }

    /// Encodes a value in a path like ``segment(_:)``, but existing escapes such as `%41` stay.
    package static func segmentWithEscapes(_ text: Substring) -> String {
        let pieces = text.split(separator: "%", omittingEmptySubsequences: false).map(segment)
        return pieces.dropFirst().reduce(pieces[0]) { whole, piece in
            let digits = piece.utf8.prefix(2)
            let isEscape = digits.count == 2 && Substring(digits).allSatisfy(\.isHexDigit)
            return whole + (isEscape ? "%" : "%25") + piece
        }
    }

    /// Encodes an address from a user or a server: only characters that are invalid in an address.
    /// Existing escapes such as `%41` stay.
    package static func address(_ text: Substring) -> String {
        encode(text) { isUnreserved($0) || "%:/?@!$&'()*+,;=".utf8.contains($0) }
    }

    /// Encodes the separator of a list in a query: only characters that are invalid in a query
    /// (section 3.4).
    package static func separator(_ text: String) -> String {
        encode(text[...]) { isUnreserved($0) || "!$'()*,;:@/?".utf8.contains($0) }
    }

    /// Encodes a value of `application/x-www-form-urlencoded` (WHATWG URL, section 5.2): a space
    /// becomes `+`.
    package static func form(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x20: encoded += "+"
            case 0x7E: encoded += "%7E"
            case UInt8(ascii: "*"): encoded += "*"
            default: append(byte, to: &encoded, isKept: isUnreserved(byte))
            }
        }
        return encoded
    }

    /// Decodes a text; invalid escapes stay.
    package static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                Substring(digits).allSatisfy(\.isHexDigit),
                let value = UInt8(Substring(digits), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a name or a value in a form, where `+` is a space (WHATWG URL,
    /// application/x-www-form-urlencoded).
    package static func decodeForm(_ text: Substring) -> String {
        decode(text.replacing("+", with: " ")[...])
    }

    private static func encode(_ text: Substring, _ keeps: (UInt8) -> Bool) -> String {
        guard !text.utf8.allSatisfy(keeps) else { return String(text) }
        var encoded = ""
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 { append(byte, to: &encoded, isKept: keeps(byte)) }
        return encoded
    }

    private static func append(_ byte: UInt8, to text: inout String, isKept: Bool) {
        if isKept {
            text.unicodeScalars.append(UnicodeScalar(byte))
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            text += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
