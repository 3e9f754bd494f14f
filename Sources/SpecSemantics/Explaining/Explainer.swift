import SpecDiagnostics
import SpecSyntax

/// Collects the effective settings and parameters of a method.
struct Explainer {
    private(set) var values: [ExplainedValue] = []
    private let isSensitive: (ParameterSyntax) -> Bool

    init(
        api: APISyntax, group: GroupSyntax, method: MethodSyntax, template: TemplateSyntax?,
        isWholeAddress: Bool,
        isSensitive: @escaping (ParameterSyntax) -> Bool
    ) {
        self.isSensitive = isSensitive
        let cascade = SettingsCascade(api, group: group, method: method)
        if let verb = method.verb, let path = method.wholePath {
            values.add(verb.value.rawValue, value: path.value, at: path.span, origin: .method)
        }
        if let deprecation = method.documentation.deprecation {
            values.add(
                "deprecated", value: Self.shown(deprecation), at: method.name.span, origin: .method)
        }
        if isWholeAddress, let path = method.path {
            values.add("server", value: "from the URL", at: path.span, origin: .method)
        } else {
            addServer(cascade)
        }
        addAuth(cascade)
        values += OperationExplanation(cascade, method: method).values
        values.add("dates", cascade.dates) { $0 }
        values.add("success", cascade.statuses, shown: Self.shown)
        values.add("absent", cascade.absent, shown: Self.shown)
        values.add("present", cascade.present, shown: Self.shown)
        values.add("where", cascade.conditions, shown: Self.shown)
        // A download is written to its file unchanged, so `unwrap` does not apply.
        if method.call.kind?.value != .download {
            values.add("unwrap", cascade.unwrap, shown: Self.shown)
        }
        values.add("accepts", cascade.accepts) {
            $0.isEmpty ? "none" : $0.joined(separator: ", ")
        }
        values.add("validate", cascade.validationMode, shown: \.rawValue)
        values.add("checks", cascade.validationChecks) {
            $0.map(\.value.rawValue).joined(separator: ", ")
        }
        values.add("sample", cascade.validationSample) { "\($0)%" }
        addErrors(cascade)
        addParameters(cascade, method: method, isWholeAddress: isWholeAddress)
        if let type = method.contentType {
            values.add("content-type", value: type.value, at: type.span, origin: .method)
        }
        if let body = method.body {
            values.add("body", value: Self.shown(body), at: body.span, origin: .method)
        }
        if let returns = method.returns {
            values.add("returns", value: Self.shown(returns), at: returns.span, origin: .method)
        }
        if let template = method.template {
            values.add("template", value: template.value, at: template.span, origin: .method)
        } else if let template {
            values.add(
                "template", value: template.name, at: template.source.start, origin: .method)
        }
        for reply in method.replies {
            let value = "\(reply.status.value): \(Self.shown(reply.type))"
            values.add("returns", value: value, at: reply.status.span, origin: .method)
        }
        for field in method.replyHeaders?.type.fields ?? [] {
            values.add(
                "reply header \(field.key.value)", value: Self.shown(field.type),
                at: field.key.span, origin: .method)
        }
        for item in method.extractions {
            values.add(
                "extract \(item.name.value)", value: Self.shown(item.path.value),
                at: item.name.span, origin: .method)
        }
        if let visibility = method.visibility {
            values.add(
                "visibility", value: visibility.value.rawValue, at: visibility.span, origin: .method
            )
        }
        if let pages = method.pages {
            values.add(
                "pages", value: Self.shown(pages.node), at: pages.span, origin: .method)
        }
        if let login = method.login, let token = login.token {
            values.add(
                "login", value: "token at \(Self.shown(token.value))", at: login.span,
                origin: .method)
        }
    }

    private mutating func addServer(_ cascade: SettingsCascade) {
        values.add("server", cascade.server) { name in
            let url = cascade.api.servers.first { $0.name.value == name }?.url.value
            return name + (url.map { " (\($0))" } ?? "")
        }
    }

    private mutating func addAuth(_ cascade: SettingsCascade) {
        values.add("auth", cascade.authentication, shown: \.shown)
        for auth in cascade.schemes {
            guard let place = auth.placement else { continue }
            let name = auth.name.map { " \($0.value)" } ?? ""
            values.add(
                "auth", value: "token in \(place.value.rawValue)\(name)", at: auth.span,
                origin: .api)
            let isFirst = auth.span == cascade.api.auth?.span
            if isFirst { values.add("expired", cascade.expired, shown: \.shown) }
            if let refresh = auth.refresh { add(refresh) }
        }
    }

    private mutating func add(_ refresh: RefreshSyntax) {
        switch refresh {
        case .app(let span): values.add("refresh", value: "app", at: span, origin: .api)
        case .request(let request):
            if let url = request.url {
                values.add("refresh", value: "post \(url.value)", at: url.span, origin: .api)
            }
        case .method(let syntax):
            values.add(
                "refresh", value: "method \(syntax.method.value)", at: syntax.method.span,
                origin: .api)
        case .handedOut(let syntax):
            let status = syntax.status.map { "status \($0.value)" } ?? "a refusal"
            values.add("refresh", value: status, at: syntax.span, origin: .api)
        }
    }

    private mutating func addErrors(_ cascade: SettingsCascade) {
        values.add("errors at", cascade.errorsAt, shown: Self.shown)
        values.add("error code", cascade.errorCode, shown: Self.shown)
        values.add("error message", cascade.errorMessage) { paths in
            paths.isEmpty ? "none" : paths.map(Self.shown).joined(separator: " | ")
        }
        values.add("error model", cascade.errorModel) { $0 }
        values.add("error retry-after", cascade.errorRetryAfter) {
            Self.shown($0.at.value) + ($0.isInMilliseconds ? ", in ms" : ", in s")
        }
        values.add("error cases", cascade.nearestErrorCase) { _ in
            cascade.errorCases.map(\.name.value).joined(separator: ", ")
        }
    }

    /// Adds the sent parameters; the nearest one wins. A base parameter stays if its override may
    /// be left out. The token overrides a header of all methods. A whole URL gets no base query,
    /// and base headers only at the origin of its server.
    private mutating func addParameters(
        _ cascade: SettingsCascade, method: MethodSyntax, isWholeAddress: Bool
    ) {
        let schemes = cascade.schemes
        func isSent(_ parameter: ParameterSyntax) -> Bool {
            parameter.location != .header || !schemes.contains { $0.takes(parameter) }
        }
        let inherited = cascade.groupParameters
        let always = (inherited + method.parameters).filter(\.isAlwaysSent)
        let taken = Set(always.map(\.identity))
        let base = cascade.api.parameters.filter { !isWholeAddress || $0.location == .header }
        for parameter in base.filter(isSent) where !taken.contains(parameter.identity) {
            add(
                parameter, origin: .api,
                condition: isWholeAddress ? ", at the origin of the method's server" : "")
        }
        for parameter in inherited.filter(isSent) { add(parameter, origin: .group) }
        for parameter in undeclared(method) + method.parameters {
            add(parameter, origin: origin(of: parameter, in: method, cascade.api))
        }
    }

    /// The parameters of the path that only its placeholders declare.
    private func undeclared(_ method: MethodSyntax) -> [ParameterSyntax] {
        let declared = Set(method.parameters.filter { $0.location == .path }.map(\.sentKey.value))
        guard let path = method.wholePath else { return [] }
        let names = PathSyntax.placeholders(of: path.value)
        return names.filter { !declared.contains($0) }.map { PathSyntax.parameter($0, of: path) }
    }

    /// Where a parameter of a method is declared: a shared path may be that of the API or the
    /// group.
    private func origin(
        of parameter: ParameterSyntax, in method: MethodSyntax, _ api: APISyntax
    ) -> ExplainedValue.Origin {
        let place = parameter.key.span
        if place.file == api.span.file { return .api }
        return method.span.joined(with: place) == method.span ? .method : .group
    }

    /// - Parameter condition: The condition under which it is sent; empty for always.
    private mutating func add(
        _ parameter: ParameterSyntax, origin: ExplainedValue.Origin, condition: String = ""
    ) {
        let name = "\(parameter.location?.rawValue ?? "") \(parameter.key.value)"
        var value = Self.shown(parameter.type)
        let attributes = parameter.type.attributes
        if let constant = attributes.constant {
            value = "always \(Self.shown(constant))"
        } else if let given = attributes.defaultValue {
            value += ", default \(Self.shown(given))"
        }
        let sending = attributes.sending
        if sending.empty?.value == .omit { value += ", not sent if empty" }
        if sending.clamp != nil { value += ", clamped" }
        if let node = sending.serverDefault {
            value += ", default of the server \(Self.shown(node))"
        }
        for rule in attributes.rules {
            value += ", \(rule.name.value.rawValue) \(Self.shown(rule.argument))"
        }
        if isSensitive(parameter) { value += ", sensitive" }
        if let deprecation = attributes.documentation.deprecation {
            value += ", deprecated (\(Self.shown(deprecation)))"
        }
        values.add(name, value: value + condition, at: parameter.key.span, origin: origin)
    }
}

extension ParameterSyntax {
    /// Whether every call sends it: it is required or has a default.
    fileprivate var isAlwaysSent: Bool {
        // The credential may lack the value.
        type.optional == nil
            && type.attributes.credentialDefault?.text.hasPrefix("$token.") != true
    }
}
