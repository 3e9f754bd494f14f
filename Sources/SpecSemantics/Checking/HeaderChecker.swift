import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks header names and values.
package enum HeaderChecker {
    /// Checks a header name. Names are tokens (RFC 9110 §5.1), and some are set by the transport.
    static func checkName(
        _ name: Located<String>, _ code: DiagnosticCode = .badHeader,
        into bag: inout DiagnosticBag
    ) {
        let other = "remove it: the transport sets it"
        let own = [
            "content-type": "remove it: it follows from `json`, `form`, `multipart` or `body`",
            "content-length": "remove it: it follows from the body",
            "host": "remove it: it follows from the URL of the server",
            "connection": other, "transfer-encoding": other, "te": other, "trailer": other,
            "upgrade": other, "keep-alive": other,
        ]
        if !isToken(name.value) {
            bag.report(
                code, "`\(name.value)` is not a valid header name", at: name.span,
                help: "names are letters, digits and `-` (RFC 9110 §5.1)")
        } else if let help = own[name.value.lowercased()] {
            bag.report(
                code, "header `\(name.value)` is set by the request itself", at: name.span,
                help: help)
        }
    }

    /// Whether a text can name a header or a cookie (RFC 9110 §5.6.2).
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { $0.isNamePart || "!#$%&'*+-.^`|~".utf8.contains($0) }
    }

    // MARK: Values

    /// Reports literals that a header cannot contain, because each call would fail.
    static func checkTexts(
        _ syntax: ParameterSyntax, value: Value, enumerations: [String: Enumeration],
        into bag: inout DiagnosticBag
    ) {
        let attributes = syntax.type.attributes
        // JSON text escapes control characters.
        if attributes.style?.value == .json { return }
        if let join = attributes.join { checkNoControls(join, into: &bag) }
        for node in [attributes.constant, attributes.defaultValue].compactMap(\.self) {
            if node.kind == .scalar { checkText(Located(node.text, at: node.span), into: &bag) }
            for item in node.items {
                checkNoControls(Located(item.text, at: item.span), into: &bag)
            }
        }
        checkCases(syntax, value: value, enumerations: enumerations, into: &bag)
    }

    private static func checkText(_ text: Located<String>, into bag: inout DiagnosticBag) {
        checkNoControls(text, into: &bag)
        guard let first = text.value.first, let last = text.value.last else { return }
        if " \t".contains(first) || " \t".contains(last) {
            bag.report(
                .badHeader, "a header's value neither begins nor ends with a space", at: text.span,
                help: "remove the space: servers ignore it (RFC 9110 §5.5)")
        }
    }

    /// Checks that a text has no line break and no other control character.
    static func checkNoControls(
        _ text: Located<String>, _ code: DiagnosticCode = .badHeader,
        into bag: inout DiagnosticBag
    ) {
        guard hasControls(text.value) else { return }
        bag.report(
            code, "a header cannot contain a line break or another control character",
            at: text.span,
            help: "remove it (RFC 9110 §5.5)")
    }

    private static func checkCases(
        _ syntax: ParameterSyntax, value: Value, enumerations: [String: Enumeration],
        into bag: inout DiagnosticBag
    ) {
        if case .list(let element) = value.type {
            return checkCases(syntax, value: element, enumerations: enumerations, into: &bag)
        }
        guard case .enumeration(let name, _) = value.type,
            let odd = enumerations[name]?.cases.first(where: { hasControls($0.value) })
        else { return }
        bag.report(
            .badHeader,
            "value `\(odd.name)` contains a control character, which is not allowed in a header",
            at: syntax.key.span, help: "remove it from the enumeration, or send it elsewhere")
    }

    /// Whether a text has control characters other than a tab.
    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
    }
}
