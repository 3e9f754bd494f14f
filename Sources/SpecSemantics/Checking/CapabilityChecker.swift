import SpecDiagnostics
import SpecSyntax

/// Checks that the capabilities of each group name methods of the group, each at most once.
struct CapabilityChecker {
    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        for group in spec.groups {
            var taken: [String: Located<String>] = [:]
            for capability in group.syntax.capabilities {
                if capability.methods.isEmpty {
                    bag.report(
                        .badCapability, "capability `\(capability.name.value)` has no methods",
                        at: capability.name.span, help: "name methods of this file, or remove it")
                }
                for name in capability.methods {
                    check(name, of: capability, in: group, &taken, into: &bag)
                }
            }
        }
    }

    private static func check(
        _ name: Located<String>, of capability: CapabilitySyntax, in group: ResolvedGroup,
        _ taken: inout [String: Located<String>], into bag: inout DiagnosticBag
    ) {
        guard let method = group.method(named: name.value) else {
            let names = group.methods.flatMap { [$0.syntax.name.value, $0.apiName] }
            bag.report(
                .badCapability, "`\(name.value)` is not a method of this file", at: name.span,
                help: didYouMean(name.value, among: names)
                    ?? "a capability is a part of one group; an app combines several: "
                    + "`typealias Both = A & B`")
            return
        }
        if let place = method.syntax.visibility, place.value == .internal {
            bag.report(
                .badCapability, "`\(method.apiName)` is internal, and a capability is public",
                at: name.span, notes: [Diagnostic.Note("it is internal here", at: place.span)],
                help: "remove it from the capability, or `visibility` from the method")
        }
        if let first = taken.updateValue(capability.name, forKey: method.apiName) {
            bag.report(
                .badCapability, "`\(method.apiName)` is in two capabilities", at: name.span,
                notes: [Diagnostic.Note("the first one is here", at: first.span)],
                help: "put it into a capability of its own; an app combines several: "
                    + "`typealias Both = A & B`")
        }
    }
}

extension ResolvedGroup {
    /// The method with this name, which may lack the name of the group.
    func method(named name: String) -> ResolvedMethod? {
        methods.first { $0.apiName == name }
            ?? methods.first { $0.apiName == "\(syntax.name).\(name)" }
    }
}
