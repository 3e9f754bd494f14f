import SpecDiagnostics
import SpecSyntax

/// Finds what is allowed but probably a mistake. It reports warnings only, and nothing depends on
/// it.
struct Linter {
    let spec: Spec
    let api: APISyntax
    let groups: [ResolvedGroup]
    var bag = DiagnosticBag()

    /// Checks a spec.
    ///
    /// - Parameter isComplete: Whether the spec has no errors. Otherwise models would be reported as
    ///   unused by mistake.
    static func check(_ spec: ResolvedSpec, isComplete: Bool, into bag: inout DiagnosticBag) {
        var linter = Linter(spec: spec.spec, api: spec.api, groups: spec.groups)
        linter.checkAPI()
        for group in spec.groups { linter.checkSettings(group.cascade) }
        for method in spec.methods { linter.check(method) }
        for shared in [spec.api.sharedPath] + spec.spec.groups.map(\.sharedPath) {
            if let prefix = shared.prefix { linter.checkColons(in: prefix) }
        }
        linter.checkTokenHeaders()
        linter.checkReplacements()
        linter.checkVersions()
        if isComplete {
            for method in spec.methods { linter.checkEmptyTexts(of: method.syntax) }
            linter.reportUnused(spec.references)
        }
        bag.report(contentsOf: linter.bag)
    }

    /// Reports empty groups, and models that no method and no error case refers to.
    ///
    /// - Parameter references: The models that a model refers to; of `nil`, those that methods and
    ///   the API refer to.
    private mutating func reportUnused(_ references: [String?: Set<String>]) {
        var used: Set<String> = []
        let ofApp = spec.groups.flatMap(\.models).filter(\.type.attributes.isPublic)
        var open = Array(references[nil] ?? []) + ofApp.map(\.name.value)
        while let name = open.popLast() {
            if used.insert(name).inserted { open += references[name] ?? [] }
        }
        for group in spec.groups where group.methods.isEmpty && group.models.isEmpty {
            bag.report(
                .emptyMethods, "the file declares no methods and no models",
                at: group.span.part(0..<0), help: "add `methods:` or `models:`, or remove it")
        }
        reportUnused(
            spec.groups.flatMap(\.models).map(\.name).filter { !used.contains($0.value) })
    }

    /// Reports the first unused models one by one, and the others in one warning.
    private mutating func reportUnused(_ models: [Located<String>]) {
        let shown = models.count > Self.shownUnused + 1 ? Self.shownUnused : models.count
        let help =
            "remove it, or use it in a method or another model; `public: true` keeps it for the app"
        for model in models.prefix(shown) {
            bag.report(
                .unusedModel, "model `\(model.value)` is not used", at: model.span, help: help)
        }
        if let next = models.dropFirst(shown).first {
            bag.report(
                .unusedModel, "\(models.count - shown) more models are not used", at: next.span,
                label: "the first of them",
                help: "remove them, or use them in a method or another model")
        }
    }

    /// How many unused models are reported one by one.
    private static let shownUnused = 5

    // MARK: Replacements of deprecated methods

    /// Warns of replacements that do not exist. A text with spaces is a sentence, not a name.
    private mutating func checkReplacements() {
        let all = Set(
            spec.groups.flatMap { group in
                let name = group.name
                return group.methods.map { MethodSyntax.fullName($0.name.value, in: name) }
            })
        for group in spec.groups {
            for method in group.methods {
                guard let use = method.documentation.deprecation?.use,
                    !use.value.contains(where: \.isWhitespace),
                    !all.contains(MethodSyntax.fullName(use.value, in: group.name))
                else { continue }
                reportUnknown(use, in: group.name, among: all)
            }
        }
    }

    private mutating func reportUnknown(
        _ use: Located<String>, in group: String, among all: Set<String>
    ) {
        let near = didYouMean(MethodSyntax.fullName(use.value, in: group), among: all)
        bag.report(
            .unknownReplacement, "no method is called `\(use.value)`", at: use.span,
            help: near
                ?? "name a method of the spec, or write a sentence: `use: the new upload`")
    }
}
