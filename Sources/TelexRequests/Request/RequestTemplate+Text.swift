import TelexInspection
import TelexTransport

extension RequestTemplate {
    /// The request as a `curl` command for display, independent of the credential and the server.
    /// Secrets are redacted, and a body that is not a form is replaced by its kind and size.
    package var text: String {
        let items = query.flatMap { self.items($0, PercentEncoding.component) }
        let target = items.isEmpty ? shownPath : "\(shownPath)?\(items.joined(separator: "&"))"
        var command = CurlCommand(method: endpoint.method.rawValue, target: target)
        for field in headers {
            for (name, value) in values(field, isHidden: field.isSecretInHeader) {
                command.header(name, value)
            }
        }
        addBody(to: &command)
        return command.text
    }

    private var shownPath: String {
        let template = PathTemplate(endpoint.path)
        return template.pieces.map { piece in
            guard case .parameter(let text) = piece else {
                if case .literal(let text) = piece { return text }
                return ""
            }
            let placeholder = PathPlaceholder(text)
            guard let field = path.first(where: { $0.name == placeholder.name }) else {
                return "{\(text)}"
            }
            guard let pair = field.pairs.first, !field.isHidden else {
                return Redactor.mark
            }
            if isWholeAddress { return wholeAddress?.redacted ?? Redactor.mark }
            return placeholder.encode(pair)
        }.joined()
    }

    private func addBody(to command: inout CurlCommand) {
        switch body {
        case .json(let bytes, _):
            let members = formFields.compactMap(\.credentialKey).map { " and ‹\($0)›" }.joined()
            command.data("‹JSON, \(bytes.count) bytes›\(members)")
        case .bytes(let bytes, let type): command.data("‹\(type), \(bytes.count) bytes›")
        case .file(let file): command.data("‹\(file)›")
        case .none: for field in form { add(field, to: &command) }
        }
    }

    private func add(_ field: FormField, to command: inout CurlCommand) {
        switch field {
        case .file(let name, let file): command.part(name, file: file.name, type: file.type)
        case .field(let field) where isMultipart:
            for (name, value) in values(field, isHidden: field.isHidden) {
                command.part(name, value)
            }
        case .field(let field):
            for item in items(field, PercentEncoding.form) { command.data(item) }
        }
    }

    /// Returns `name=value`, encoded, or `name=‹redacted›`.
    private func items(_ field: RequestField, _ encode: (String) -> String) -> [String] {
        if let word = substitute(for: field, isHidden: field.isHidden) {
            return ["\(encode(field.name))=\(word)"]
        }
        return field.pairs.map { Self.item($0, encode) }
    }

    private func values(
        _ field: RequestField, isHidden: Bool
    ) -> [(name: String, value: String)] {
        if let word = substitute(for: field, isHidden: isHidden) { return [(field.name, word)] }
        return field.pairs.map { ($0.name, $0.value) }
    }

    /// Returns the placeholder for a value of the credential or a secret; nil for other values.
    private func substitute(for field: RequestField, isHidden: Bool) -> String? {
        if let key = field.credentialKey { return "‹\(key)›" }
        if field.isCallID { return "‹id of the call›" }
        return isHidden ? Redactor.mark : nil
    }
}
