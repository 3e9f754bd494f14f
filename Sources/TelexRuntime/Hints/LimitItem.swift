/// One item of a list of structured fields with its parameters (RFC 9651, sections 3.1 and 3.3), as
/// far as rate limits need them: `"default";r=50;t=30`.
struct LimitItem: Equatable, Sendable {
    /// A string or a token, without its quotes.
    var name: String
    /// Their values as written; of several with one name, the last.
    var parameters: [String: String] = [:]

    /// How many items of a list are read: no server has so many limits.
    static let most = 64

    /// The items of a list. One that cannot be read is left out, not the others.
    static func list(_ text: String) -> [LimitItem] {
        split(text, at: ",").prefix(most).compactMap { item in
            let parts = split(item, at: ";").map { String($0.withoutOptionalSpace) }
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

    /// The pieces between marks that are not within quotes.
    private static func split(
        _ text: some StringProtocol, at mark: Unicode.Scalar
    ) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == mark, !isQuoted {
                pieces.append("")
                continue
            }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && scalar == "\\" && !isEscaped
            pieces[pieces.count - 1].unicodeScalars.append(scalar)
        }
        return pieces
    }
}
