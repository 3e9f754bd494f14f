import SpecDiagnostics
import SpecSyntax

/// Reports settings without an effect.
extension DiagnosticBag {
    /// Reports a setting that has no effect because of another one.
    mutating func reportNoEffect(
        _ message: String, at span: Span, because name: String, at other: Span
    ) {
        report(
            .noEffect, message, at: span, notes: [Diagnostic.Note("\(name) is here", at: other)],
            help: "leave one of them out, or change it")
    }

    /// Reports repeated entries of a list.
    mutating func reportRepeated<Value: Hashable>(_ entries: [Located<Value>], _ list: String) {
        var seen: [Value: Span] = [:]
        for entry in entries {
            guard let first = seen[entry.value] else {
                seen[entry.value] = entry.span
                continue
            }
            report(
                .noEffect, "\(list) names this twice", at: entry.span,
                notes: [Diagnostic.Note("it is named here", at: first)], help: "remove one")
        }
    }

    /// Reports an empty list.
    mutating func reportEmpty<Value>(_ list: Located<[Value]>, name: String, help: String) {
        guard list.value.isEmpty else { return }
        report(.noEffect, "\(name) is empty", at: list.span, help: help)
    }
}
