import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves methods: their names, the types of their parameters, and their reply.
extension Resolver {
    mutating func method(
        _ syntax: MethodSyntax, in group: GroupSyntax, nested: inout [Model]
    ) -> ResolvedMethod? {
        let apiName = MethodSyntax.fullName(syntax.name.value, in: group.name)
        guard let caseName = caseName(apiName, syntax), let name = name(of: syntax, group) else {
            return nil
        }
        let cascade = SettingsCascade(api, group: group, method: syntax)
        let dates = dateForm(cascade)
        let prefix = namer.upperCamel(apiName) ?? ""
        let parameters = parameters(
            syntax, apiName: apiName, cascade, prefix: prefix, dates: dates, nested: &nested)
        let output = output(
            syntax, apiName: apiName, prefix: prefix, dates: dates, nested: &nested)
        let headers = replyHeaders(
            syntax, apiName: apiName, prefix: prefix, nested: &nested)
        var method = ResolvedMethod(
            syntax: syntax, group: group, cascade: cascade, apiName: apiName, name: name,
            caseName: caseName, parameters: parameters, output: output, replyHeaders: headers,
            declared: extractions(
                syntax, apiName: apiName, prefix: prefix, dates: dates, nested: &nested))
        keepExamples(of: method)
        if !syntax.rules.isEmpty {
            method.rules = CrossRuleResolver.rules(
                syntax.rules, of: parameters.map { RuleOperand($0) }, named: "parameter", &literals,
                into: &bag)
        }
        return method
    }

    /// Keeps the examples of a reply; reported for a reply that has none.
    private mutating func keepExamples(of method: ResolvedMethod) {
        let syntax = method.syntax
        guard let first = syntax.documentation.examples.first?.name else { return }
        if case .value(let value) = method.output, method.kind == .data || method.kind == .upload {
            keepExamples(
                syntax.documentation, value: value, at: syntax.name.span, direction: .reply)
        } else {
            bag.report(
                .attributeDoesNotApply, "this method has no reply that an example could show",
                at: first.span, help: "examples belong to methods whose reply is one JSON value")
        }
    }

    // MARK: Names

    private mutating func caseName(_ apiName: String, _ syntax: MethodSyntax) -> String? {
        namer.valueName(
            Located(apiName, at: syntax.name.span), given: nil,
            reserved: ["self", "Type", "Self", "allCases", "rawValue", "endpoint", "init"],
            into: &bag)
    }

    /// The Swift function: the API name without the prefix of the group.
    private mutating func name(of syntax: MethodSyntax, _ scope: GroupSyntax) -> String? {
        var key = syntax.name
        let parts = key.value.split { $0 == "." || $0 == "/" || $0 == ":" }
        let depth = scope.name.split(separator: ".").count
        let group = parts.prefix(depth).joined(separator: ".")
        if parts.count > depth, namer.lowerCamel(group) == namer.lowerCamel(scope.name) {
            key.value = parts.dropFirst(depth).joined(separator: ".")
        }
        return namer.valueName(
            key, given: syntax.swiftName, reserved: ["self", "Type", "Self", "init"], into: &bag)
    }
}
