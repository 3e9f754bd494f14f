import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers methods.
extension Analyzer {
    /// The scope of a method declaration.
    struct MethodScope {
        let group: GroupSyntax
        let groupName: String
        let api: APISyntax
    }

    mutating func method(
        _ syntax: MethodSyntax, in scope: MethodScope, nested: inout [Model]
    ) -> Method? {
        let apiName = MethodSyntax.fullName(syntax.name.value, in: scope.groupName)
        guard let caseName = caseName(apiName, syntax), let name = name(of: syntax, scope) else {
            return nil
        }
        let cascade = SettingsCascade(scope.api, group: scope.group, method: syntax)
        let dates = dateForm(cascade)
        let prefix = namer.upperCamel(apiName) ?? ""
        let parameters = parameters(
            syntax, cascade, prefix: prefix, dates: dates, nested: &nested)
        checkArguments(parameters, of: "method `\(syntax.name.value)`")
        checkBody(syntax)
        checkSuccess(cascade)
        if let expired = syntax.settings.expired {
            checkExpired(expired, api: scope.api, rules: [Self.successRules(cascade)])
        }
        let auth = isAuthenticated(cascade)
        if auth {
            checkTokenPlace(syntax, in: scope, parameters: parameters.map(\.lowered))
        }
        let output = output(syntax, prefix: prefix, dates: dates, nested: &nested)
        let operation = operation(
            syntax, in: scope, cascade, output: output, parameters: parameters.map(\.lowered))
        let method = Method(
            apiName: apiName, name: name, caseName: caseName,
            documentation: documentation(syntax.documentation),
            verb: syntax.verb?.value ?? .get, path: syntax.path?.value ?? "",
            parameters: parameters.map(\.lowered), body: Self.body(syntax),
            output: operation.kind == .download ? .file : output,
            server: serverName(cascade.server),
            isAuthenticated: auth,
            timeouts: Self.ownTimeouts(cascade),
            session: cascade.session?.value ?? .shared, operation: operation,
            reply: Self.ownSuccessRules(cascade),
            expiry: auth ? Self.ownExpiry(cascade) : nil)
        methods.append(CheckedMethod(syntax: syntax, cascade: cascade, lowered: method))
        return method
    }

    // MARK: Names

    private mutating func caseName(_ apiName: String, _ syntax: MethodSyntax) -> String? {
        valueName(
            Located(apiName, at: syntax.name.span), given: nil,
            reserved: ["self", "Type", "Self", "allCases", "rawValue", "endpoint", "init"])
    }

    /// The Swift function: the API name without the prefix of the group.
    private mutating func name(of syntax: MethodSyntax, _ scope: MethodScope) -> String? {
        var key = syntax.name
        let parts = key.value.split { $0 == "." || $0 == "/" || $0 == ":" }
        let depth = scope.groupName.split(separator: ".").count
        let group = parts.prefix(depth).joined(separator: ".")
        if parts.count > depth, namer.lowerCamel(group) == namer.lowerCamel(scope.groupName) {
            key.value = parts.dropFirst(depth).joined(separator: ".")
        }
        return valueName(key, given: syntax.swiftName, reserved: ["self", "Type", "Self", "init"])
    }

    // MARK: Body

    private static func body(_ syntax: MethodSyntax) -> Body {
        switch syntax.bodyKey?.value {
        case .json: .json
        case .form: .form
        case .multipart: .multipart
        case .body: .whole
        case nil: .none
        }
    }

    private mutating func checkBody(_ syntax: MethodSyntax) {
        guard let key = syntax.bodyKey, let verb = syntax.verb,
            verb.value.isRead
        else { return }
        bag.report(
            .bodyNotAllowed, "a `\(verb.value.rawValue)` request has no body", at: key.span,
            notes: [Diagnostic.Note("the verb is here", at: verb.span)],
            help: "send the values as `query`, or use another verb (RFC 9110 §9.3.1)")
    }

    // MARK: Reply

    private mutating func output(
        _ syntax: MethodSyntax, prefix: String, dates: DateForm, nested: inout [Model]
    ) -> Output {
        guard let returns = syntax.returns else { return .nothing }
        if case .named("nothing") = returns.form {
            if let place = returns.optional ?? returns.nullable {
                bag.report(.optionalNotAllowed, "nothing cannot be missing", at: place)
            }
            return .nothing
        }
        if isDownloaded(returns, syntax) { return .file }
        if let place = returns.optional {
            bag.report(
                .optionalNotAllowed, "a reply cannot be optional", at: place,
                help: "write `T | null` if the value may be null")
        }
        let context = TypeContext(
            place: .reply, key: "reply", span: syntax.name.span, parent: "", prefix: prefix,
            dates: dates)
        guard let value = value(returns, in: context, nested: &nested) else { return .nothing }
        if case .bytes = value.type { return .bytes }
        return .value(value)
    }

    /// Whether a download declares `returns: file`, which only a download can.
    private func isDownloaded(_ returns: TypeSyntax, _ syntax: MethodSyntax) -> Bool {
        guard case .named("file") = returns.form else { return false }
        return syntax.call.kind?.value == .download && returns.optional == nil
            && returns.nullable == nil
    }

    // MARK: Settings

    private mutating func serverName(_ name: SettingsCascade.Setting<String>?) -> String? {
        guard let name else { return nil }
        if symbols.servers[name.value] == nil {
            bag.report(
                .unknownServer, "unknown server `\(name.value)`", at: name.span,
                help: didYouMean(name.value, among: symbols.servers.keys).map {
                    "did you mean `\($0)`?"
                } ?? "declare it under `servers` in `api.yaml`")
        }
        return name.value == spec.api?.servers.first?.name.value ? nil : name.value
    }

    private mutating func isAuthenticated(_ cascade: SettingsCascade) -> Bool {
        if let wanted = cascade.authentication, wanted.value, cascade.api.auth == nil {
            bag.report(
                .authWithoutScheme, "`auth: required`, but the API has no `auth`",
                at: wanted.span, help: "declare `auth` in `api.yaml`")
        }
        return cascade.sendsToken
    }
}
