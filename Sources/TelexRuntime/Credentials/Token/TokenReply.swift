import TelexJSON

/// What a token server said, if it said yes: a JSON object.
package struct TokenReply: Sendable {
    /// The members of the object.
    package let members: JSONObject

    private let place: String
    private let redactor: Redactor

    /// Judges a reply.
    ///
    /// A reply with an `error` is a refusal whatever its status: some servers send 200.
    ///
    /// - Throws: `CredentialError` if it is no JSON object, or a refusal.
    init(_ reply: Reply, from place: String, hiding redactor: Redactor) throws(CredentialError) {
        self.place = place
        let object = Self.object(reply.body)
        self.redactor = redactor.adding(object)
        members = object ?? JSONObject()
        guard !(300...399).contains(reply.status) else {
            throw CredentialError(
                .redirected(status: reply.status),
                "\(place) redirected (status \(reply.status)), which is not followed with secrets "
                    + "in hand; use the address that it leads to")
        }
        if let refusal = refusal(status: reply.status) { throw refusal }
        guard object != nil else { throw malformed("is no JSON object") }
    }

    /// The error for a reply that is not as it has to be.
    package func malformed(_ why: String) -> CredentialError {
        CredentialError(.malformedReply, "the reply of \(place) \(why)")
    }

    /// Whether a text of the reply holds no secret.
    func isClean(_ text: String) -> Bool {
        redactor.redact(text) == text
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        let limits = JSONLimits(bytes: TokenEndpoint.maximumReplyBytes, depth: 16)
        let result = JSONReader.read(bytes, limits: limits) { json -> JSONValue? in json.value() }
        return result.report.isValid ? result.value?.asObject : nil
    }

    // MARK: Refusals

    /// The server's no (RFC 6749, section 5.2).
    private func refusal(status: Int) -> CredentialError? {
        let code = members["error"]?.asString.flatMap(readable)
        guard let code else {
            let isError = members["error"].map { $0.kind != .null } ?? false
            guard isError || !(200...299).contains(status) else { return nil }
            return CredentialError(
                .status(status), "\(place) refused without a code for why (status \(status))")
        }
        let words = members["error_description"]?.asString.flatMap(readable)
        let tail = words.map { " (it says: \($0))" } ?? ""
        let error = CredentialError(.refused(OAuthErrorCode(rawValue: code)), "")
        let advice = error.needsLogin ? "; log in again" : ""
        return CredentialError(error.reason, "\(place) refused: \(code)\(tail)\(advice)")
    }

    /// The server's words without secrets, control characters and excess; nil if nothing is left.
    private func readable(_ words: String) -> String? {
        let clean = redactor.redact(words).unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
                .unassigned:
                false
            default: true
            }
        }
        let text = String(String.UnicodeScalarView(clean.prefix(200)))
        return text.isEmpty ? nil : text
    }
}

extension Redactor {
    /// Knows also what the reply itself holds of secrets.
    fileprivate func adding(_ object: JSONObject?) -> Redactor {
        var redactor = self
        for member in object?.members ?? [] where Self.isSuspicious(member.key) {
            if let secret = member.value.asString { redactor.add(secret) }
        }
        return redactor
    }
}
