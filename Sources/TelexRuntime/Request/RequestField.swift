/// A named value of a request, as text, not yet encoded for its place.
struct RequestField: Sendable {
    /// A name and the texts that are sent for it.
    struct Pair: Equatable, Sendable {
        var name: String
        var texts: [String]
        /// What stands between the texts.
        var separator = ""
        /// Whether the bare name says it all.
        var isBare = false

        /// The value, not encoded.
        var value: String { texts.joined(separator: separator) }
    }

    /// The parameter's own name.
    var name: String
    var pairs: [Pair]
    /// The value of the credential that is sent if there is no other.
    var credentialKey: String?
    var isSensitive = false

    /// Whether people may see the value.
    var isHidden: Bool { isSensitive || Redactor.isSuspicious(name) }

    /// What is sent with this credential.
    func pairs(_ credential: Credential?) -> [Pair] {
        guard let credentialKey else { return pairs }
        return credential?.values[credentialKey].map { [Pair(name: name, texts: [$0])] } ?? []
    }
}
