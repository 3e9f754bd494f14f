import TelexJSON
import TelexTransport

/// The file name that `Content-Disposition` suggests (RFC 6266). It comes from the server and must
/// not be trusted: see ``SafeFileName``.
enum ContentDisposition {
    /// Returns `filename*` if it is present and can be decoded, otherwise `filename`; nil if
    /// neither is.
    package static func fileName(_ text: String) -> String? {
        let parameters = parameters(text)
        return parameters["filename*"].flatMap(extended) ?? parameters["filename"]
    }

    /// Returns the parameters after the type, by lower-case name; of parameters with the same name,
    /// the first.
    private static func parameters(_ text: String) -> [String: String] {
        var found: [String: String] = [:]
        for part in text.parts(at: ";").dropFirst() {
            let (name, value) = part.parameter
            let key = name.lowercased()
            if !key.isEmpty, found[key] == nil { found[key] = value }
        }
        return found
    }

    /// Decodes an extended value such as `UTF-8'en'%e2%82%ac%20rates` (RFC 8187, section 3.2); nil
    /// if it is malformed, or if its bytes are invalid in the named encoding.
    private static func extended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = decoded(parts[2]) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(validUTF8: bytes[...])
        case "iso-8859-1":
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    /// Returns the bytes of a percent-encoded text; nil if an escape is incomplete.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
