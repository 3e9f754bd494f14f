import SpecDiagnostics
import SpecSyntax

/// Checks the replacements of deprecated methods.
extension Analyzer {
    /// Warns of replacements that do not exist. A text with spaces is a sentence, not a name.
    mutating func checkReplacements() {
        let groups = spec.groups.map { group in
            let name = groupName(group)
            return (name, group.methods.map { ($0, fullName($0.name.value, in: name)) })
        }
        let all = Set(groups.flatMap(\.1).map(\.1))
        for (group, methods) in groups {
            for (method, _) in methods {
                guard let use = method.documentation.deprecation?.use,
                    !use.value.contains(where: \.isWhitespace),
                    !all.contains(fullName(use.value, in: group))
                else { continue }
                reportUnknown(use, in: group, among: all)
            }
        }
    }

    private mutating func reportUnknown(
        _ use: Located<String>, in group: String, among all: Set<String>
    ) {
        let near = didYouMean(fullName(use.value, in: group), among: all)
        bag.report(
            .unknownReplacement, "no method is called `\(use.value)`", at: use.span,
            help: near.map { "did you mean `\($0)`?" }
                ?? "name a method of the spec, or write a sentence: `use: the new upload`")
    }
}
