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
        guard case .json(let bytes, let ranges) = body else { return }
        for range in ranges where range.upperBound <= bytes.count {
            guard let value = JSONReader.value(at: [], in: Array(bytes[range])) else { continue }
            Self.add(value, to: &redactor)
        }
    }

    /// Every text and number in a value. What can only be true, false or null is hidden in its
    /// place, but would be found everywhere else.
    private static func add(_ value: JSONValue, to redactor: inout Redactor) {
        switch value {
        case .array(let values): for value in values { add(value, to: &redactor) }
        case .object(let object):
            for member in object.members { add(member.value, to: &redactor) }
        default: if let text = value.asString ?? value.numberText { redactor.add(text) }
        }
    }
}
