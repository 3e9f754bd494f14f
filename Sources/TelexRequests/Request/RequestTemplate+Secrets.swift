import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

extension RequestTemplate {
    /// Adds every secret in the request besides those of the credential itself.
    package func addSecrets(to redactor: inout Redactor, _ credential: Credential?) {
        for field in hiddenFields {
            for pair in field.pairs(credential) {
                redactor.add(pair.value)
                for form in PathPlaceholder.forms(of: pair.value) { redactor.add(form) }
                if pair.texts.count > 1 { for text in pair.texts { redactor.add(text) } }
            }
        }
        for value in secretHeaders(credential) { redactor.add(header: value) }
        addSignature(to: &redactor)
        addSecretsOfBody(to: &redactor)
    }

    /// Whether an address contains the token or a sensitive value, which only the first origin may
    /// receive. Short values would match everywhere, so they count only as a whole piece of the
    /// path or the query.
    package func containsSecret(
        in address: Address, credential: Credential?, placement: AuthRules.Placement?
    ) -> Bool {
        var redactor = Redactor()
        if let credential { redactor.add(credential) }
        let tokens = credential.map { Self.tokenSecrets($0, placement) } ?? []
        let secrets = sensitiveTexts(credential) + tokens
        for secret in secrets { redactor.add(part: secret) }
        let text = address.authority + address.target
        guard redactor.redact(text) == text else { return true }
        // Host names are in lower case.
        var hosts = Redactor()
        for secret in secrets + [credential?.token ?? ""] { hosts.add(part: secret.lowercased()) }
        guard hosts.redact(address.authority) == address.authority else { return true }
        let short = Set(secrets.filter { $0.utf8.count < Redactor.shortestPart })
        let pieces =
            address.target.split { "/?&=".contains($0) } + address.path.split(separator: "/")
        return pieces.contains { short.contains(PercentEncoding.decode($0)) }
    }

    /// Returns the values that are declared sensitive and those of header fields with credentials.
    private func sensitiveTexts(_ credential: Credential?) -> [String] {
        let hidden = hiddenFields.flatMap {
            $0.pairs(credential).flatMap {
                [$0.value] + PathPlaceholder.forms(of: $0.value) + $0.texts
            }
        }
        let headers = secretHeaders(credential).flatMap { header in
            let secrets = HeaderSecrets(header)
            return [header] + secrets.credentials + secrets.distinctiveValues
        }
        return (hidden + headers + sensitiveValues.flatMap(Self.texts(of:))).filter { !$0.isEmpty }
    }

    /// Returns the secrets inside the header field with the token, such as the password of `Basic`.
    static func tokenSecrets(
        _ credential: Credential, _ placement: AuthRules.Placement?
    ) -> [String] {
        guard case .header = placement,
            let (_, value) = try? tokenField(placement, credential.token)
        else { return [] }
        let secrets = HeaderSecrets(value)
        return (secrets.credentials + secrets.distinctiveValues).filter { !$0.isEmpty }
    }

    /// Whether the request has sensitive values besides the token.
    package var hasSecrets: Bool {
        !hiddenFields.isEmpty || headers.contains(where: \.isSecretInHeader)
    }

    /// The parameters that are declared sensitive or have a secret name.
    private var hiddenFields: [RequestField] {
        (path + query + formFields).filter(\.isHidden)
    }

    /// Returns the values of header fields that must be redacted.
    private func secretHeaders(_ credential: Credential?) -> [String] {
        headers.filter(\.isSecretInHeader).flatMap { $0.pairs(credential) }.map(\.value)
    }

    /// Adds the values in the query of a whole address. They may contain the permission, as in
    /// signed URLs.
    private func addSignature(to redactor: inout Redactor) {
        guard let query = wholeAddress?.query else { return }
        for item in query.split(separator: "&") {
            let value = item.drop { $0 != "=" }.dropFirst()
            redactor.add(part: PercentEncoding.decode(value))
        }
    }

    /// Adds the sensitive values of a JSON body. A single value is a secret like that of a
    /// parameter. Texts inside a sensitive object or list may be common words, so short ones are
    /// redacted only in their place.
    private func addSecretsOfBody(to redactor: inout Redactor) {
        for value in sensitiveValues {
            if let text = Self.text(of: value) {
                redactor.add(text)
            } else {
                for text in Self.texts(of: value) { redactor.add(part: text) }
            }
        }
    }

    /// The values of a JSON body that are declared sensitive.
    private var sensitiveValues: [JSONValue] {
        guard case .json(let bytes, let ranges) = body else { return [] }
        return ranges.filter { $0.upperBound <= bytes.count }.compactMap {
            JSONReader.value(at: [], in: Array(bytes[$0]))
        }
    }

    /// Returns every string and number in a value. Booleans and null are redacted in their place
    /// only, because they would match everywhere else.
    private static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .array(let values): values.flatMap(texts(of:))
        case .object(let object): object.members.flatMap { texts(of: $0.value) }
        default: text(of: value).map { [$0] } ?? []
        }
    }

    /// Returns the text of a single string or number; nil for other values.
    private static func text(of value: JSONValue) -> String? { value.asString ?? value.numberText }
}
