import SpecDiagnostics
import SpecSyntax

/// Makes `content-type` a constant header field, and `body: text` a text that is sent as it is.
enum BodyTypeExpander {
    static func expand(_ spec: inout Spec, into bag: inout DiagnosticBag) {
        // A model may have the name.
        let hasText = !spec.groups.contains { $0.models.contains { $0.name.value == "text" } }
        for index in spec.groups.indices {
            for place in spec.groups[index].methods.indices {
                if hasText { spec.groups[index].methods[place].readText(into: &bag) }
                spec.groups[index].methods[place].addContentType(into: &bag)
            }
        }
    }
}

extension MethodSyntax {
    /// `body: text`, with the media type of `content-type`.
    fileprivate mutating func readText(into bag: inout DiagnosticBag) {
        guard body?.name == "text", !isWrittenAsJSON else { return }
        body?.form = .named("string")
        textType = contentType?.value ?? "text/plain; charset=utf-8"
        if let place = body?.nullable {
            bag.report(
                .optionalNotAllowed, "a text has no null", at: place,
                help: "write `text?` for a body that may be left out")
        }
        guard let contentType, let charset = Self.charset(of: contentType.value),
            !Self.charsets.contains(charset.lowercased())
        else { return }
        bag.report(
            .notAllowed, "a text cannot be sent in the charset `\(charset.prefix(60))`",
            at: contentType.span,
            help:
                "write one of \(Self.charsets.map { "`\($0)`" }.joined(separator: ", ")), or give "
                + "the bytes: `body: bytes`")
    }

    /// The charsets in which the runtime writes texts.
    private static let charsets = [
        "utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-16", "utf-16le", "utf-16be",
    ]

    /// The `charset` of a media type (RFC 9110 §8.3.2).
    private static func charset(of mediaType: String) -> Substring? {
        mediaType.firstMatch(of: #/;\s*(?i:charset)\s*=\s*"?([^";\s]*)/#)?.output.1
    }

    fileprivate mutating func addContentType(into bag: inout DiagnosticBag) {
        guard let contentType, textType == nil else { return }
        let key = bodyKey?.value
        guard key == .json || key == .body && body?.name != "file" else {
            bag.report(
                .attributeDoesNotApply, "`content-type` does not apply here", at: contentType.span,
                help: "it is the type of a JSON body, of a text and of raw bytes; forms have their "
                    + "own, and a file brings one")
            return
        }
        var header = ParameterSyntax(
            key: Located("Content-Type", at: contentType.span), location: .header,
            type: TypeSyntax(.named("string"), at: contentType.span))
        header.callValue = .text(contentType.value)
        parameters.append(header)
    }
}
