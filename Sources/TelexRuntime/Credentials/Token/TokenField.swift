import TelexInspection
import TelexJSON

/// What people may see of the fields of a request for a token and of its reply. Both are made of
/// secrets, so nothing is shown but what is known to be none.
package enum TokenField {
    /// The names whose values may be seen, but for the secrets in them (RFC 6749, sections 2.2, 3.3,
    /// 5.1 and 5.2; RFC 8628, section 3.2).
    private static let harmless: Set<String> = [
        "grant_type", "client_id", "scope", "token_type", "expires_in", "interval", "error",
        "error_description",
    ]

    /// The header fields whose values may be seen, but for the secrets in them.
    private static let headers: Set<String> = [
        "accept", "content-type", "content-length", "content-encoding", "date", "retry-after",
        "cache-control", "pragma", "www-authenticate", "x-request-id",
    ]

    /// Whether the value of a field of this name may be seen.
    static func isHarmless(_ name: String) -> Bool { harmless.contains(name) }

    /// Whether a value must appear in no text: the name of its field says that it is a secret, or is not
    /// known, unless the value is so short that it would be found everywhere.
    package static func isSecret(_ value: String, of name: String) -> Bool {
        if Redactor.isSuspicious(name) { return true }
        return !isHarmless(name) && value.utf8.count >= Redactor.shortestPart
    }

    /// Whether the value of a header field of this name may be seen.
    static func isHarmlessHeader(_ name: String) -> Bool { headers.contains(name.lowercased()) }

    /// An object with the values that may be seen; `‹redacted›` stands for others.
    static func shown(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
        members.map { JSONObject.Member(key: $0.key, value: shown($0.value, of: $0.key)) }
    }

    /// The texts and numbers in an object that may not be seen, which the rest of the reply might repeat;
    /// codes of OAuth that everybody knows are no secrets, nor are the numbers of errors.
    ///
    /// - Parameter shown: The paths of texts and numbers that may be seen, too.
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
