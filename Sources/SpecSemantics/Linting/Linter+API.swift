import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Warnings about the API as a whole.
extension Linter {
    mutating func checkAPI() {
        for server in api.servers { check(server) }
        checkLimits()
        checkSettings(SettingsCascade(api))
        for auth in api.schemes where auth.placement != nil { check(auth) }
    }

    // MARK: Servers

    private mutating func check(_ server: ServerSyntax) {
        if let address = WebAddress(ofServer: server.url.value) { checkSecurity(server, address) }
        let names = PathSyntax.braced(server.url.value) ?? []
        for variable in server.variables where !names.contains(variable.name.value) {
            bag.report(
                .unusedVariable, "the URL has no `{\(variable.name.value)}`",
                at: variable.name.span,
                notes: [Diagnostic.Note("the URL is here", at: server.url.span)],
                help: "add `{\(variable.name.value)}` to the URL, or remove the variable")
        }
        for name in names {
            let syntax = server.variables.first { $0.name.value == name }
            if syntax == nil { reportUndeclared(name, server) }
            if let list = syntax?.allowed { checkAllowed(list) }
        }
    }

    private mutating func checkSecurity(_ server: ServerSyntax, _ address: WebAddress) {
        let isRisk = api.auth != nil && !address.isSecure && !address.isLocal
        if let insecure = server.insecure, !isRisk {
            bag.report(
                .noEffect, "this server sends no credentials over plain HTTP", at: insecure,
                help: "remove `insecure`")
        } else if isRisk, server.insecure == nil {
            bag.report(
                .insecureServer, "credentials would be sent over plain HTTP", at: server.url.span,
                help: "write `https://`; if the network is trusted, "
                    + "`{ url: …, insecure: true }`")
        }
    }

    private mutating func reportUndeclared(_ name: String, _ server: ServerSyntax) {
        let url = server.url
        guard let range = url.value.firstRange(of: "{\(name)}") else { return }
        bag.report(
            .undeclaredVariable, "variable `\(name)` is not declared",
            at: url.place(of: url.value.utf8Range(range)),
            help: "declare it: `{ url: …, variables: { \(name): … } }`")
    }

    private mutating func checkAllowed(_ list: Located<[Located<String>]>) {
        bag.reportEmpty(
            list, name: "`in`", help: "name the values allowed, or leave `in` out to allow any")
        bag.reportRepeated(list.value, "`in`")
    }

    // MARK: Limits

    /// Reports limits of concurrent calls that a smaller limit makes unreachable.
    private mutating func checkLimits() {
        guard let most = api.limits.concurrent else { return }
        let queues = api.queues.map { ("queue `\($0.name.value)`", $0.concurrent) }
        let hosts = api.limits.perHost.map { [("`per-host`", $0)] } ?? []
        for (name, bound) in hosts + queues where bound.value > most.value {
            bag.reportNoEffect(
                "\(name) allows more calls than `concurrent`, and would never be reached",
                at: bound.span, because: "`concurrent`", at: most.span)
        }
    }

    // MARK: Authentication

    private mutating func check(_ auth: AuthSyntax) {
        if case .handedOut = auth.refresh { return }
        if let expired = auth.expired {
            checkCodes(of: expired, SettingsCascade(api))
        } else if auth.refresh != nil {
            checkEndlessToken(auth)
        }
    }

    /// Reports a `refresh` without any sign of an expired token.
    private mutating func checkEndlessToken(_ auth: AuthSyntax) {
        let settings = spec.groups.flatMap { [$0.settings] + $0.methods.map(\.settings) }
        // Methods replace only the signs of the first scheme.
        guard auth.span != api.auth?.span || settings.allSatisfy({ $0.expired == nil }) else {
            return
        }
        bag.report(
            .endlessToken, "no reply indicates an expired token", at: auth.span,
            help: "add `expired: 401`, or the status or code that the server sends; "
                + "`expired: none` if there is none")
    }

    mutating func checkCodes(of expired: ExpirySyntax, _ cascade: SettingsCascade) {
        let cases = cascade.errorCases
        let names = cases.map(\.name.value)
        let known = Set(cases.compactMap { $0.code?.value } + names)
        for code in expired.codes {
            if !cascade.hasErrors {
                bag.report(
                    .unknownErrorCode, "the API has no `errors`, so no code is ever read",
                    at: code.span, help: "declare the error format: `errors:`")
            } else if !known.contains(code.value) {
                bag.report(
                    .unknownErrorCode, "no error case has the code or the name `\(code.value)`",
                    at: code.span,
                    help: didYouMean(code.value, among: names)
                        ?? "add a case with this code to `errors.cases`")
            }
        }
    }

    /// Reports headers of all methods that the token overrides in each of them.
    mutating func checkTokenHeaders() {
        for auth in api.schemes {
            let all = groups.flatMap { $0.methods.map(\.cascade) }
            reportTokenHeaders(api.parameters, auth: auth, methods: all)
            for group in groups {
                let methods = group.methods.map(\.cascade)
                reportTokenHeaders(group.syntax.parameters, auth: auth, methods: methods)
            }
        }
    }

    private mutating func reportTokenHeaders(
        _ parameters: [ParameterSyntax], auth: AuthSyntax, methods: [SettingsCascade]
    ) {
        let isAlwaysSent = methods.allSatisfy { $0.alwaysSends(auth) }
        guard !methods.isEmpty, isAlwaysSent else { return }
        for header in parameters where header.location == .header && auth.takes(header) {
            bag.report(
                .noEffect, "the token overrides `\(header.sentKey.value)` in every method",
                at: header.key.span, notes: auth.notes,
                help: "remove it, or write `auth: none` for a method that sends it")
        }
    }
}
