import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Analyses a spec in passes: the resolver replaces names with types, the checkers report errors, the
/// linter warns, and a spec without errors is lowered to the IR.
public enum SpecAnalyzer {
    /// Returns the IR of a spec, or `nil` if it has errors, which are reported to `bag`.
    public static func analyze(_ spec: Spec, into bag: inout DiagnosticBag) -> API? {
        guard let resolved = Resolver.resolve(spec, into: &bag) else { return nil }
        let checked = CheckedSpec(resolved, into: &bag)
        Linter.check(resolved, isComplete: checked != nil, into: &bag)
        return checked.map { Lowering($0).api }
    }

    /// Returns a spec whose methods have the paths and bodies that are sent, and whose uses of
    /// generic models are models. Errors are those of ``analyze(_:into:)``.
    package static func expanded(_ spec: Spec) -> Spec {
        var bag = DiagnosticBag()
        guard let api = spec.api else { return spec }
        return SpecExpander.expand(spec, namer: SwiftNamer(api), into: &bag)
    }
}
