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

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        let limits = JSONLimits(bytes: TokenEndpoint.maximumReplyBytes, depth: 16)
        let result = JSONReader.read(bytes, limits: limits) { json -> JSONValue? in json.value() }
        return result.report.isValid ? result.value?.asObject : nil
    }

    // MARK: Refusals

    /// The server's no (RFC 6749, section 5.2).
    private func refusal(status: Int) -> CredentialError? {
        // Not `nil`, which is also a way to write JSON's null.
        let error = members["error"].flatMap { $0.saysNothing ? Optional.none : $0 }
        if let code = error?.asString {
            let refusal = CredentialError(
                refusedBy: place, code: code, words: members["error_description"]?.asString,
                hiding: redactor)
            // Not a code but the name of the status, say: what a server has to say that is down.
            guard status == 429 || status >= 500, !OAuthErrorCode(rawValue: code).isKnown else {
                return refusal
            }
            return CredentialError(.status(status), "\(refusal.message) (status \(status))")
        }
        guard error != nil || !(200...299).contains(status) else { return nil }
        return CredentialError(
            .status(status), "\(place) refused without a code for why (status \(status))")
    }
}

extension JSONValue {
    /// Whether it is how servers say that there is no error.
    fileprivate var saysNothing: Bool {
        kind == .null || asString == "" || asBool == false || numberText == "0"
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
