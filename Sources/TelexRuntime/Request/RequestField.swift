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

    /// What is sent for it.
    enum Content: Sendable {
        /// A text under its own name. Most are that, and a pair would be three times as large.
        case text(String)
        case pairs([Pair])
        /// The value of the credential with this name, if there is one.
        case credential(String)

        /// Whether it is the credential's own token or refresh token.
        var isToken: Bool {
            guard case .credential(let key) = self else { return false }
            return key == "access_token" || key == "refresh_token"
        }
    }

    /// What as a whole segment of a path would lead to another place.
    static let emptySegments = ["", ".", ".."]

    /// The parameter's own name.
    let name: String
    let content: Content
    let isSensitive: Bool
    /// Whether a JSON body has the value as a number.
    let isNumber: Bool

    init(name: String, _ content: Content, isSensitive: Bool = false, isNumber: Bool = false) {
        self.name = name
        self.content = content
        self.isSensitive = isSensitive || content.isToken
        self.isNumber = isNumber
    }

    /// Whether nobody may see the value.
    var isHidden: Bool {
        if isSensitive || Redactor.isSuspicious(name) { return true }
        guard case .pairs(let pairs) = content else { return false }
        return pairs.contains { Redactor.isSuspicious(formName: $0.name) }
    }

    /// Whether nobody may see what is sent for it: not all values of a credential are secrets.
    var isSecret: Bool {
        isHidden || credentialKey.map { Redactor.isSuspicious($0) } == true
    }

    /// Whether nobody may see the value in a header field, where more names say that it is secret.
    var isSecretInHeader: Bool { isHidden || Redactor.isSecretHeader(name) }

    /// What is sent, whatever the credential is.
    var pairs: [Pair] {
        switch content {
        case .text(let text): [Pair(name: name, texts: [text])]
        case .pairs(let pairs): pairs
        case .credential: []
        }
    }

    /// The name of the value of the credential that is sent.
    var credentialKey: String? {
        if case .credential(let key) = content { key } else { nil }
    }

    /// What is sent with this credential.
    func pairs(_ credential: Credential?) -> [Pair] {
        guard let credentialKey else { return pairs }
        return credential?.value(named: credentialKey).map { [Pair(name: name, texts: [$0])] } ?? []
    }
}
