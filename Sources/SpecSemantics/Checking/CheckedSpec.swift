import SpecDiagnostics

/// A resolved spec without errors, which alone can be lowered.
struct CheckedSpec {
    let resolved: ResolvedSpec

    /// Runs all checkers.
    ///
    /// - Parameters:
    ///   - bag: The errors of parsing and resolving; the checkers add theirs. With an error in it, the
    ///     result is `nil`.
    init?(_ resolved: ResolvedSpec, into bag: inout DiagnosticBag) {
        APIChecker.check(resolved, into: &bag)
        ErrorChecker.check(resolved, into: &bag)
        AuthChecker.check(resolved, into: &bag)
        SettingsChecker.check(resolved, into: &bag)
        SuccessChecker.check(resolved, into: &bag)
        MethodChecker.check(resolved, into: &bag)
        OperationChecker.check(resolved, into: &bag)
        CapabilityChecker.check(resolved, into: &bag)
        TokenPlaceChecker.check(resolved, into: &bag)
        ModelChecker.check(resolved, into: &bag)
        ConformanceChecker.check(resolved, into: &bag)
        BackgroundChecker.check(resolved, into: &bag)
        if bag.hasErrors { return nil }
        self.resolved = resolved
    }
}
