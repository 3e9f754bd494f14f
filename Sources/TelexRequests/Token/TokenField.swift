import TelexCredentials
import TelexInspection
import TelexJSON

/// The rules for showing fields of token requests and their replies. Most of these fields are
/// secret, so only fields known to be harmless are shown.
package enum TokenField {
    /// The names of fields whose values are shown, except for secrets in them (RFC 6749, sections
    /// 2.2, 3.3, 5.1 and 5.2; RFC 8628, section 3.2).
    private static let harmless: Set<String> = [
        "grant_type", "client_id", "scope", "token_type", "expires_in", "interval", "error",
        "error_description",
    ]

    /// The header fields whose values are shown, except for secrets in them.
    private static let headers: Set<String> = [
        "accept", "content-type", "content-length", "content-encoding", "date", "retry-after",
        "cache-control", "pragma", "www-authenticate", "x-request-id",
    ]

    /// Whether the value of a field of this name is shown.
    package static func isHarmless(_ name: String) -> Bool { harmless.contains(name) }

    /// Whether a value must not appear in any text: the name of its field is that of a secret, or
    /// is unknown and the value is not so short that it would match everywhere.
    package static func isSecret(_ value: String, of name: String) -> Bool {
        if Redactor.isSuspicious(name) { return true }
        return !isHarmless(name) && value.utf8.count >= Redactor.shortestPart
    }

    /// Whether the value of a header field of this name is shown.
    static func isHarmlessHeader(_ name: String) -> Bool { headers.contains(name.lowercased()) }

    /// Returns the object with `‹redacted›` in place of the values that are not shown.
    package static func shown(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
        members.map { JSONObject.Member(key: $0.key, value: shown($0.value, of: $0.key)) }
    }

    private static func shown(_ value: JSONValue, of name: String) -> JSONValue {
        switch value {
        case .object(let object): .object(JSONObject(shown(object.members)))
        case .array(let elements): .array(elements.map { shown($0, of: name) })
        case .null: .null
        default: isHarmless(name) ? value : .string(Redactor.mark)
        }
    }
}
