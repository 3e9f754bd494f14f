import HTTPTypes
import TelexInspection
import TelexJSON

extension RequestTemplate {
    /// The names of the app's secrets that the request sends.
    package var secretNames: [String] { sendsAppSecret ? fields.compactMap(\.secretName) : [] }

    /// Whether a token or a secret of the app is sent as a parameter.
    package var sendsSecret: Bool { sendsToken || sendsAppSecret }

    /// Returns the request with the tokens of all schemes that are sent like parameters, and with
    /// the app's secrets.
    ///
    /// - Parameter main: The token of the log-in, and its place.
    package func carrying(
        _ auth: CallAuth, main: (token: String, place: AuthRules.Placement)?
    ) -> RequestTemplate {
        var template = self
        if !auth.secrets.isEmpty { template.resolve(auth.secrets) }
        if let main { template.add(token: main.token, at: main.place) }
        for token in auth.tokens {
            guard let text = token.credential?.token, let place = token.scheme.rules.token
            else { continue }
            template.add(token: text, at: place)
        }
        return template
    }
}

extension RequestField {
    /// How a reference to a secret of the app begins.
    static let secretPrefix = "$secret."

    /// The name of the app's secret that is sent; nil if none is.
    var secretName: String? {
        guard let key = credentialKey, key.hasPrefix(Self.secretPrefix) else { return nil }
        return String(key.dropFirst(Self.secretPrefix.count))
    }
}

extension RequestTemplate {
    /// Adds a token as a sensitive parameter, which replaces one of the same name.
    fileprivate mutating func add(token: String, at place: AuthRules.Placement) {
        func field(_ name: String, _ text: String) -> RequestField {
            RequestField(name: name, content: .text(text), isSensitive: true)
        }
        switch place {
        case .path(let name):
            path.removeAll { $0.name == name }
            path.append(field(name, token))
        case .query(let name):
            query.removeAll { $0.name == name }
            query.append(field(name, token))
        case .form(let name), .json(let name), .body(let name):
            form.removeAll { $0.name == name }
            form.append(.field(field(name, token)))
        case .bearer, .header, .cookie: addHeader(token, at: place, field)
        }
    }

    private mutating func addHeader(
        _ token: String, at place: AuthRules.Placement, _ field: (String, String) -> RequestField
    ) {
        do throws(Violation) {
            guard let header = try RequestTemplate.tokenField(place, token) else { return }
            var (name, value) = (header.0.rawName, header.1)
            try RequestTemplate.check(token, in: header.0, value)
            let old = headers.first { $0.name.lowercased() == name.lowercased() }
            if header.0 == .cookie, let old = old?.pairs.first {
                value = "\(old.value); \(value)"
                name = old.name
            }
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            headers.append(field(name, value))
        } catch { foundViolations.append(error) }
    }

    /// Replaces the references to secrets of the app by the secrets.
    fileprivate mutating func resolve(_ secrets: [String: String]) {
        func resolved(_ field: RequestField) -> RequestField {
            guard let text = field.secretName.flatMap({ secrets[$0] }) else { return field }
            var resolved = RequestField(
                name: field.name, content: .text(text), isSensitive: true,
                isNumber: field.isNumber)
            resolved.isList = field.isList
            return resolved
        }
        path = path.map(resolved)
        query = query.map(resolved)
        headers = headers.map(resolved)
        form = form.map { part in
            if case .field(let field) = part { .field(resolved(field)) } else { part }
        }
        for header in headers where header.isSensitive {
            for pair in header.pairs where !HTTPField.isValidValue(pair.value) {
                foundViolations.append(
                    Violation(
                        path: header.name, rule: "header", expected: RequestBuilder.headerValue,
                        found: Redactor.mark))
            }
        }
    }
}
