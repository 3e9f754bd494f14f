import SpecDiagnostics
import SpecSyntax

/// Puts the shared paths of the API and the groups before the paths of their methods, and their
/// parameters among those of the methods.
struct SharedPathExpander {
    /// The text before a method's path, as it is written.
    private var text = ""
    /// The parameters of the text, in its order.
    private var parameters: [ParameterSyntax] = []
    /// The parameters that the API and the group declare, also those of a shared path that was left.
    private var declared: [ParameterSyntax] = []

    /// The text before a further path.
    private var stem: String { text.isEmpty || text.last == "/" ? text : text + "/" }

    static func expand(_ spec: inout Spec, into bag: inout DiagnosticBag) {
        guard let api = spec.api else { return }
        let outer = Self().extended(by: api.sharedPath, into: &bag)
        for index in spec.groups.indices {
            let group = spec.groups[index]
            let shared = outer.extended(by: group.sharedPath, into: &bag)
            if shared.text.isEmpty { continue }
            spec.groups[index].methods = group.methods.map { method in
                if method.path?.value == "/" { shared.report(root: method, into: &bag) }
                return shared.prepended(to: method)
            }
        }
    }

    /// The method with this path before its own. A path that begins with `/` only loses that; what
    /// is declared for a placeholder still holds.
    private func prepended(to method: MethodSyntax) -> MethodSyntax {
        guard let path = method.path else { return method }
        var method = method
        if let rest = path.withoutSlash {
            method.path = rest
            let own = method.parameters.filter { $0.location == .path }.map(\.sentKey.value)
            let names = PathSyntax.placeholders(of: rest.value).filter { !own.contains($0) }
            method.parameters = names.compactMap(parameter) + method.parameters
        } else {
            method.sharedPath = path.value.isEmpty ? text : stem
            method.parameters = parameters + method.parameters
        }
        return method
    }

    /// The parameter that is declared for a placeholder, by the group before the API.
    private func parameter(named name: String) -> ParameterSyntax? {
        declared.last { $0.sentKey.value == name }
    }

    /// Warns of a path that is only `/`, which often means the end of the shared path.
    private func report(root method: MethodSyntax, into bag: inout DiagnosticBag) {
        guard let path = method.path else { return }
        bag.report(
            .rootBesidePrefix, "`/` leaves the shared path: it is the root of the server",
            at: path.span,
            help: text.last == "/"
                ? "leave the path empty for `\(text)`"
                : "for the shared path with a `/` at its end, write `prefix: \(text)/` and leave this "
                    + "path empty; a method of the root belongs to a group without `prefix`")
    }

    /// The path with another one after it. One that begins with `/` replaces it.
    private func extended(
        by shared: SharedPathSyntax, into bag: inout DiagnosticBag
    ) -> SharedPathExpander {
        guard let prefix = shared.prefix else {
            if let first = shared.parameters.first { Self.reportMissing(first, into: &bag) }
            return self
        }
        let rest = text.isEmpty ? nil : prefix.withoutSlash
        var outer = self
        if rest != nil { (outer.text, outer.parameters) = ("", []) }
        let path = rest ?? prefix
        if let problem = Self.problem(of: path.value, after: outer.text) {
            bag.report(
                .badPath, "malformed path: \(problem.message)", at: path.place(of: problem.place),
                help: problem.help)
            return self
        }
        let names = PathSyntax.placeholders(of: path.value)
        var declared: [String: ParameterSyntax] = [:]
        for parameter in shared.parameters {
            let key = parameter.sentKey.value
            if let first = declared.updateValue(parameter, forKey: key) {
                bag.report(
                    .duplicateParameter, "`\(key)` is declared twice", at: parameter.key.span,
                    notes: [Diagnostic.Note("first declared here", at: first.key.span)])
            }
            if !names.contains(key) {
                bag.report(
                    .unusedPathParameter, "the shared path has no `{\(key)}`",
                    at: parameter.key.span,
                    notes: [Diagnostic.Note("the shared path is here", at: path.span)],
                    help: didYouMean(key, among: names)
                        ?? "declare it in the methods whose own path has it")
            }
        }
        var result = outer
        result.declared += shared.parameters
        result.text = outer.stem + path.value
        result.parameters += names.map {
            result.parameter(named: $0) ?? Self.text(named: $0, at: path.span)
        }
        return result
    }

    private static func problem(of path: String, after outer: String) -> PathSyntax.Problem? {
        if let problem = PathSyntax.problem(of: path) { return problem }
        let names = PathSyntax.placeholders(of: outer)
        return PathSyntax.placeholders(of: path).first(where: names.contains).map {
            PathSyntax.Problem(
                message: "`{\($0)}` is in the shared path of the API, too",
                place: 0..<path.utf8.count,
                help: "use each placeholder once, or begin this path with `/` to leave that one")
        }
    }

    private static func text(named name: String, at place: Span) -> ParameterSyntax {
        ParameterSyntax(
            key: Located(name, at: place), location: .path,
            type: TypeSyntax(.named("string"), at: place))
    }

    private static func reportMissing(_ parameter: ParameterSyntax, into bag: inout DiagnosticBag) {
        let key = parameter.key.value
        bag.report(
            .missingKey, "`path` without `prefix`", at: parameter.key.span,
            help: "add the path that the methods share: `prefix: servers/{\(key)}`; a parameter "
                + "of one method is declared there")
    }
}

extension Located<String> {
    /// The path without the `/` it begins with; nil if it begins otherwise.
    fileprivate var withoutSlash: Located<String>? {
        guard value.first == "/" else { return nil }
        return Located(String(value.dropFirst()), at: place(of: 1..<value.utf8.count))
    }
}
