import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Explains what is at a place: a method, a type, a field, or a key of the language.
enum HoverFeature: Feature {
    struct Hover: Encodable {
        let contents: MarkupContent
        let range: TextRange?
    }

    static let method = "textDocument/hover"
    static let capabilities: [String: JSONTree] = ["hoverProvider": true]

    static func answer(_ params: DocumentPosition, _ workspace: inout Workspace) -> Hover? {
        guard let cursor = workspace.cursor(params) else { return nil }
        if let found = cursor.occurrence,
            let text = SymbolText(cursor.snapshot, workspace).text(of: found.symbol)
        {
            let range = workspace.location(of: found.span, in: cursor.snapshot)?.range
            return Hover(contents: MarkupContent(value: text), range: range)
        }
        return (key(at: cursor) ?? word(at: cursor)).map {
            Hover(contents: MarkupContent(value: $0), range: nil)
        }
    }

    /// The meaning of a key.
    private static func key(at cursor: Cursor) -> String? {
        guard let (trace, offset) = cursor.snapshot.trace(at: cursor.offset, of: cursor.path) else {
            return nil
        }
        for mapping in trace.mappings.reversed() {
            guard let entry = mapping.node.entries.first(where: { $0.key.span.contains(offset) })
            else { continue }
            return KeyText.text(of: entry.key.text, in: mapping)
        }
        return nil
    }

    /// The meaning of a type of the language.
    private static func word(at cursor: Cursor) -> String? {
        let word = WordPlace(at: cursor.offset, in: cursor.file).text
        guard TypeNames.scalars.contains(word) else { return nil }
        return KeyMeanings.all.meaning(ofType: word).map { "`\(word)`\n\n\($0.sentence)" }
    }
}

/// The explanation of a key.
enum KeyText {
    static func text(of key: String, in mapping: GrammarTrace.Mapping) -> String {
        let rule = mapping.takesRules ? RuleName(key: key)?.rawValue : nil
        let meaning =
            KeyMeanings.all.meaning(of: key, in: mapping.name)
            ?? rule.flatMap { KeyMeanings.all.meaning(ofRule: $0) }
        return "`\(key)` in \(mapping.name)" + (meaning.map { "\n\n\($0.sentence)" } ?? "")
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
