import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Servers, authentication and errors.
extension Analyzer {
    mutating func servers(_ syntax: APISyntax) -> [Server] {
        syntax.servers.map { server in
            checkURL(server.url, sendsCredentials: syntax.auth != nil)
            let names = Self.braced(server.url.value) ?? []
            for variable in server.variables where !names.contains(variable.name.value) {
                bag.report(
                    .unusedVariable, "the URL has no `{\(variable.name.value)}`",
                    at: variable.name.span,
                    notes: [Diagnostic.Note("the URL is here", at: server.url.span)])
            }
            return Server(
                name: server.name.value, url: server.url.value,
                variables: names.map { variable($0, server) })
        }
    }

    private mutating func variable(_ name: String, _ server: ServerSyntax) -> ServerVariable {
        let syntax = server.variables.first { $0.name.value == name }
        let allowed = syntax?.allowed.map(\.value) ?? []
        if let given = syntax?.defaultValue, !allowed.isEmpty, !allowed.contains(given.value) {
            bag.report(
                .notAllowed, "`\(given.value)` is not an allowed value", at: given.span,
                label: "expected one of \(allowed.map { "`\($0)`" }.joined(separator: ", "))")
        }
        return ServerVariable(
            name: name, defaultValue: syntax?.defaultValue?.value, allowed: allowed)
    }

    private mutating func checkURL(_ url: Located<String>, sendsCredentials: Bool) {
        let text = url.value
        let isPlain = text.hasPrefix("http://")
        let host = text.dropFirst(isPlain ? 7 : 8).prefix { !"/?#".contains($0) }
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        let hasQuery = text.contains("?") || text.contains("#")
        guard isPlain || text.hasPrefix("https://"), !host.isEmpty, isClean, !hasQuery,
            Self.braced(text) != nil, !host.contains("@")
        else {
            bag.report(
                .badServerURL, "`\(text)` is not the URL of a server", at: url.span,
                help: "write `https://host/path/`, without user, query and fragment")
            return
        }
        let name = host.prefix { $0 != ":" }
        let isLocal = name == "localhost" || name.hasPrefix("127.") || host.hasPrefix("[::1]")
        if isPlain, sendsCredentials, !isLocal {
            bag.report(
                .insecureServer, "credentials would travel over plain HTTP", at: url.span,
                help: "write `https://`")
        }
    }

    // MARK: Authentication

    mutating func auth(_ syntax: APISyntax) -> AuthRules? {
        guard let auth = syntax.auth, let placement = placement(auth) else { return nil }
        let codes = Set(syntax.errors?.cases.compactMap { $0.code?.value } ?? [])
        for code in auth.expiredCodes {
            if syntax.errors == nil {
                bag.report(
                    .unknownErrorCode, "the API has no `errors`, so no code is ever seen",
                    at: code.span, help: "say where replies hold their error code: `errors:`")
            } else if !codes.contains(code.value) {
                bag.report(
                    .unknownErrorCode, "no error case has the code `\(code.value)`",
                    at: code.span, help: "name it under `errors.cases`")
            }
        }
        return AuthRules(
            placement: placement,
            expiry: auth.expiredStatuses.map { .status($0.value) }
                + auth.expiredCodes.map { .code($0.value) })
    }

    private mutating func placement(_ auth: AuthSyntax) -> AuthRules.Placement? {
        guard let place = auth.placement else { return nil }
        if let prefix = auth.prefix, place.value != "header" {
            bag.report(
                .badToken, "`prefix` only applies to a token in a header", at: prefix.span)
        }
        let name = auth.name?.value ?? ""
        if let given = auth.name, ["header", "cookie"].contains(place.value),
            !given.value.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 })
                || given.value.contains(where: { ":;=,\"".contains($0) })
        {
            bag.report(
                .badToken, "`\(given.value)` cannot name a \(place.value)", at: given.span,
                help: "use letters, digits and `-`")
        }
        switch place.value {
        case "query": return .query(name)
        case "header": return .header(name, prefix: auth.prefix?.value ?? "")
        case "bearer": return .bearer
        case "cookie": return .cookie(name)
        default: return .body(name)
        }
    }

    // MARK: Errors

    mutating func errors(_ syntax: APISyntax) -> ErrorRules? {
        guard let errors = syntax.errors else { return nil }
        if errors.code == nil {
            bag.report(
                .missingKey, "`errors` does not say where the code is", at: errors.span.part(0..<0),
                help: "add `code: key`")
        }
        let isInteger = errors.cases.allSatisfy(\.isInteger) && !errors.cases.isEmpty
        if !isInteger, let odd = errors.cases.first(where: { $0.isInteger }),
            let code = odd.code
        {
            bag.report(
                .mixedErrorCodes, "`\(code.value)` is an integer among texts", at: code.span,
                help: "quote it, or make every code an integer")
        }
        return ErrorRules(
            at: errors.at?.value ?? [], code: errors.code?.value ?? [],
            message: errors.message?.value ?? [], codesAreIntegers: isInteger,
            cases: errorCases(errors))
    }

    private mutating func errorCases(_ errors: ErrorsSyntax) -> [ErrorCase] {
        var scope = NameScope("`ErrorCode`")
        var codes: [String: Span] = [:]
        return errors.cases.compactMap { item in
            guard let code = item.code,
                let name = valueName(
                    item.name, nil, reserved: ReservedNames.enumerationMembers)
            else { return nil }
            scope.take(name, for: "case `\(item.name.value)`", at: item.name.span, into: &bag)
            if let first = codes.updateValue(code.span, forKey: code.value) {
                bag.report(
                    .duplicateErrorCode, "code `\(code.value)` is named twice", at: code.span,
                    notes: [Diagnostic.Note("first named here", at: first)])
            }
            return ErrorCase(
                name: name, code: code.value, documentation: documentation(item.documentation),
                isRetryable: item.isRetryable, model: errorModel(item.model))
        }
    }

    private mutating func errorModel(_ name: Located<String>?) -> String? {
        guard let name else { return nil }
        guard let entry = symbols.models[name.value], entry.kind == .object else {
            reportUnknownType(name.value, at: name.span)
            return nil
        }
        usedModels.insert(name.value)
        return entry.swiftName
    }
}
