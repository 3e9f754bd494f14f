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
                    notes: [Diagnostic.Note("the URL is here", at: server.url.span)],
                    help: "add `{\(variable.name.value)}` to the URL, or remove the variable")
            }
            return Server(
                name: server.name.value, url: server.url.value,
                variables: names.map { variable($0, server) })
        }
    }

    private mutating func variable(_ name: String, _ server: ServerSyntax) -> ServerVariable {
        let syntax = server.variables.first { $0.name.value == name }
        if syntax == nil { reportUndeclared(name, server) }
        let allowed = syntax?.allowed.map(\.value) ?? []
        if let given = syntax?.defaultValue, !allowed.isEmpty, !allowed.contains(given.value) {
            bag.report(
                .notAllowed, "`\(given.value)` is not an allowed value", at: given.span,
                label: "expected one of \(allowed.map { "`\($0)`" }.joined(separator: ", "))")
        }
        return ServerVariable(
            name: name, defaultValue: syntax?.defaultValue?.value, allowed: allowed)
    }

    private mutating func reportUndeclared(_ name: String, _ server: ServerSyntax) {
        let url = server.url
        guard let range = url.value.firstRange(of: "{\(name)}") else { return }
        bag.report(
            .undeclaredVariable, "variable `\(name)` is not declared",
            at: url.place(of: url.value.utf8Range(range)),
            help: "declare it: `{ url: …, variables: { \(name): … } }`")
    }

    private mutating func checkURL(_ url: Located<String>, sendsCredentials: Bool) {
        let text = url.value
        let hasQuery = text.contains("?") || text.contains("#")
        guard let address = WebAddress(text), !hasQuery,
            Self.braced(text)?.allSatisfy(Self.isVariable) == true
        else {
            bag.report(
                .badServerURL, "`\(text)` is not the URL of a server", at: url.span,
                help: "write `https://host/path/`, without user, query and fragment")
            return
        }
        if !address.isSecure, sendsCredentials, !address.isLocal {
            bag.report(
                .insecureServer, "credentials would travel over plain HTTP", at: url.span,
                help: "write `https://`")
        }
    }

    private static func isVariable(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
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
                + auth.expiredCodes.map { .code($0.value) },
            refresh: refresh(auth.refresh))
    }

    private mutating func placement(_ auth: AuthSyntax) -> AuthRules.Placement? {
        guard let place = auth.placement else { return nil }
        if let prefix = auth.prefix, place.value != "header" {
            bag.report(
                .badToken, "`prefix` only applies to a token in a header", at: prefix.span,
                help: "remove it, or write `in: header`")
        }
        if let name = auth.name, place.value == "bearer" {
            bag.report(
                .badToken, "a bearer token has no `name`", at: name.span,
                help: "remove it: the token goes into `Authorization` (RFC 6750 §2.1)")
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
        if let code = errors.code, code.value.isEmpty {
            bag.report(
                .badKeyPath, "errors cannot do without a code", at: code.span,
                label: "expected the key that holds the code",
                help: "remove `errors` if replies have no code")
        }
        if errors.code == nil {
            bag.report(
                .missingKey, "`errors` does not say where the code is", at: errors.span.part(0..<0),
                help: "add `code: key`")
        }
        let coded = errors.cases.filter { $0.code != nil }
        let isInteger = coded.allSatisfy(\.isInteger) && !coded.isEmpty
        if !isInteger, let odd = coded.first(where: { $0.isInteger }),
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
                    item.name, nil, reserved: ReservedNames.enumerationMembers,
                    help: "name the case otherwise: the name is the app's own")
            else { return nil }
            scope.take(
                name, for: "case `\(item.name.value)`", at: item.name.span, into: &bag,
                help: "name one of them otherwise")
            if let first = codes.updateValue(code.span, forKey: code.value) {
                bag.report(
                    .duplicateErrorCode, "code `\(code.value)` is named twice", at: code.span,
                    notes: [Diagnostic.Note("first named here", at: first)],
                    help: "keep one name for the code")
            }
            return ErrorCase(
                name: name, code: code.value, documentation: documentation(item.documentation),
                isRetryable: item.isRetryable, model: errorModel(item.model))
        }
    }

    private mutating func errorModel(_ name: Located<String>?) -> String? {
        guard let name else { return nil }
        guard let entry = symbols.models[name.value] else {
            reportUnknownType(name.value, at: name.span)
            return nil
        }
        uses[owner, default: []].insert(name.value)
        guard entry.kind == .object else {
            bag.report(
                .typeNotAllowed, "an error's model has fields, and `\(name.value)` has none",
                at: name.span, help: "name a model with fields")
            return nil
        }
        return entry.swiftName
    }
}
