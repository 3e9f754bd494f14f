import TelexJSON

extension RequestTemplate {
    /// Knows every secret that the request holds, with the token in its place.
    func redactor(_ credential: Credential?, _ placement: AuthRules.Placement?) -> Redactor {
        var redactor = Redactor()
        if let credential { redactor.add(credential) }
        for secret in tokenSecrets(credential, placement) { redactor.add(part: secret) }
        for field in hiddenFields {
            for pair in field.pairs(credential) {
                redactor.add(pair.value)
                if pair.texts.count > 1 { for text in pair.texts { redactor.add(text) } }
            }
        }
        for value in secretHeaders(credential) { redactor.add(header: value) }
        addSignature(to: &redactor)
        addSecretsOfBody(to: &redactor)
        return redactor
    }

    /// Whether an address repeats what only the first origin may see: the token, or a value that is
    /// declared sensitive. Short values would be found everywhere, so that they count only where
    /// they are a whole piece of the path or the query.
    func showsSecret(
        in address: Address, _ credential: Credential?, _ placement: AuthRules.Placement?
    ) -> Bool {
        var redactor = Redactor()
        if let credential { redactor.add(credential) }
        let secrets = guardedTexts(credential) + tokenSecrets(credential, placement)
        for secret in secrets { redactor.add(part: secret) }
        let text = address.authority + address.target
        guard redactor.redact(text) == text else { return true }
        // A host has no capitals.
        var hosts = Redactor()
        for secret in secrets + [credential?.token ?? ""] { hosts.add(part: secret.lowercased()) }
        guard hosts.redact(address.authority) == address.authority else { return true }
        let short = Set(secrets.filter { $0.utf8.count < Redactor.shortestPart })
        return address.target.split { "/?&=".contains($0) }.contains {
            short.contains(PercentEncoding.decode($0))
        }
    }

    /// The values that are declared sensitive, and those of header fields that carry credentials.
    private func guardedTexts(_ credential: Credential?) -> [String] {
        let hidden = hiddenFields.flatMap {
            $0.pairs(credential).flatMap { [$0.value] + $0.texts }
        }
        let headers = secretHeaders(credential).flatMap { header in
            let secrets = HeaderSecrets(header)
            return [header] + secrets.credentials + secrets.tellingValues
        }
        return (hidden + headers + sensitiveValues.flatMap(Self.texts(of:))).filter { !$0.isEmpty }
    }

    /// What is secret by itself in the header field with the token: the password in one of `Basic`.
    private func tokenSecrets(
        _ credential: Credential?, _ placement: AuthRules.Placement?
    ) -> [String] {
        guard let token = credential?.token, case .header = placement,
            let (_, value) = try? tokenField(placement, token)
        else { return [] }
        let secrets = HeaderSecrets(value)
        return (secrets.credentials + secrets.tellingValues).filter { !$0.isEmpty }
    }

    /// The parameters that are declared sensitive, or have names that say so.
    private var hiddenFields: [RequestField] {
        (path + query + formFields).filter(\.isHidden)
    }

    /// The values of header fields that nobody may see.
    private func secretHeaders(_ credential: Credential?) -> [String] {
        headers.filter(\.isSecretInHeader).flatMap { $0.pairs(credential) }.map(\.value)
    }

    /// A whole address, as an earlier reply gave it, carries its permission in its query.
    private func addSignature(to redactor: inout Redactor) {
        guard let query = wholeAddress?.query else { return }
        for item in query.split(separator: "&") {
            let value = item.drop { $0 != "=" }.dropFirst()
            redactor.add(part: PercentEncoding.decode(value))
        }
    }

    /// A value that is declared sensitive is a secret like that of a parameter. What a whole object
    /// or list of them holds may be any word: those that are short are hidden in their place alone.
    private func addSecretsOfBody(to redactor: inout Redactor) {
        for value in sensitiveValues {
            if let text = Self.text(of: value) {
                redactor.add(text)
            } else {
                for text in Self.texts(of: value) { redactor.add(part: text) }
            }
        }
    }

    /// What is declared sensitive in a JSON body.
    private var sensitiveValues: [JSONValue] {
        guard case .json(let bytes, let ranges) = body else { return [] }
        return ranges.filter { $0.upperBound <= bytes.count }.compactMap {
            JSONReader.value(at: [], in: Array(bytes[$0]))
        }
    }

    /// Every text and number in a value. What can only be true, false or null is hidden in its
    /// place, but would be found everywhere else.
    private static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .array(let values): values.flatMap(texts(of:))
        case .object(let object): object.members.flatMap { texts(of: $0.value) }
        default: text(of: value).map { [$0] } ?? []
        }
    }

    /// A value that is one text or number.
    private static func text(of value: JSONValue) -> String? { value.asString ?? value.numberText }
}
