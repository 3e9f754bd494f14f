import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers throttles and coalescing.
extension Analyzer {
    mutating func throttle(
        _ syntax: MethodSyntax, in scope: MethodScope, parameters: [Parameter]
    ) -> Throttle? {
        guard let throttle = syntax.call.throttle, let interval = throttle.interval else {
            return nil
        }
        let names = parameterKeys(syntax, scope)
        let keys = (throttle.keys?.value ?? []).compactMap { key -> String? in
            // The key in the spec takes precedence over the API name of another parameter.
            let name =
                names.first { $0.entry == key.value } ?? names.first { $0.key == key.value }
            if let name {
                checkNoFile(parameters.first { $0.key == name.key }, key)
                return name.key
            }
            bag.report(
                .unknownParameter, "the method has no parameter `\(key.value)`", at: key.span,
                help: didYouMean(key.value, among: names.map(\.entry)).map {
                    "did you mean `\($0)`?"
                } ?? "name parameters of the method, or leave `by` out")
            return nil
        }
        return Throttle(
            interval: interval.value, key: keys, policy: throttle.policy?.value ?? .refuse)
    }

    private mutating func checkNoFile(_ parameter: Parameter?, _ key: Located<String>) {
        guard let type = parameter?.value.type, type.holdsFile else { return }
        bag.report(
            .unknownParameter, "`\(key.value)` is a file, and files are not compared",
            at: key.span, help: "name another parameter")
    }

    /// The parameters of a method, by their key in the spec and their API name.
    private func parameterKeys(
        _ syntax: MethodSyntax, _ scope: MethodScope
    ) -> [(entry: String, key: String)] {
        let declared = (syntax.parameters + scope.group.parameters).map { parameter in
            let entry = parameter.key.value
            return (entry: entry, key: parameter.type.attributes.key?.value ?? entry)
        }
        let braced = Self.braced(syntax.path?.value ?? "") ?? []
        return declared + braced.map { ($0, $0) }
    }

    mutating func isCoalesced(
        _ syntax: MethodSyntax, _ kind: OperationPolicy.Kind
    ) -> Bool {
        guard let place = syntax.call.coalesce else { return false }
        if kind != .data, kind != .upload,
            let label = syntax.call.stream?.label ?? syntax.call.kind?.word
        {
            bag.report(
                .badCoalesce, "only replies that are read into memory can be shared", at: place,
                notes: [Diagnostic.Note("`\(label.value)` is here", at: label.span)],
                help: "remove `coalesce`")
        }
        if let verb = syntax.verb, !verb.value.isRead {
            bag.report(
                .badCoalesce,
                "two `\(verb.value.rawValue)` calls have two effects, so they cannot share a request",
                at: place, notes: [Diagnostic.Note("the verb is here", at: verb.span)],
                help: "remove `coalesce`; use `throttle` against double taps")
        }
        if let key = syntax.settings.operation.idempotencyKey, key.header != nil {
            bag.report(
                .badCoalesce, "calls with an idempotency key cannot share a request", at: place,
                notes: [Diagnostic.Note("`idempotency-key` is here", at: key.span)],
                help: "remove one of them; reads need no key to be retried")
        }
        return true
    }
}

extension ValueType {
    /// Whether it is a file, or a list of files.
    fileprivate var holdsFile: Bool {
        if case .list(let element) = self { return element.type.holdsFile }
        return self == .file
    }
}
