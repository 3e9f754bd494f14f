import SpecDiagnostics
import SpecSyntax

/// What a spec says of its own warnings: `lint` of `api.yaml`, and comments `# telex:ignore`.
package struct LintPolicy {
    private let levels: [String: LintLevel]
    private let ignores: [IgnoreSyntax]

    /// Runs the rules that `lint` has switched on, and applies the policy of a spec to all that was
    /// reported. Errors stay as they are.
    package static func apply(_ spec: Spec, to bag: inout DiagnosticBag) {
        let policy = LintPolicy(spec, into: &bag)
        if spec.isComplete { StyleRules.check(spec, into: &bag) { policy.levels[$0.id] ?? .off } }
        let hadErrors = bag.hasErrors
        var used: Set<Int> = []
        bag.revise { diagnostic in
            guard diagnostic.severity == .warning else { return diagnostic }
            let found = policy.ignores.indices.filter { policy.ignores[$0].covers(diagnostic) }
            guard found.isEmpty else {
                used.formUnion(found)
                return nil
            }
            return policy.leveled(diagnostic)
        }
        // After an error, fewer warnings are looked for.
        if !hadErrors { policy.reportUnused(besides: used, into: &bag) }
    }

    private init(_ spec: Spec, into bag: inout DiagnosticBag) {
        var levels: [String: LintLevel] = [:]
        for entry in spec.api?.lint ?? [] {
            let id = entry.code.value.uppercased()
            let code = DiagnosticCode.find(id)
            guard let code, code.severity == .warning else {
                let near = code == nil ? didYouMean(id, among: Self.warnings) : nil
                bag.report(
                    .badLint,
                    code == nil
                        ? "there is no code `\(entry.code.value.prefix(60))`"
                        : "`\(id)` is an error, and errors cannot be switched off",
                    at: entry.code.span,
                    help: near ?? "`telex check` shows the code of each warning in brackets")
                continue
            }
            levels[id] = entry.level
        }
        self.levels = levels
        ignores = spec.ignores
        for ignore in ignores { Self.check(ignore, into: &bag) }
    }

    private static let warnings = DiagnosticCode.all.filter { $0.severity == .warning }.map(\.id)

    private static func check(_ ignore: IgnoreSyntax, into bag: inout DiagnosticBag) {
        let help = "write the code and why: `# telex:ignore T0516 the server sends it`"
        if ignore.codes.isEmpty {
            bag.report(.badIgnore, "the comment names no code", at: ignore.span, help: help)
        } else if let other = ignore.codes.first(where: { !warnings.contains($0.value) }) {
            bag.report(
                .badIgnore, "`\(other.value)` is no code of a warning", at: other.span, help: help)
        } else if !ignore.hasReason {
            bag.report(.badIgnore, "the comment does not say why", at: ignore.span, help: help)
        }
    }

    private func leveled(_ diagnostic: Diagnostic) -> Diagnostic? {
        var diagnostic = diagnostic
        switch levels[diagnostic.code.id] {
        case .off: return nil
        case .error: diagnostic.severity = .error
        case .warning, nil: break
        }
        return diagnostic
    }

    private func reportUnused(besides used: Set<Int>, into bag: inout DiagnosticBag) {
        for (index, ignore) in ignores.enumerated() where !used.contains(index) {
            let codes = ignore.codes.map(\.value).filter(Self.warnings.contains)
            guard !codes.isEmpty, !codes.contains(where: { levels[$0] == .off }) else { continue }
            var unused = Diagnostic(
                .unusedIgnore, "there is no \(codes.joined(separator: ", ")) here any more",
                at: ignore.span, help: "remove the comment")
            unused.ownEdits = [.init("", at: ignore.span)]
            if let diagnostic = leveled(unused) { bag.report(diagnostic) }
        }
    }
}

extension IgnoreSyntax {
    /// Whether it is about a diagnostic.
    fileprivate func covers(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.span.file == scope.file && diagnostic.span.start >= scope.start
            && diagnostic.span.start <= scope.end
            && codes.contains { $0.value == diagnostic.code.id }
    }
}
