import SpecComparison
import SpecDiagnostics
import TelexCompiler
import Testing

/// Two versions of a spec in memory.
struct SpecPair {
    var old: [String: String]
    var new: [String: String]

    /// The changes, a line each: `kind subject: sentence`.
    func lines() throws -> [String] {
        try report().changes.map { "\($0.kind.rawValue) \($0.subject): \($0.change)" }
    }

    /// The changes with their places, or others in their stead.
    func report(
        _ changes: [Change]? = nil, usedBy uses: SourceUses? = nil
    ) throws -> ChangeReport {
        let (before, after) = (try Self.compiled(old, "old"), try Self.compiled(new, "new"))
        return ChangeReport(
            try changes
                ?? APIComparison(#require(before.api), #require(after.api)).changes,
            old: SubjectPlaces(of: before.spec, in: before.sources),
            new: SubjectPlaces(of: after.spec, in: after.sources), usedBy: uses)
    }

    private static func compiled(_ files: [String: String], _ name: String) throws -> Compilation {
        let result = TelexCompiler.check(
            SpecFolder(
                shownPath: name,
                files: files.map {
                    .init(
                        relativePath: $0.key, shownPath: "\(name)/\($0.key)",
                        bytes: Array($0.value.utf8))
                }))
        let errors = LineRenderer().render(result.diagnostics, in: result.sources)
        try #require(result.api != nil, "\(errors)")
        return result
    }
}
