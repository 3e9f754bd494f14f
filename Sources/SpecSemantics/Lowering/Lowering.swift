import SpecIR
import SpecSyntax

/// Lowers a checked spec to the IR. It cannot fail: all errors have been reported.
struct Lowering {
    let spec: ResolvedSpec
    /// The error cases of the API, by their names in the spec.
    private let errorCases: [String: ResolvedErrorCase]

    init(_ checked: CheckedSpec) {
        spec = checked.resolved
        let named = spec.errorCases.map { ($0.specName, $0) }
        errorCases = Dictionary(named) { first, _ in first }
    }

    var api: API {
        let cascade = SettingsCascade(spec.api)
        let models = ModelLowering(spec)
        var api = API(
            name: spec.name, documentation: Documentation(spec.api.documentation),
            servers: spec.api.servers.map { Server($0) },
            baseParameters: spec.baseParameters.map { parameter($0) },
            reply: SuccessRules(cascade), errors: errorRules(cascade),
            errorCodes: errorCodes, auth: spec.api.auth.flatMap { AuthRules($0, of: spec.api) },
            timeouts: Timeouts(cascade), limits: ReplyLimits(spec.api.limits),
            traffic: Traffic(spec.api), retry: cascade.hasRetry ? retryPolicy(cascade) : nil,
            validation: ValidationPolicy(cascade),
            extras: Set(spec.api.generate.map(\.value)),
            groups: spec.groups.map { group($0, models) })
        GenericStructures(spec).apply(to: &api.groups)
        api.schemes = spec.api.schemes.dropFirst().compactMap { AuthRules($0, of: spec.api) }
        api.keepsCookies = spec.api.keepsCookies
        if !spec.spec.templates.isEmpty {
            api.templates = spec.api.templateCompatibility?.value ?? .documented
        }
        api.reachability = spec.api.reachability.map(\.value)
        return api
    }

    private var errorCodes: ErrorCodes {
        ErrorCodes(
            areIntegers: spec.errorCodesAreIntegers, cases: spec.errorCases.map { ErrorCase($0) })
    }

    /// The error format that applies; `nil` without one.
    private func errorRules(_ cascade: SettingsCascade) -> ErrorRules? {
        guard cascade.hasErrors else { return nil }
        let retryAfter = cascade.errorRetryAfter?.value
        let messages = cascade.errorMessage?.value ?? []
        return ErrorRules(
            at: cascade.errorsAt?.value ?? [], code: cascade.errorCode?.value ?? [],
            message: messages.first ?? [], furtherMessages: Array(messages.dropFirst()),
            retryAfter: retryAfter?.at.value ?? [],
            retryAfterIsInMilliseconds: retryAfter?.isInMilliseconds ?? false,
            model: cascade.errorModel.flatMap { spec.errorModels[$0.value] },
            cases: cases(cascade))
    }

    /// The cases that apply, as the enumeration of all has them. The nearest of each code wins: it
    /// may have another name, because a code can mean something else in a method.
    private func cases(_ cascade: SettingsCascade) -> [ErrorCase] {
        var codes: Set<String> = []
        return cascade.errorCases.compactMap { syntax in
            guard let known = errorCases[syntax.name.value], codes.insert(known.code).inserted
            else { return nil }
            var item = ErrorCase(known)
            item.isRetryable = syntax.isRetryable
            return item
        }
    }

    private func group(_ group: ResolvedGroup, _ models: ModelLowering) -> Group {
        var result = Group(
            apiName: group.syntax.name, sourcePath: group.syntax.path,
            fileName: OutputName.file(forSpec: group.syntax.path), names: group.names,
            documentation: Documentation(group.syntax.documentation),
            methods: group.methods.map(method),
            models: group.models.map(models.lowered).filter { !isPureMixin($0) })
        result.capabilities = group.syntax.capabilities.map { capability in
            Capability(
                name: capability.name.value,
                methods: capability.methods.compactMap { group.method(named: $0.value)?.apiName })
        }
        return result
    }

    /// Whether a model only lends its fields to others: no value of it is ever read or written.
    private func isPureMixin(_ model: Model) -> Bool {
        !model.isRead && !model.isWritten && spec.mixins.contains(model.apiName)
    }

    private func method(_ method: ResolvedMethod) -> Method {
        let cascade = method.cascade
        var lowered = Method(
            apiName: method.apiName, name: method.name, caseName: method.caseName,
            documentation: Documentation(method.syntax.documentation), verb: method.verb,
            path: method.path, parameters: method.parameters.map { parameter($0, of: method) },
            body: Body(method.syntax),
            output: method.kind == .download ? .file : method.output,
            replyHeaders: method.replyHeaders, login: method.syntax.login.flatMap(LoginRules.init),
            server: server(cascade),
            auth: method.isAuthenticated ? AuthUse(cascade.authentication?.value) : .none,
            timeouts: Timeouts(ownOf: cascade), session: cascade.session?.value ?? .shared,
            operation: operation(method), reply: SuccessRules(ownOf: cascade),
            errors: cascade.overridesAPI { $0.errors != nil } ? errorRules(cascade) : nil,
            expiry: method.isAuthenticated ? AuthRules.Expiry.own(cascade) : nil,
            extractions: method.extractions,
            validation: ValidationPolicy(ownOf: method, in: SettingsCascade(spec.api)),
            isCheckedByApp: method.isCheckedByApp)
        lowered.wrapper = method.syntax.wrapper.map {
            BodyWrapper(key: $0.key.value, isList: $0.isList)
        }
        lowered.pages = method.pages
        lowered.isInternal = method.syntax.visibility?.value == .internal
        lowered.rules = method.rules
        lowered.template = spec.templates[method.apiName]
        lowered.documentation.examples = spec.examples[method.syntax.name.span] ?? []
        return lowered
    }

    /// - Parameter method: The method of the parameter; nil for one of every request.
    private func parameter(
        _ resolved: ResolvedParameter, of method: ResolvedMethod? = nil
    ) -> Parameter {
        let syntax = resolved.syntax
        var parameter = Parameter(
            key: resolved.key, name: resolved.name, location: resolved.location,
            value: resolved.value, presence: resolved.presence, listStyle: resolved.listStyle,
            documentation: Documentation(syntax.type.attributes.documentation),
            isSensitive: resolved.isSensitive)
        parameter.fallback = resolved.fallback
        parameter.clamp = resolved.clamp
        parameter.serverDefault = resolved.serverDefault
        let empty = syntax.type.attributes.sending.empty?.value
        parameter.omitsEmpty = empty == .omit
        parameter.defaultsEmpty = empty == .byDefault
        parameter.allowsEmptyPath = empty == .send && resolved.location == .path
        parameter.isInWrapper = syntax.isInWrapper
        guard let method else { return parameter }
        parameter.documentation.examples = spec.examples[resolved.span] ?? []
        if resolved.location == .body { parameter.textType = method.syntax.textType }
        if resolved.listStyle == .entries {
            parameter.takenNames = names(beside: resolved, of: method)
        }
        return parameter
    }

    /// The names of all other values in the place of a map whose entries have names of their own.
    private func names(beside map: ResolvedParameter, of method: ResolvedMethod) -> [String] {
        let place = map.location
        let others = method.parameters.filter { $0.location == place && $0.span != map.span }
        let base = spec.api.parameters.filter { $0.location == .query && place == .query }
        let tokens = spec.api.schemes.filter {
            switch $0.placement?.value {
            case .query: place == .query
            case .body: place == .form
            default: false
            }
        }
        return others.map(\.key) + base.map(\.sentKey.value) + tokens.compactMap(\.name?.value)
    }

    /// The name of a method's server; nil for the first one of the API.
    private func server(_ cascade: SettingsCascade) -> String? {
        guard let name = cascade.server?.value else { return nil }
        return name == spec.api.servers.first?.name.value ? nil : name
    }
}

extension ErrorCase {
    fileprivate init(_ resolved: ResolvedErrorCase) {
        let syntax = resolved.syntax
        self.init(
            name: resolved.name, code: resolved.code, status: syntax.status?.value,
            documentation: Documentation(syntax.documentation),
            isRetryable: syntax.isRetryable, model: resolved.model)
    }
}

extension LoginRules {
    fileprivate init?(_ syntax: LoginSyntax) {
        guard let token = syntax.token else { return nil }
        self.init(
            token: token.value, refreshToken: syntax.refreshToken?.value ?? [],
            expiresIn: syntax.expiresIn?.value ?? [], isInMilliseconds: syntax.isInMilliseconds,
            values: syntax.values.map(\.value))
    }
}

extension Body {
    fileprivate init(_ syntax: MethodSyntax) {
        self =
            switch syntax.bodyKey?.value {
            case .json: .json
            case .form: .form
            case .multipart: .multipart
            case .body: .whole
            case nil: .none
            }
    }
}

extension Server {
    fileprivate init(_ syntax: ServerSyntax) {
        let names = PathSyntax.braced(syntax.url.value) ?? []
        self.init(
            name: syntax.name.value, url: syntax.url.value,
            variables: names.map { name in
                let variable = syntax.variables.first { $0.name.value == name }
                return ServerVariable(
                    name: name, defaultValue: variable?.defaultValue?.value,
                    allowed: variable?.allowed?.value.map(\.value) ?? [])
            })
    }
}
