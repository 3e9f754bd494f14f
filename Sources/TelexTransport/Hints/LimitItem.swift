import TelexValues

/// One item of a structured-field list with its parameters (RFC 9651, sections 3.1 and 3.3), as far
/// as rate limits need them: `"default";r=50;t=30`.
struct LimitItem: Equatable, Sendable {
    /// A string or a token, without its quotes.
    package var name: String
    /// The parameter values as written; of parameters with the same name, the last.
    package var parameters: [String: String] = [:]

    /// The largest number of list items to read, more than any real server has limits.
    package static let most = 64

    /// Returns the items of a list, without those that cannot be parsed.
    package static func list(_ text: String) -> [LimitItem] {
        text.parts(at: ",").prefix(most).compactMap { item in
            let parts = item.parts(at: ";").map { String($0.withoutOptionalSpace) }
            guard let name = parts.first, !name.isEmpty, name.hasPrefix("\"") || !name.contains("=")
            else { return nil }
            var limit = LimitItem(name: name.replacing("\"", with: ""))
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                if pair.count == 2 { limit.parameters[pair[0]] = pair[1] }
            }
            return limit
        }
    }
}
