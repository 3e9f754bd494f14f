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
    static func isHarmless(_ name: String) -> Bool { harmless.contains(name) }

    /// Whether a value must not appear in any text: the name of its field is that of a secret, or
    /// is unknown and the value is not so short that it would match everywhere.
    package static func isSecret(_ value: String, of name: String) -> Bool {
        if Redactor.isSuspicious(name) { return true }
        return !isHarmless(name) && value.utf8.count >= Redactor.shortestPart
    }

    /// Whether the value of a header field of this name is shown.
    static func isHarmlessHeader(_ name: String) -> Bool { headers.contains(name.lowercased()) }

    /// Returns the object with `‹redacted›` in place of the values that are not shown.
    static func shown(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
        members.map { JSONObject.Member(key: $0.key, value: shown($0.value, of: $0.key)) }
    }

    /// Returns the strings and numbers in an object that are not shown, because the rest of the
    /// reply may repeat them. Known OAuth codes and the numbers of errors are not secret.
    ///
    /// - Parameter shown: The paths of further strings and numbers that are shown.
    static func hidden(
        _ members: [JSONObject.Member], besides shown: [ArraySlice<String>] = []
    ) -> [String] {
        members.flatMap { member in
            let rest = shown.filter { $0.first == member.key }.map { $0.dropFirst() }
            return hidden(member.value, of: member.key, besides: rest)
        }.filter { !OAuthErrorCode(rawValue: $0).isKnown }
    }

    private static func hidden(
        _ value: JSONValue, of name: String, besides shown: [ArraySlice<String>]
    ) -> [String] {
        if value.codeText != nil, shown.contains(where: \.isEmpty) { return [] }
        return switch value {
        case .object(let object): hidden(object.members, besides: shown)
        case .array(let elements): elements.flatMap { hidden($0, of: name, besides: []) }
        case .string(let text) where !isHarmless(name): [text]
        case .int, .number:
            isHarmless(name) || name.hasPrefix("error") ? [] : value.numberText.map { [$0] } ?? []
        default: []
        }
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
