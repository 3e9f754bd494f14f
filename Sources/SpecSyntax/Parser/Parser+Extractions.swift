import SpecDiagnostics
import SpecIR

/// Parses `extract`: single values of a reply.
extension Parser {
    mutating func extractions(_ node: YAMLNode) -> [ExtractionSyntax] {
        entries(node, of: "`extract`", help: "name each value: `extract: { total: count }`")
            .compactMap { extraction($0) }
    }

    /// `name: path`, or `{ at, type, doc }`
    private mutating func extraction(_ entry: YAMLEntry) -> ExtractionSyntax? {
        var place: YAMLNode? = entry.value
        var type: TypeSyntax?
        var documentation = DocumentationSyntax()
        if entry.value.kind == .mapping {
            place = nil
            visit(entry.value, as: .extraction) { parser, key, entry in
                switch key {
                case "at": place = entry.value
                case "type": type = parser.type(entry.value)
                case "doc":
                    documentation.text = parser.text(entry.value, expecting: "a description")
                default: return false
                }
                return true
            }
        }
        guard let place else {
            bag.report(
                .missingKey, "`\(entry.key.text)` has no `at`", at: entry.key.span,
                help: "add `at: key`, the path of the value in the reply")
            return nil
        }
        guard let path = path(place, expecting: "a path") else { return nil }
        return ExtractionSyntax(
            name: entry.key.located, path: path, type: type, documentation: documentation)
    }
}
