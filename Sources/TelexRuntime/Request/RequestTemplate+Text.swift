extension RequestTemplate {
    /// The request in the manner of `curl`, for people, before it is known with which credential and
    /// to which server it goes: secrets are hidden, and of a body that is no form only its kind and
    /// size are told.
    var text: String {
        let items = query.flatMap { shown($0, PercentEncoding.component, isHidden: $0.isHidden) }
        let target = items.isEmpty ? shownPath : "\(shownPath)?\(items.joined(separator: "&"))"
        // With `-X HEAD`, `curl` would wait for a body.
        let verb = endpoint.method == .head ? "--head" : "-X \(endpoint.method.rawValue)"
        var words = ["curl \(verb)", quoted(target)]
        words += headers.flatMap { field in
            shown(field, { $0 }, isHidden: field.isSecretInHeader).map {
                "-H " + quoted($0.replacing("=", with: ": ", maxReplacements: 1))
            }
        }
        return (words + bodyWords).joined(separator: " ")
    }

    private var shownPath: String {
        let template = PathTemplate(endpoint.path)
        return template.pieces.map { piece in
            guard case .parameter(let name) = piece else {
                if case .literal(let text) = piece { return text }
                return ""
            }
            guard let field = path.first(where: { $0.name == name }) else { return "{\(name)}" }
            guard let value = field.pairs.first?.value, !field.isHidden else {
                return Redactor.mark
            }
            if isWholeAddress { return wholeAddress?.redacted ?? Redactor.mark }
            return PercentEncoding.component(value)
        }.joined()
    }

    private var bodyWords: [String] {
        switch body {
        case .json(let bytes, _): return ["-d " + quoted("‹JSON, \(bytes.count) bytes›")]
        case .bytes(let bytes, let type): return ["-d " + quoted("‹\(type), \(bytes.count) bytes›")]
        case .file(let file): return ["-T " + quoted("‹\(file)›")]
        case .none: break
        }
        return form.flatMap { field -> [String] in
            switch field {
            case .file(let name, let file):
                ["-F " + quoted("\(name)=@\(file.name);type=\(file.type)")]
            case .field(let field):
                shown(field, isMultipart ? { $0 } : PercentEncoding.form, isHidden: field.isHidden)
                    .map { (isMultipart ? "-F " : "-d ") + quoted($0) }
            }
        }
    }

    /// `name=value`, or `name=‹redacted›`.
    private func shown(
        _ field: RequestField, _ encode: (String) -> String, isHidden: Bool
    ) -> [String] {
        if let key = field.credentialKey { return ["\(encode(field.name))=‹\(key)›"] }
        if isHidden { return ["\(encode(field.name))=\(Redactor.mark)"] }
        return field.pairs.map { Self.item($0, encode) }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
