import SpecDiagnostics
import SpecSyntax

/// Settings that change nothing.
extension Analyzer {
    /// Reports a setting that another one keeps from having an effect.
    mutating func reportNoEffect(
        _ message: String, at span: Span, because name: String, at other: Span
    ) {
        bag.report(
            .noEffect, message, at: span, notes: [Diagnostic.Note("\(name) is here", at: other)],
            help: "leave one of them out, or change it")
    }

    /// Reports each entry of a list that stands in it already.
    mutating func reportRepeated<Value: Hashable>(_ entries: [Located<Value>], _ list: String) {
        var seen: [Value: Span] = [:]
        for entry in entries {
            guard let first = seen[entry.value] else {
                seen[entry.value] = entry.span
                continue
            }
            bag.report(
                .noEffect, "\(list) names this twice", at: entry.span,
                notes: [Diagnostic.Note("it is named here", at: first)], help: "remove one")
        }
    }

    /// Reports a list without entries, where leaving it out says the same.
    mutating func reportEmpty<Value>(_ list: Located<[Value]>, name: String, help: String) {
        guard list.value.isEmpty else { return }
        bag.report(.noEffect, "\(name) names nothing", at: list.span, help: help)
    }
}
