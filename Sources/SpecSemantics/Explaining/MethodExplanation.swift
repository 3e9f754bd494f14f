import SpecDiagnostics
import SpecSyntax

/// What holds for one method, and where each value was said.
public struct MethodExplanation: Sendable {
    /// The API's name of the method.
    public let name: String
    /// The values, in the order they matter to a reader.
    public let values: [ExplainedValue]
}

extension SpecAnalyzer {
    /// What holds for a method, or `nil` if the spec has none of that name. The group may be left out
    /// where one only has a method of the name.
    public static func explain(_ method: String, in spec: Spec) -> MethodExplanation? {
        guard let api = spec.api else { return nil }
        var analyzer = Analyzer(spec, api)
        let all = spec.groups.flatMap { group in
            group.methods.map { syntax in
                let groupName = analyzer.groupName(group)
                let name = analyzer.fullName(syntax.name.value, in: groupName)
                return (name: name, group: group, syntax: syntax)
            }
        }
        let short = all.filter { $0.syntax.name.value == method }
        let found = all.first { $0.name == method } ?? (short.count == 1 ? short[0] : nil)
        guard let found else { return nil }
        // What an alias says of its values is known after the analysis.
        let isWholeAddress = analyzer.isWholeAddress(found.name, api)
        let explainer = Explainer(
            api: api, group: found.group, method: found.syntax, isWholeAddress: isWholeAddress,
            isSensitive: analyzer.isSensitive)
        return MethodExplanation(name: found.name, values: explainer.values)
    }

    /// The names of all methods, sorted.
    public static func methodNames(in spec: Spec) -> [String] {
        guard let api = spec.api else { return [] }
        let analyzer = Analyzer(spec, api)
        return spec.groups.flatMap { group in
            group.methods.map {
                analyzer.fullName($0.name.value, in: analyzer.groupName(group))
            }
        }.sorted()
    }
}

extension Analyzer {
    /// Whether the caller gives the whole address of a method. Its path may have a type of any name.
    fileprivate mutating func isWholeAddress(_ name: String, _ syntax: APISyntax) -> Bool {
        let methods = api(syntax).groups.lazy.flatMap(\.methods)
        return methods.first { $0.apiName == name }?.isWholeAddress == true
    }
}
