import SpecDiagnostics
import SpecSyntax

/// Paths and their placeholders.
extension Analyzer {
    /// The path parameters of a method, in the order of the path; one that is not declared is text,
    /// or a whole URL if it is the whole path.
    mutating func pathParameters(_ syntax: MethodSyntax) -> [ParameterSyntax] {
        guard let path = syntax.path else { return [] }
        let placeholders = placeholders(of: path)
        var declared: [String: ParameterSyntax] = [:]
        for parameter in syntax.parameters where parameter.location == .path {
            let key = (parameter.type.attributes.key ?? parameter.key).value
            if let first = declared.updateValue(parameter, forKey: key) {
                bag.report(
                    .duplicateParameter, "`\(key)` is declared twice", at: parameter.key.span,
                    notes: [Diagnostic.Note("first declared here", at: first.key.span)])
            }
            if !placeholders.contains(key) { reportUnused(parameter, key, placeholders, path) }
        }
        return placeholders.map { name in
            declared[name]
                ?? ParameterSyntax(
                    key: Located(name, at: path.span), location: .path,
                    type: TypeSyntax(
                        .named(path.value == "{\(name)}" ? "url" : "string"), at: path.span))
        }
    }

    private mutating func reportUnused(
        _ parameter: ParameterSyntax, _ key: String, _ placeholders: [String],
        _ path: Located<String>
    ) {
        bag.report(
            .unusedPathParameter, "the path has no `{\(key)}`", at: parameter.key.span,
            notes: [Diagnostic.Note("the path is here", at: path.span)],
            help: didYouMean(key, among: placeholders).map { "did you mean `\($0)`?" }
                ?? "add `{\(key)}` to the path, or move the parameter to `query`")
    }

    /// The names in braces, in order; what is malformed is reported.
    mutating func placeholders(of path: Located<String>) -> [String] {
        if let problem = Self.problem(of: path.value) {
            bag.report(
                .badPath, "malformed path: \(problem.message)", at: path.span, help: problem.help)
            return []
        }
        let names = Self.braced(path.value) ?? []
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            bag.report(
                .badPath, "malformed path: `{\(name)}` stands there twice", at: path.span,
                help: "a placeholder has one place")
            return []
        }
        return names
    }

    private static func problem(of path: String) -> (message: String, help: String?)? {
        if path.contains("?") || path.contains("#") {
            return (
                "`?` and `#` end a path",
                "send constants as `query: { name: { const: value } }`"
            )
        }
        if path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            return ("it has a control character", nil)
        }
        guard let names = braced(path) else {
            return ("a brace is not closed", "placeholders read `{name}`")
        }
        for name in names where name.isEmpty || name.contains(where: { "/{:. ".contains($0) }) {
            return ("`{\(name)}` is not a placeholder", "placeholders read `{name}`")
        }
        return nil
    }

    /// The texts in braces, or `nil` if braces do not pair up.
    static func braced(_ text: String) -> [String]? {
        var names: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{",
                let close = rest[rest.index(after: open)...].firstIndex(of: "}")
            else { return nil }
            names.append(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return names
    }
}
