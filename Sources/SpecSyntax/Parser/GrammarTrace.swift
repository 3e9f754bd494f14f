import SpecDiagnostics

/// What the grammar accepts at the places of one file, as the parser meets them: editors complete and
/// explain with it.
package struct GrammarTrace: Sendable {
    /// A mapping of the grammar.
    package struct Mapping: Sendable {
        /// The mapping.
        package let node: YAMLNode
        /// Its name in messages, for instance `a method`.
        package let name: String
        /// The keys that it accepts.
        package let keys: [String]
        /// Whether it accepts rules, too.
        package let takesRules: Bool
    }

    /// A value that is one of some words.
    package struct Choice: Sendable {
        /// The value.
        package let span: Span
        /// The words.
        package let words: [String]
    }

    /// The mappings, an outer one before those inside of it.
    package private(set) var mappings: [Mapping] = []
    /// The values of closed sets.
    package private(set) var choices: [Choice] = []
    /// The types whose attributes stand in a mapping, at the span of that mapping.
    package private(set) var types: [Located<TypeSyntax>] = []

    mutating func add(_ node: YAMLNode, _ schema: MappingSchema) {
        mappings.append(
            Mapping(
                node: node, name: schema.name, keys: schema.keys, takesRules: !schema.more.isEmpty))
    }

    mutating func add(_ type: TypeSyntax, at span: Span) {
        types.append(Located(type, at: span))
    }

    mutating func add(_ words: [String], at span: Span) {
        choices.append(Choice(span: span, words: words))
    }
}

extension SpecParser {
    /// Parses one file for what the grammar accepts in it; nil if its YAML has a mistake.
    package static func trace(_ file: SpecFile) -> GrammarTrace? {
        var parser = Parser()
        parser.trace = GrammarTrace()
        guard let root = YAMLReader.read(file.source, into: &parser.bag) else { return nil }
        parser.bytes = file.source.bytes
        if file.isAPI {
            _ = parser.api(root)
        } else {
            _ = parser.group(root, path: file.path)
        }
        return parser.trace
    }
}
