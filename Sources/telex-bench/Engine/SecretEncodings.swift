import Foundation
import TelexJSON

/// All encodings in which a secret may appear in a text.
struct SecretEncodings: Sendable {
    private let forms: [Data]

    init(_ secrets: [String]) {
        forms = Set(secrets.flatMap(Self.forms)).map { Data($0.utf8) }
    }

    /// Whether a text contains any of the secrets.
    func isIn(_ text: String) -> Bool { isIn(Data(text.utf8)) }

    /// Whether bytes contain any of the secrets.
    func isIn(_ bytes: Data) -> Bool {
        forms.contains { bytes.range(of: $0) != nil }
    }

    static func forms(_ secret: String) -> [String] {
        var json = JSONWriter()
        json.value(secret)
        let escaped = String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
        let units = secret.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let component = percent(secret)
        return [
            secret, component, component.replacing("%20", with: "+"), percent(component),
            lowerHex(component), escaped, escaped.replacing("/", with: "\\/"), units.joined(),
            base64(secret),
        ]
    }

    /// The text with all characters encoded except the unreserved ones (RFC 3986, section 2.3).
    static func percent(_ text: String) -> String {
        let kept = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: kept) ?? text
    }

    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Converts percent-encoding to lower case: `%C3` to `%c3`.
    private static func lowerHex(_ text: String) -> String {
        let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
        let rest = pieces.dropFirst().map { "%" + $0.prefix(2).lowercased() + $0.dropFirst(2) }
        return pieces[0] + rest.joined()
    }
}
