import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks streams.
extension OperationChecker {
    mutating func checkFormat(_ stream: StreamSyntax) {
        if let events = stream.events { checkEvents(events, stream) }
        if let end = stream.end { checkEnd(end, StreamFormat(stream).framing) }
    }

    private mutating func checkEvents(
        _ events: Located<[Located<String>]>, _ stream: StreamSyntax
    ) {
        if let form = stream.form, form.value == .jsonLines {
            bag.report(
                .badStream, "lines of JSON have no event types",
                at: events.value.first?.span ?? events.span,
                notes: [Diagnostic.Note("`json-lines` is here", at: form.span)],
                help: "remove `events`, or set `form: sse`")
            return
        }
        if events.value.isEmpty {
            bag.report(
                .badStream, "`events` names no event, so the stream would have no element",
                at: events.span, help: "name the kinds of events with an element, or leave it out")
        }
        var seen: [String: Span] = [:]
        for event in events.value {
            checkLine(event, "the name of an event")
            if let first = seen.updateValue(event.span, forKey: event.value) {
                bag.report(
                    .badStream, "event `\(event.value)` is named twice", at: event.span,
                    notes: [Diagnostic.Note("it is named here", at: first)], help: "remove one")
            }
        }
    }

    private mutating func checkEnd(_ end: Located<String>, _ framing: StreamFormat.Framing) {
        checkLine(end, "the end marker of a stream")
        guard framing == .jsonLines else { return }
        let isSpace = { (scalar: Unicode.Scalar?) in scalar == " " || scalar == "\t" }
        if isSpace(end.value.unicodeScalars.first) || isSpace(end.value.unicodeScalars.last) {
            bag.report(
                .badStream, "lines are read without the white space around them", at: end.span,
                help: "remove that of `end`")
        }
    }

    private mutating func checkLine(_ text: Located<String>, _ what: String) {
        guard text.value.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" }) else {
            return
        }
        bag.report(
            .badStream, "\(what) is one line", at: text.span,
            help: "write it as the server sends it, without a line break")
    }

    /// Checks the element type of a stream.
    mutating func checkElements(
        _ syntax: MethodSyntax, stream: Located<String>, output: Output
    ) {
        checkReplyBody(syntax, at: stream.span, for: "a stream")
        if case .value = output { return }
        // An invalid type has already been reported.
        if case .nothing = output, let returns = syntax.returns {
            guard case .named("nothing") = returns.form else { return }
        }
        let help = "`returns` is the type of one element, read from JSON: a model, `json`, `int`, …"
        let what = syntax.returns.map { _ in "an element of a stream is a JSON value" }
        reportKind(
            what ?? "a stream needs `returns` with the type of its elements",
            at: syntax.returns?.span ?? stream.span, noting: stream, help: help)
    }
}
