import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks the operations of methods: their kind, streams, throttles and idempotency keys.
struct OperationChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = OperationChecker(spec: spec)
        for method in spec.methods {
            checker.checkKind(method.syntax, method.output)
            checker.checkReplies(method)
            checker.checkThrottle(method)
            checker.checkCoalescing(method)
            checker.checkPolling(method.syntax, method.kind)
            checker.checkIdempotencyKey(method)
            checker.checkCache(method)
        }
        bag.report(contentsOf: checker.bag)
    }

    // MARK: Kind

    /// The reserved property for the destination of a download.
    private static let destination = "$to"

    private mutating func checkKind(_ syntax: MethodSyntax, _ output: Output) {
        let kind = syntax.call.kind
        if let stream = syntax.call.stream {
            if let kind, kind.value != .stream {
                bag.report(
                    .conflict, "`stream` cannot be combined with `kind: \(kind.value.rawValue)`",
                    at: stream.label.span,
                    notes: [Diagnostic.Note("`kind` is here", at: kind.span)],
                    help: "keep one of them; `stream` alone makes the method a stream")
            }
            checkElements(syntax, stream: stream.label, output: output)
            checkFormat(stream)
            return
        }
        if kind?.value != .download, output != .nothing, let returns = syntax.returns {
            checkReplyBody(syntax, at: returns.span, for: "a value")
        }
        guard let kind else { return }
        switch kind.value {
        case .data: break
        case .upload: checkUpload(syntax, kind.word)
        case .download: checkDownload(syntax, kind: kind.word, output: output)
        case .stream:
            bag.report(
                .missingKey, "a stream needs its form", at: kind.span,
                help: "write `stream: sse` or `stream: json-lines`, without `kind`")
        }
    }

    private mutating func checkUpload(_ syntax: MethodSyntax, _ kind: Located<String>) {
        guard syntax.bodyKey == nil else { return }
        reportKind(
            "an upload without a body sends nothing", at: kind.span, noting: syntax.verb?.word,
            help: "add a body: `multipart:`, `body: file`, …")
    }

    private mutating func checkDownload(
        _ syntax: MethodSyntax, kind: Located<String>, output: Output
    ) {
        checkReplyBody(syntax, at: kind.span, for: "a download")
        if let unwrap = syntax.settings.unwrap, !unwrap.value.isEmpty {
            reportKind(
                "a download is written unchanged, so `unwrap` does not apply",
                at: unwrap.span, noting: kind, help: "remove `unwrap`")
        }
        if ![.file, .bytes, .nothing].contains(output), let returns = syntax.returns {
            reportKind(
                "a download gives a file, not a value", at: returns.span, noting: kind,
                help: "leave `returns` out, or write `returns: file`")
        }
        checkRanges(syntax)
        for parameter in syntax.parameters
        where parameter.sentKey.value == Self.destination {
            reportKind(
                "`$to` is the property for the destination of a download", at: parameter.key.span,
                noting: kind, help: "the method needs `kind: data` to have a parameter of this name"
            )
        }
    }

    /// Rejects range headers, because the requested part would be taken for the whole file.
    private mutating func checkRanges(_ syntax: MethodSyntax) {
        for parameter in syntax.parameters where parameter.location == .header {
            let name = parameter.sentKey
            guard ["range", "if-range"].contains(name.value.lowercased()) else { continue }
            bag.report(
                .badHeader, "header `\(name.value)` is set by the download itself", at: name.span,
                help: "remove it: a download requests missing ranges itself (RFC 9110 §14.2)")
        }
    }

    mutating func checkReplyBody(_ syntax: MethodSyntax, at span: Span, for what: String) {
        guard let verb = syntax.verb, verb.value == .head else { return }
        reportKind(
            "\(what) needs a body, and the reply to `head` has none", at: span, noting: verb.word,
            help: "use another verb (RFC 9110 §9.3.2)")
    }

    mutating func reportKind(
        _ message: String, at span: Span, noting other: Located<String>?, help: String
    ) {
        let notes = other.map {
            [Diagnostic.Note("`\($0.value)` is here", at: $0.span)]
        }
        bag.report(.badKind, message, at: span, notes: notes ?? [], help: help)
    }
}
