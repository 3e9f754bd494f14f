import SpecDiagnostics
import SpecSyntax

/// Resolves the parameters of paths.
extension Resolver {
    /// The path parameters of a method, in the order of the path. An undeclared one is text, or a
    /// URL if it is the whole path.
    ///
    /// - Parameter tokens: The placeholders that tokens replace.
    mutating func pathParameters(
        _ syntax: MethodSyntax, tokens: [String]
    ) -> [ParameterSyntax] {
        guard let own = syntax.path, let path = syntax.wholePath else { return [] }
        let placeholders = placeholders(own, of: path)
        var declared: [String: ParameterSyntax] = [:]
        for parameter in syntax.parameters where parameter.location == .path {
            let key = parameter.sentKey.value
            if let first = declared.updateValue(parameter, forKey: key) {
                bag.report(
                    .duplicateParameter, "`\(key)` is declared twice", at: parameter.key.span,
                    notes: [Diagnostic.Note("first declared here", at: first.key.span)],
                    help: syntax.sharedPath.isEmpty
                        ? nil : "a parameter of a shared path is declared beside its `prefix`")
            }
            if PathSyntax.problem(ofBracesIn: path.value) == nil, !placeholders.contains(key) {
                reportUnused(parameter, key: key, placeholders: placeholders, path: path)
            }
        }
        return placeholders.compactMap { name in
            declared[name] ?? (tokens.contains(name) ? nil : PathSyntax.parameter(name, of: path))
        }
    }

    private mutating func reportUnused(
        _ parameter: ParameterSyntax, key: String, placeholders: [String],
        path: Located<String>
    ) {
        bag.report(
            .unusedPathParameter, "the path has no `{\(key)}`", at: parameter.key.span,
            notes: [Diagnostic.Note("the path is here", at: path.span)],
            help: didYouMean(key, among: placeholders)
                ?? "add `{\(key)}` to the path, or move the parameter to `query`")
    }

    /// The names in the braces of a whole path, in order; a malformed path of the method's own is
    /// reported.
    private mutating func placeholders(
        _ own: Located<String>, of path: Located<String>
    ) -> [String] {
        if let problem = PathSyntax.problem(of: own.value) {
            bag.report(
                .badPath, "malformed path: \(problem.message)", at: own.place(of: problem.place),
                help: problem.help)
        } else if let problem = PathSyntax.problem(ofBracesIn: path.value) {
            bag.report(
                .badPath, "malformed path: \(problem.message)", at: own.span,
                help: "\(problem.help): with what it shares, it is `\(path.value)`")
        }
        // The placeholders are still valid after other errors.
        if PathSyntax.problem(ofBracesIn: path.value) != nil { return [] }
        return PathSyntax.placeholders(of: path.value)
    }
}
