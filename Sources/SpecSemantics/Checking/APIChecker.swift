import SpecDiagnostics
import SpecSyntax

/// Checks the servers, the error format, the parameters of every request, and documentation.
struct APIChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = APIChecker(spec: spec)
        checker.checkServers()
        if let errors = spec.api.errors { checker.check(errors) }
        MethodChecker.checkArguments(
            spec.baseParameters, of: "the parameters of every request", into: &checker.bag)
        DocumentationChecker.check(spec.api.documentation, into: &checker.bag)
        for group in spec.groups {
            DocumentationChecker.check(group.syntax.documentation, into: &checker.bag)
        }
        bag.report(contentsOf: checker.bag)
    }

    // MARK: Servers

    private mutating func checkServers() {
        for server in spec.api.servers {
            checkURL(server.url)
            let names = PathSyntax.braced(server.url.value) ?? []
            for variable in server.variables where names.contains(variable.name.value) {
                checkDefault(of: variable)
            }
        }
    }

    private mutating func checkDefault(of variable: ServerVariableSyntax) {
        let allowed = variable.allowed?.value.map(\.value) ?? []
        guard let given = variable.defaultValue, !allowed.isEmpty, !allowed.contains(given.value)
        else { return }
        bag.report(
            .notAllowed, "`\(given.value)` is not an allowed value", at: given.span,
            label: "expected one of \(allowed.map { "`\($0)`" }.joined(separator: ", "))")
    }

    private mutating func checkURL(_ url: Located<String>) {
        guard WebAddress(ofServer: url.value) == nil else { return }
        bag.report(
            .badServerURL, "`\(url.value)` is not the URL of a server", at: url.span,
            help: "write `https://host/path/`, without user, query and fragment")
    }

    // MARK: Errors

    private mutating func check(_ errors: ErrorsSyntax) {
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
        if !errors.codesAreIntegers, let odd = coded.first(where: \.isInteger), let code = odd.code
        {
            bag.report(
                .mixedErrorCodes, "`\(code.value)` is an integer among texts", at: code.span,
                help: "quote it, or make every code an integer")
        }
        var codes: [String: Span] = [:]
        for item in errors.cases {
            DocumentationChecker.check(item.documentation, into: &bag)
            guard let code = item.code,
                let first = codes.updateValue(code.span, forKey: code.value)
            else { continue }
            bag.report(
                .duplicateErrorCode, "code `\(code.value)` is named twice", at: code.span,
                notes: [Diagnostic.Note("first named here", at: first)],
                help: "keep one name for the code")
        }
    }
}

extension ErrorsSyntax {
    /// Whether all declared codes are integers.
    var codesAreIntegers: Bool {
        let coded = cases.filter { $0.code != nil }
        return !coded.isEmpty && coded.allSatisfy(\.isInteger)
    }
}
