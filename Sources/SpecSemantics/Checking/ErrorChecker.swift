import SpecDiagnostics
import SpecSyntax

/// Checks the error formats and the error cases of the API, its groups and its methods.
struct ErrorChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = ErrorChecker(spec: spec)
        for cascade in spec.cascades {
            guard let errors = cascade.own.errors else { continue }
            checker.checkCode(errors, cascade)
            checker.checkDuplicates(cascade.ownErrorCases)
        }
        checker.checkForms(spec.cascades.flatMap(\.ownErrorCases))
        bag.report(contentsOf: checker.bag)
    }

    /// Checks that codes can be read where cases have one.
    private mutating func checkCode(_ errors: ErrorsSyntax, _ cascade: SettingsCascade) {
        let coded = cascade.ownErrorCases.first { $0.code != nil }
        let isEmpty =
            cascade.errorCases.isEmpty && cascade.errorMessage == nil && cascade.errorModel == nil
        guard coded != nil || isEmpty else { return }
        if let code = errors.code, code.value.isEmpty {
            bag.report(
                .badKeyPath, "`errors` needs a code", at: code.span,
                label: "expected the key that holds the code",
                help: "name cases by their status if replies have no code: `notFound: 404`")
        }
        guard cascade.errorCode == nil else { return }
        bag.report(
            .missingKey, "`errors` has no `code`", at: errors.span.part(0..<0),
            help: "add `code: key`, or name cases by their status: `notFound: 404`")
    }

    private mutating func checkDuplicates(_ cases: [ErrorCaseSyntax]) {
        var codes: [String: Span] = [:]
        for item in cases {
            DocumentationChecker.check(item.documentation, into: &bag)
            guard let code = item.identity,
                let first = codes.updateValue(code.span, forKey: code.value)
            else { continue }
            bag.report(
                .duplicateErrorCode, "code `\(code.value)` is named twice", at: code.span,
                notes: [Diagnostic.Note("first named here", at: first)],
                help: "keep one name for the code")
        }
    }

    private mutating func checkForms(_ cases: [ErrorCaseSyntax]) {
        guard !spec.errorCodesAreIntegers,
            let odd = cases.first(where: { $0.code != nil && $0.isInteger }), let code = odd.code
        else { return }
        bag.report(
            .mixedErrorCodes, "`\(code.value)` is an integer among texts", at: code.span,
            help: "quote it, or make every code an integer")
    }
}
