import SpecDiagnostics
import SpecSyntax

/// Checks the documentation of declarations.
enum DocumentationChecker {
    /// Reports a link that is no absolute URL.
    static func check(_ syntax: DocumentationSyntax, into bag: inout DiagnosticBag) {
        guard let link = syntax.link, !isWebAddress(link.value) else { return }
        bag.report(
            .badLink, "`\(link.value)` is not an absolute URL", at: link.span,
            help: "links begin with `https://` and hold no spaces")
    }

    /// Reports an entry of `reachability` that is no absolute URL.
    static func checkReachability(_ api: APISyntax, into bag: inout DiagnosticBag) {
        for url in api.reachability where !isWebAddress(url.value) {
            bag.report(
                .badLink, "`\(url.value)` is not an absolute URL", at: url.span,
                help: "write the host with its scheme: `https://api.example.com/`")
        }
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let isHTTP = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isHTTP
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "<" && $0 != ">" }
    }
}
