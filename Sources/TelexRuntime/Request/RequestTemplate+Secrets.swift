import TelexJSON

extension RequestTemplate {
    /// Knows every secret that the request holds.
    func redactor(_ credential: Credential?) -> Redactor {
        var redactor = Redactor()
        if let credential { redactor.add(credential) }
        for field in path + query + formFields where field.isHidden {
            for pair in field.pairs(credential) {
                redactor.add(pair.value)
                if pair.texts.count > 1 { for text in pair.texts { redactor.add(text) } }
            }
        }
        for field in headers where field.isHidden || Redactor.isSecretHeader(field.name) {
            for pair in field.pairs(credential) { redactor.add(header: pair.value) }
        }
        addSignature(to: &redactor)
        addSecretsOfBody(to: &redactor)
        return redactor
    }

    /// Whether an address repeats what only the first origin may see: the token, or a value that is
    /// declared sensitive. Short values would be found everywhere, so that they count only where
    /// they are a whole piece of the path or the query.
    func showsSecret(in address: Address, _ credential: Credential?) -> Bool {
        var redactor = Redactor()
        if let credential { redactor.add(credential) }
        let secrets = guardedTexts(credential)
        for secret in secrets { redactor.add(part: secret) }
        let text = address.authority + address.target
        guard redactor.redact(text) == text else { return true }
        let short = Set(secrets.filter { $0.utf8.count < Redactor.shortestPart })
        return address.target.split { "/?&=".contains($0) }.contains {
            short.contains(PercentEncoding.decode($0))
        }
    }

    /// The values that are declared sensitive, and those of header fields that carry credentials.
    private func guardedTexts(_ credential: Credential?) -> [String] {
        let hidden = (path + query + formFields).filter(\.isHidden).flatMap {
            $0.pairs(credential).flatMap { [$0.value] + $0.texts }
        }
        let secret = headers.filter { $0.isHidden || Redactor.isSecretHeader($0.name) }
        let values = secret.flatMap { $0.pairs(credential) }.map(\.value)
        let pieces = values.flatMap(Self.pieces(of:))
        return (hidden + values + pieces + bodyTexts).filter { !$0.isEmpty }
    }

    /// What may be a secret of its own in the value of a header field: what stands behind a scheme
    /// (RFC 9110, section 11.4), and the values of cookies. What is short may be any word.
    private static func pieces(of header: String) -> [String] {
        header.split { " ;,".contains($0) }.map { piece in
            // What fills up base 64 at the end begins no value.
            let end = piece.lastIndex { $0 != "=" } ?? piece.startIndex
            let start = piece[..<end].firstIndex(of: "=").map(piece.index(after:))
            return String(piece[(start ?? piece.startIndex)...end])
        }.filter { $0.utf8.count >= 8 }
    }

    private var formFields: [RequestField] {
        form.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    /// A whole address, as an earlier reply gave it, carries its permission in its query.
    private func addSignature(to redactor: inout Redactor) {
        guard let query = wholeAddress?.query else { return }
        for item in query.split(separator: "&") {
            let value = item.drop { $0 != "=" }.dropFirst()
            redactor.add(part: PercentEncoding.decode(value))
        }
    }

    private func addSecretsOfBody(to redactor: inout Redactor) {
        for text in bodyTexts { redactor.add(text) }
    }

    /// What is declared sensitive in a JSON body.
    private var bodyTexts: [String] {
        guard case .json(let bytes, let ranges) = body else { return [] }
        return ranges.filter { $0.upperBound <= bytes.count }.flatMap { range in
            JSONReader.value(at: [], in: Array(bytes[range])).map(Self.texts(of:)) ?? []
        }
    }

    /// Every text and number in a value. What can only be true, false or null is hidden in its
    /// place, but would be found everywhere else.
    private static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .array(let values): values.flatMap(texts(of:))
        case .object(let object): object.members.flatMap { texts(of: $0.value) }
        default: (value.asString ?? value.numberText).map { [$0] } ?? []
        }
    }
}
