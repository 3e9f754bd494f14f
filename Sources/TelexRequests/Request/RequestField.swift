import TelexCredentials
import TelexInspection

/// A named value of a request as text, not yet encoded for its place.
package struct RequestField: Sendable {
    /// A name and its texts.
    package struct Pair: Equatable, Sendable {
        package var name: String
        package var texts: [String]
        /// The separator between the texts.
        package var separator: String
        /// Whether only the bare name is sent.
        var isBare: Bool

        package init(name: String, texts: [String], separator: String = "", isBare: Bool = false) {
            self.name = name
            self.texts = texts
            self.separator = separator
            self.isBare = isBare
        }

        /// The value, not encoded.
        package var value: String { texts.joined(separator: separator) }
    }

    /// The content of a field.
    package enum Content: Sendable {
        /// A text under the field's own name. This is the common case, and a pair would be three
        /// times as large.
        case text(String)
        case pairs([Pair])
        /// The credential's value of this name, if there is one.
        case credential(String)
        /// The id of the call, which each call gives in place of this.
        case callID

        /// Whether the content is the credential's access token or refresh token.
        var isToken: Bool {
            guard case .credential(let key) = self else { return false }
            return key == "access_token" || key == "refresh_token"
        }
    }

    /// Texts that would change the path if they were a whole path segment.
    static let unsafeSegments = ["", ".", ".."]

    /// The parameter's own name.
    package let name: String
    package let content: Content
    package let isSensitive: Bool
    /// Whether a JSON body contains the value as a number.
    package let isNumber: Bool
    /// Whether a JSON body contains the value as the only element of a list.
    package var isList = false
    /// Whether the text is JSON, which a part says of itself.
    package var isJSON = false
    /// Whether an empty text is a value in the path.
    package var allowsEmpty = false

    package init(name: String, content: Content, isSensitive: Bool = false, isNumber: Bool = false)
    {
        self.name = name
        self.content = content
        self.isSensitive = isSensitive || content.isToken
        self.isNumber = isNumber
    }

    /// Whether the value must be redacted.
    package var isHidden: Bool {
        if isSensitive || Redactor.isSuspicious(name) { return true }
        guard case .pairs(let pairs) = content else { return false }
        return pairs.contains { Redactor.isSuspicious(formName: $0.name) }
    }

    /// Whether the sent value must be redacted, including a secret value of the credential. Not all
    /// values of a credential are secrets.
    package var isSecret: Bool {
        isHidden || credentialKey.map { Redactor.isSuspicious($0) } == true
    }

    /// Whether the value must be redacted in a header field, where more names mark secrets.
    var isSecretInHeader: Bool { isHidden || Redactor.isSecretHeader(name) }

    /// The pairs that do not depend on the credential.
    package var pairs: [Pair] {
        switch content {
        case .text(let text): [Pair(name: name, texts: [text])]
        case .pairs(let pairs): pairs
        case .credential, .callID: []
        }
    }

    /// The name of the credential's value that is sent; nil if none is.
    package var credentialKey: String? {
        if case .credential(let key) = content { key } else { nil }
    }

    /// Whether the id of the call is sent.
    var isCallID: Bool { if case .callID = content { true } else { false } }

    /// Returns the field with the id of the call in its place.
    func withCallID(_ id: String) -> RequestField {
        guard isCallID else { return self }
        return RequestField(
            name: name, content: .text(id), isSensitive: isSensitive, isNumber: isNumber)
    }

    /// Returns the pairs that are sent with this credential.
    package func pairs(_ credential: Credential?) -> [Pair] {
        guard let credentialKey else { return pairs }
        return credential?.value(named: credentialKey).map { [Pair(name: name, texts: [$0])] } ?? []
    }
}
