import SpecIR
import SpecSyntax

/// Lowers a checked spec to the IR. It cannot fail: all errors have been reported.
struct Lowering {
    let spec: ResolvedSpec

    init(_ checked: CheckedSpec) {
        spec = checked.resolved
    }

    var api: API {
        let cascade = SettingsCascade(spec.api)
        let base = spec.baseParameters.map(\.lowered)
        let errors = spec.api.errors.map(errorRules)
        let models = ModelLowering(spec, errors: errors)
        return API(
            name: spec.name, documentation: Documentation(spec.api.documentation),
            servers: spec.api.servers.map { Server($0) }, baseParameters: base,
            reply: SuccessRules(cascade), errors: errors, auth: AuthRules(spec.api),
            timeouts: Timeouts(cascade), limits: ReplyLimits(spec.api.limits),
            traffic: Traffic(spec.api), retry: cascade.hasRetry ? retryPolicy(cascade) : nil,
            extras: Set(spec.api.generate.map(\.value)),
            groups: spec.groups.map { group($0, models) })
    }

    private func errorRules(_ syntax: ErrorsSyntax) -> ErrorRules {
        ErrorRules(
            at: syntax.at?.value ?? [], code: syntax.code?.value ?? [],
            message: syntax.message?.value ?? [],
            retryAfter: syntax.retryAfter?.at.value ?? [],
            retryAfterIsInMilliseconds: syntax.retryAfter?.isInMilliseconds ?? false,
            codesAreIntegers: syntax.codesAreIntegers, cases: spec.errorCases)
    }

    private func group(_ group: ResolvedGroup, _ models: ModelLowering) -> Group {
        Group(
            apiName: group.syntax.name, sourcePath: group.syntax.path,
            fileName: OutputName.file(forSpec: group.syntax.path), names: group.names,
            documentation: Documentation(group.syntax.documentation),
            methods: group.methods.map(method), models: group.models.map(models.lowered))
    }

    private func method(_ method: ResolvedMethod) -> Method {
        let cascade = method.cascade
        return Method(
            apiName: method.apiName, name: method.name, caseName: method.caseName,
            documentation: Documentation(method.syntax.documentation), verb: method.verb,
            path: method.path, parameters: method.parameters, body: Body(method.syntax),
            output: method.kind == .download ? .file : method.output,
            server: server(cascade), isAuthenticated: method.isAuthenticated,
            timeouts: Timeouts(ownOf: cascade), session: cascade.session?.value ?? .shared,
            operation: operation(method), reply: SuccessRules(ownOf: cascade),
            expiry: method.isAuthenticated ? AuthRules.Expiry.own(cascade) : nil)
    }

    /// The name of a method's server; nil for the first one of the API.
    private func server(_ cascade: SettingsCascade) -> String? {
        guard let name = cascade.server?.value else { return nil }
        return name == spec.api.servers.first?.name.value ? nil : name
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
