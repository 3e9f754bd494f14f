import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks throttles and coalescing.
extension OperationChecker {
    mutating func checkThrottle(_ method: ResolvedMethod) {
        guard let throttle = method.syntax.call.throttle, throttle.interval != nil else { return }
        for key in throttle.keys?.value ?? [] {
            if let name = method.parameterKey(key.value) {
                checkCompared(method.parameters.first { $0.key == name }, key)
                continue
            }
            bag.report(
                .unknownParameter, "the method has no parameter `\(key.value)`", at: key.span,
                help: didYouMean(key.value, among: method.parameterKeys.map(\.entry))
                    ?? "name parameters of the method, or leave `by` out")
        }
    }

    private mutating func checkCompared(_ parameter: ResolvedParameter?, _ key: Located<String>) {
        guard let parameter else { return }
        let problem =
            parameter.value.type.holdsFile
            ? "a file, and files are"
            : parameter.syntax.isInWrapper ? "inside another value of the body, where it is" : nil
        guard let problem else { return }
        bag.report(
            .unknownParameter, "`\(key.value)` is \(problem) not compared", at: key.span,
            help: "name another parameter, or leave `by` out")
    }

    /// `until` sends the same request again, and reads each reply into memory.
    mutating func checkPolling(_ syntax: MethodSyntax, _ kind: OperationPolicy.Kind) {
        guard let until = syntax.call.until else { return }
        if kind != .data, let label = syntax.call.stream?.label ?? syntax.call.kind?.word {
            bag.report(
                .conflict, "`until` cannot be combined with `\(label.value)`", at: until.span,
                notes: [Diagnostic.Note("`\(label.value)` is here", at: label.span)],
                help: "wait with a method of its own that returns the state")
        }
        if let verb = syntax.verb, !syntax.isIdempotent {
            bag.report(
                .conflict,
                "`until` repeats the request, and `\(verb.value.rawValue)` takes effect each time",
                at: until.span,
                notes: [Diagnostic.Note("the verb is here", at: verb.span)],
                help:
                    "wait with another method, which reads the state with `get`; one that only reads "
                    + "in spite of its verb says `safe: true`")
        }
    }

    mutating func checkCoalescing(_ method: ResolvedMethod) {
        let (syntax, kind) = (method.syntax, method.kind)
        guard let place = syntax.call.coalesce else { return }
        if kind != .data, kind != .upload,
            let label = syntax.call.stream?.label ?? syntax.call.kind?.word
        {
            bag.report(
                .badCoalesce, "only replies that are read into memory can be shared", at: place,
                notes: [Diagnostic.Note("`\(label.value)` is here", at: label.span)],
                help: "remove `coalesce`")
        }
        if let problem = method.differsFromOthers {
            bag.report(.badCoalesce, problem, at: place, help: "remove `coalesce`")
        }
        if let verb = syntax.verb, !syntax.onlyReads {
            bag.report(
                .badCoalesce,
                "two `\(verb.value.rawValue)` calls have two effects, so they cannot share a request",
                at: place, notes: [Diagnostic.Note("the verb is here", at: verb.span)],
                help:
                    "remove `coalesce`; use `throttle` against double taps, and `safe: true` for a "
                    + "method that only reads")
        }
        if let key = syntax.settings.operation.idempotencyKey, key.header != nil {
            bag.report(
                .badCoalesce, "calls with an idempotency key cannot share a request", at: place,
                notes: [Diagnostic.Note("`idempotency-key` is here", at: key.span)],
                help: "remove one of them; reads need no key to be retried")
        }
    }
}

extension ResolvedMethod {
    /// The parameters, by their key in the spec and their API name.
    fileprivate var parameterKeys: [(entry: String, key: String)] {
        let declared = (syntax.parameters + group.parameters).map { parameter in
            let entry = parameter.key.value
            return (entry: entry, key: parameter.type.attributes.key?.value ?? entry)
        }
        let braced = PathSyntax.placeholders(of: path)
        return declared + braced.map { ($0, $0) }
    }

    /// The API name of a parameter. Its key in the spec takes precedence over the API name of
    /// another parameter.
    func parameterKey(_ name: String) -> String? {
        let keys = parameterKeys
        return (keys.first { $0.entry == name } ?? keys.first { $0.key == name })?.key
    }
}

extension ResolvedMethod {
    /// Why no two requests are known to be equal; nil if they are.
    var differsFromOthers: String? {
        if parameters.contains(where: { $0.presence == .callID }) {
            return "each request has an id of its own, so no two are equal"
        }
        return parameters.contains { $0.value.type.holdsFile }
            ? "the request has a file, and files are not compared" : nil
    }
}

extension ValueType {
    /// Whether it is a file, or a list of files.
    fileprivate var holdsFile: Bool {
        if case .list(let element) = self { return element.type.holdsFile }
        return self == .file
    }
}
