import SpecDiagnostics
import SpecIR
import SpecSyntax

extension Documentation {
    /// Lowers the documentation of a declaration.
    init(_ syntax: DocumentationSyntax, into bag: inout DiagnosticBag) {
        if let link = syntax.link, !Self.isWebAddress(link.value) {
            bag.report(
                .badLink, "`\(link.value)` is not an absolute URL", at: link.span,
                help: "links begin with `https://` and hold no spaces")
        }
        let deprecation = syntax.deprecation.map {
            Deprecation(since: $0.since, use: $0.use?.value, message: $0.message)
        }
        self.init(
            text: syntax.text?.value, link: syntax.link?.value, deprecation: deprecation)
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let isHTTP = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isHTTP
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "<" && $0 != ">" }
    }
}
