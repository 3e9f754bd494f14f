import SpecDiagnostics
import SpecSyntax

/// The effective values of one method, with their origins.
public struct MethodExplanation: Sendable {
    /// The API's name of the method.
    public let name: String
    /// The values, in reading order.
    public let values: [ExplainedValue]
}

extension SpecAnalyzer {
    /// Returns the effective values of a method, or `nil` if the spec has no such method. The group
    /// may be left out if the name is unique.
    public static func explain(_ method: String, in spec: Spec) -> MethodExplanation? {
        guard let api = spec.api else { return nil }
        var bag = DiagnosticBag()
        var expanded = spec
        SharedPathExpander.expand(&expanded, into: &bag)
        let all = expanded.groups.flatMap { group in
            group.methods.map { syntax in
                let name = MethodSyntax.fullName(syntax.name.value, in: group.name)
                return (name: name, group: group, syntax: syntax)
            }
        }
        let short = all.filter { $0.syntax.name.value == method }
        let found = all.first { $0.name == method } ?? (short.count == 1 ? short[0] : nil)
        guard let found else { return nil }
        // The type of a placeholder, and what is sensitive, may come from an alias.
        let resolved = Resolver.resolve(spec, into: &bag)
        let method = resolved?.methods.first { $0.apiName == found.name }
        let explainer = Explainer(
            api: api, group: found.group, method: found.syntax,
            template: spec.templates.first { $0.name == found.name + TemplateSyntax.ending },
            isWholeAddress: method?.isWholeAddress == true,
            isSensitive: { resolved?.sensitivity.isSensitive($0) == true })
        return MethodExplanation(name: found.name, values: explainer.values)
    }

    /// The names of all methods, sorted.
    public static func methodNames(in spec: Spec) -> [String] {
        guard spec.api != nil else { return [] }
        return spec.groups.flatMap { group in
            group.methods.map { MethodSyntax.fullName($0.name.value, in: group.name) }
        }.sorted()
    }
}
