import SpecIR
import SpecSyntax

extension Documentation {
    /// Lowers the documentation of a declaration.
    init(_ syntax: DocumentationSyntax) {
        let deprecation = syntax.deprecation.map {
            Deprecation(since: $0.since, use: $0.use?.value, message: $0.message)
        }
        self.init(
            text: syntax.text?.value, link: syntax.link?.value, deprecation: deprecation)
    }
}
