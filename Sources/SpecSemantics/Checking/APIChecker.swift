import SpecDiagnostics
import SpecSyntax

/// Checks the servers, the parameters of every request, and documentation.
struct APIChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = APIChecker(spec: spec)
        checker.checkServers()
        MethodChecker.checkArguments(
            spec.baseParameters, of: "the parameters of every request", into: &checker.bag)
        DocumentationChecker.check(spec.api.documentation, into: &checker.bag)
        DocumentationChecker.checkReachability(spec.api, into: &checker.bag)
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
}
