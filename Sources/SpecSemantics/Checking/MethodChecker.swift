import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks the requests of methods: their body and their arguments.
enum MethodChecker {
    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        for method in spec.methods {
            let syntax = method.syntax
            checkArguments(method.parameters, of: "method `\(syntax.name.value)`", into: &bag)
            checkBody(syntax, into: &bag)
            checkBodyType(method, into: &bag)
            checkID(method, into: &bag)
            DocumentationChecker.check(syntax.documentation, into: &bag)
        }
    }

    /// Reports a success that depends on the id of the call if none is sent.
    private static func checkID(_ method: ResolvedMethod, into bag: inout DiagnosticBag) {
        let values = method.syntax.settings.success?.conditions?.value.flatMap(\.values) ?? []
        guard let value = values.first(where: { $0.value == .callID }),
            !method.parameters.contains(where: { $0.presence == .callID })
        else { return }
        bag.report(
            .badCallValue, "the request has no `$call.id` that the reply could have",
            at: value.span, help: "send it: `{ const: $call.id }` as a parameter")
    }

    private static func checkBody(_ syntax: MethodSyntax, into bag: inout DiagnosticBag) {
        guard let key = syntax.bodyKey, let verb = syntax.verb, verb.value.isRead else { return }
        bag.report(
            .bodyNotAllowed, "a `\(verb.value.rawValue)` request has no body", at: key.span,
            notes: [Diagnostic.Note("the verb is here", at: verb.span)],
            help: "send the values as `query`, or use another verb (RFC 9110 §9.3.1)")
    }

    /// Reports a value that would be sent as JSON under the media type of something else. A body
    /// under `json` says what is meant.
    private static func checkBodyType(_ method: ResolvedMethod, into bag: inout DiagnosticBag) {
        guard let type = method.syntax.contentType, !method.syntax.isWrittenAsJSON,
            let body = method.parameters.first(where: { $0.location == .body }),
            method.syntax.textType == nil, ![.bytes(), .file].contains(body.value.type),
            !isJSON(type.value)
        else { return }
        let written = method.syntax.body.map { Explainer.shown($0) } ?? "body"
        bag.report(
            .notAllowed, "`body: \(written)` is sent as JSON, which is not `\(type.value)`",
            at: type.span,
            help: "write `body: text` or `body: bytes` for what is sent as it is, or "
                + "`json: \(written)` to send JSON under this type")
    }

    /// Whether a media type is one of JSON, such as `application/merge-patch+json` and
    /// `application/x-amz-json-1.1`, and not one of several JSON texts.
    private static func isJSON(_ mediaType: String) -> Bool {
        let type = mediaType.prefix { $0 != ";" }.lowercased()
        let words = type.split { !$0.isLetter && !$0.isNumber }
        return words.last == "json" || words.contains("json") && !words.contains("seq")
    }

    /// Reports parameters that are sent twice, and arguments with the same name.
    static func checkArguments(
        _ parameters: [ResolvedParameter], of owner: String, into bag: inout DiagnosticBag
    ) {
        var scope = NameScope(owner)
        var sent: [String: Span] = [:]
        for parameter in parameters {
            let span = parameter.span
            if let first = sent.updateValue(span, forKey: identity(of: parameter)) {
                bag.report(
                    .duplicateParameter, "`\(parameter.key)` is sent twice", at: span,
                    notes: [Diagnostic.Note("first declared here", at: first)],
                    help: "remove one of them; several values of one name are a list")
                continue
            }
            if parameter.presence.isFixed { continue }
            scope.declare(parameter.name, for: "`\(parameter.key)`", at: span, into: &bag)
        }
    }

    private static func identity(of parameter: ResolvedParameter) -> String {
        let isHeader = parameter.location == .header
        let inside = parameter.syntax.isInWrapper ? "inside " : ""
        return
            "\(inside)\(parameter.location) \(isHeader ? parameter.key.lowercased() : parameter.key)"
    }
}
