import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers servers and error formats.
extension Analyzer {
    mutating func servers(_ syntax: APISyntax) -> [Server] {
        syntax.servers.map { server in
            checkURL(server.url)
            let names = Self.braced(server.url.value) ?? []
            return Server(
                name: server.name.value, url: server.url.value,
                variables: names.map { variable($0, server) })
        }
    }

    private mutating func variable(_ name: String, _ server: ServerSyntax) -> ServerVariable {
        let syntax = server.variables.first { $0.name.value == name }
        let allowed = syntax?.allowed?.value.map(\.value) ?? []
        if let given = syntax?.defaultValue, !allowed.isEmpty, !allowed.contains(given.value) {
            bag.report(
                .notAllowed, "`\(given.value)` is not an allowed value", at: given.span,
                label: "expected one of \(allowed.map { "`\($0)`" }.joined(separator: ", "))")
        }
        return ServerVariable(
            name: name, defaultValue: syntax?.defaultValue?.value, allowed: allowed)
    }

    private mutating func checkURL(_ url: Located<String>) {
        guard WebAddress(ofServer: url.value) == nil else { return }
        bag.report(
            .badServerURL, "`\(url.value)` is not the URL of a server", at: url.span,
            help: "write `https://host/path/`, without user, query and fragment")
    }

    // MARK: Errors

    mutating func errors(_ syntax: APISyntax) -> ErrorRules? {
        guard let errors = syntax.errors else { return nil }
        if let code = errors.code, code.value.isEmpty {
            bag.report(
                .badKeyPath, "`errors` needs a code", at: code.span,
                label: "expected the key that holds the code",
                help: "remove `errors` if replies have no code")
        }
        if errors.code == nil {
            bag.report(
                .missingKey, "`errors` has no `code`", at: errors.span.part(0..<0),
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
            message: errors.message?.value ?? [],
            retryAfter: errors.retryAfter?.at.value ?? [],
            retryAfterIsInMilliseconds: errors.retryAfter?.isInMilliseconds ?? false,
            codesAreIntegers: isInteger,
            cases: errorCases(errors))
    }

    private mutating func errorCases(_ errors: ErrorsSyntax) -> [ErrorCase] {
        var scope = NameScope("`ErrorCode`")
        var codes: [String: Span] = [:]
        return errors.cases.compactMap { item in
            guard let code = item.code,
                let name = namer.valueName(
                    item.name, given: nil, reserved: ReservedNames.enumerationMembers,
                    help: "choose another name for the case", into: &bag)
            else { return nil }
            scope.declare(
                name, for: "case `\(item.name.value)`", at: item.name.span, into: &bag,
                help: "rename one of them")
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
        references[currentModel, default: []].insert(name.value)
        guard entry.kind == .object else {
            bag.report(
                .typeNotAllowed, "the model of an error needs fields, and `\(name.value)` has none",
                at: name.span, help: "name a model with fields")
            return nil
        }
        return entry.swiftName
    }
}
