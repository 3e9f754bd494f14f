import SpecDiagnostics
import SpecSyntax

extension Feature {
    /// Explains what is at a place: a method, a type, a field, or a key of the language.
    static var hover: Feature {
        Feature(
            method: "textDocument/hover", capabilities: ["hoverProvider": true]
        ) { params, workspace throws(Refusal) in
            guard let cursor = try workspace.cursor(params) else { return .null }
            let symbol = cursor.occurrence.flatMap {
                SymbolText(snapshot: cursor.snapshot, workspace: workspace).text(of: $0.symbol)
            }
            guard let text = symbol ?? key(at: cursor) ?? word(at: cursor) else { return .null }
            return ["contents": .markdown(text)]
        }
    }

    /// The meaning of a key.
    private static func key(at cursor: Cursor) -> String? {
        guard let (trace, offset) = cursor.snapshot.trace(at: cursor.offset, of: cursor.path) else {
            return nil
        }
        return trace.mappings.reversed().lazy.compactMap { mapping in
            mapping.node.entries.first { $0.key.span.contains(offset) }
                .map { mapping.explanation(of: $0.key.text) }
        }.first
    }

    /// The meaning of a type of the language.
    private static func word(at cursor: Cursor) -> String? {
        let word = WordPlace(at: cursor.offset, in: cursor.file).text
        guard TypeNames.scalars.contains(word) else { return nil }
        return KeyMeanings.all.meaning(ofType: word).map { "`\(word)`\n\n\($0.sentence)" }
    }
}

extension JSONTree {
    /// Text with Markdown.
    static func markdown(_ text: String) -> JSONTree {
        ["kind": "markdown", "value": .text(text)]
    }
}

extension GrammarTrace.Mapping {
    /// The explanation of one of its keys.
    func explanation(of key: String) -> String {
        let meaning = KeyMeanings.all.meaning(of: key, in: name, takesRules: takesRules)
        return "`\(key)` in \(name)" + (meaning.map { "\n\n\($0.sentence)" } ?? "")
    }
}

extension KeyMeanings.Meaning {
    /// The meaning with the name of its page.
    var sentence: String { "\(text.prefix(1).uppercased())\(text.dropFirst()).\n\n*Page \(page)*" }
}

extension Span {
    /// Whether an offset lies inside, or at the end.
    func contains(_ offset: Int32) -> Bool { start <= offset && offset <= end }
}
