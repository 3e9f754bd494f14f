/// A well-known format of text.
public enum StringFormat: String, Sendable, Hashable, CaseIterable {
    /// An address according to RFC 5321, section 4.1.2, without quoted local parts and address
    /// literals: at most 254 bytes, with at most 64 before the `@`.
    case email
    /// An absolute URI (RFC 3986, section 3): a scheme, then only allowed characters.
    case uri
    /// A URI or a relative reference (RFC 3986, section 4.1).
    case uriReference = "uri-reference"
    /// A host name (RFC 1123, section 2.1): labels of 1 to 63 letters, digits and inner hyphens,
    /// at most 253 bytes in all.
    case hostname
    /// Four decimal numbers up to 255, without leading zeros (RFC 3986, `IPv4address`).
    case ipv4
    /// An address according to RFC 4291, section 2.2, without a zone.
    case ipv6
    /// A date and time with an offset (RFC 3339, `date-time`).
    case dateTime = "date-time"
    /// A date that exists (RFC 3339, `full-date`).
    case date
    /// A time with an offset (RFC 3339, `full-time`).
    case time
    /// A duration (RFC 3339, appendix A): `P3DT12H`.
    case duration
    /// 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12 (RFC 9562, section 4).
    case uuid
    /// A JSON pointer (RFC 6901, section 3).
    case jsonPointer = "json-pointer"
    /// Base 64 with padding (RFC 4648, section 4).
    case base64
    /// Base 64 with the URL-safe alphabet (RFC 4648, section 5); padding is optional.
    case base64URL = "base64url"

    /// Whether a text has this format.
    public func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return switch self {
        case .email: HostFormats.isEmail(bytes[...])
        case .uri: URIFormats.isURI(bytes[...])
        case .uriReference: URIFormats.isReference(bytes[...])
        case .hostname: HostFormats.isHostname(bytes[...])
        case .ipv4: HostFormats.isIPv4(bytes[...])
        case .ipv6: HostFormats.isIPv6(bytes[...])
        case .dateTime: DateFormats.isDateTime(bytes[...])
        case .date: DateFormats.isDate(bytes[...])
        case .time: DateFormats.isTime(bytes[...])
        case .duration: DateFormats.isDuration(bytes[...])
        case .uuid: TokenFormats.isUUID(bytes[...])
        case .jsonPointer: TokenFormats.isJSONPointer(bytes[...])
        case .base64: TokenFormats.isBase64(bytes[...], extra: [0x2B, 0x2F], isPadded: true)
        case .base64URL: TokenFormats.isBase64(bytes[...], extra: [0x2D, 0x5F], isPadded: false)
        }
    }

    /// The expectation in a violation.
    var expectation: String {
        switch self {
        case .email: "an e-mail address"
        case .uri: "an absolute URI"
        case .uriReference: "a URI or a relative reference"
        case .hostname: "a host name"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        case .dateTime: "a date and time as of RFC 3339"
        case .date: "a date as of RFC 3339"
        case .time: "a time as of RFC 3339"
        case .duration: "a duration as of RFC 3339"
        case .uuid: "a UUID"
        case .jsonPointer: "a JSON pointer"
        case .base64: "base 64"
        case .base64URL: "URL-safe base 64"
        }
    }
}

/// Classes of ASCII bytes.
extension UInt8 {
    var isDigit: Bool { 0x30...0x39 ~= self }
    var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }
    var isHexDigit: Bool { isDigit || 0x61...0x66 ~= self | 0x20 }
    var isAlphanumeric: Bool { isDigit || isLetter }
}

/// The formats of tokens.
enum TokenFormats {
    static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
        let groups = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }

    static func isJSONPointer(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "~") {
            let next = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
            if next != UInt8(ascii: "0"), next != UInt8(ascii: "1") { return false }
        }
        return true
    }

    /// Whether the text is base 64. The unused bits of the last character must be zero.
    static func isBase64(_ bytes: ArraySlice<UInt8>, extra: [UInt8], isPadded: Bool) -> Bool {
        var body = bytes
        while body.last == UInt8(ascii: "="), bytes.count - body.count < 2 { body.removeLast() }
        let hasPadding = body.count < bytes.count
        guard body.count % 4 != 1 else { return false }
        if isPadded || hasPadding, bytes.count % 4 != 0 { return false }
        var last: UInt8 = 0
        for byte in body {
            guard let value = sextet(byte, extra) else { return false }
            last = value
        }
        switch body.count % 4 {
        case 2: return last & 0x0F == 0
        case 3: return last & 0x03 == 0
        default: return true
        }
    }

    private static func sextet(_ byte: UInt8, _ extra: [UInt8]) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        default: extra.firstIndex(of: byte).map { UInt8($0) + 62 }
        }
    }
}
