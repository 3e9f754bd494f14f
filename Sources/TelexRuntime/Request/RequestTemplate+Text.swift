extension RequestTemplate {
    /// The request in the manner of `curl`, for people: secrets are hidden, and of a body that is no
    /// form only its kind and size are told.
    ///
    /// - Parameters:
    ///   - server: What stands before the path.
    ///   - token: Where a token will be, so that it is seen to be there.
    func text(server: String, token: AuthRules.Placement? = nil) -> String {
        var items = query.flatMap { shown($0, PercentEncoding.component) }
        if case .query(let name) = token { items.append("\(name)=\(Redactor.mark)") }
        let target = items.isEmpty ? shownPath : "\(shownPath)?\(items.joined(separator: "&"))"
        var words = ["curl -X \(endpoint.method.rawValue)", quoted(server + target)]
        words += headers.flatMap { field in
            shown(field, { $0 }, isHidden: Redactor.isSecretHeader(field.name)).map {
                "-H " + quoted($0.replacing("=", with: ": ", maxReplacements: 1))
            }
        }
        words += tokenWords(token)
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
            if template.onlyParameter != nil, let address = Address(value) {
                return address.redacted
            }
            return PercentEncoding.component(value)
        }.joined()
    }

    private func tokenWords(_ token: AuthRules.Placement?) -> [String] {
        switch token {
        case nil, .query: []
        case .header(let name, _): ["-H " + quoted("\(name): \(Redactor.mark)")]
        case .bearer: ["-H " + quoted("Authorization: Bearer \(Redactor.mark)")]
        case .cookie(let name): ["-b " + quoted("\(name)=\(Redactor.mark)")]
        case .form(let name), .json(let name), .body(let name):
            ["-d " + quoted("\(name)=\(Redactor.mark)")]
        }
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
                shown(field, isMultipart ? { $0 } : PercentEncoding.form)
                    .map { (isMultipart ? "-F " : "-d ") + quoted($0) }
            }
        }
    }

    /// `name=value`, or `name=‹redacted›`.
    private func shown(
        _ field: RequestField, _ encode: (String) -> String, isHidden: Bool = false
    ) -> [String] {
        if let key = field.credentialKey { return ["\(encode(field.name))=‹\(key)›"] }
        if field.isHidden || isHidden { return ["\(encode(field.name))=\(Redactor.mark)"] }
        return field.pairs.map { Self.item($0, encode) }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
