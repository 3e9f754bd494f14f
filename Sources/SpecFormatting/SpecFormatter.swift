import SpecDiagnostics
import SpecSyntax

/// Writes a file of a spec in its one form: keys in the order of the reference pages, what fits a line in
/// braces, one style of quotes. Comments stay with what they are about.
public enum SpecFormatter {
    /// The formatted text; nil for a file that cannot be formatted, which is reported.
    public static func format(
        _ source: SourceFile, as schema: JSONSchema, into bag: inout DiagnosticBag
    ) -> String? {
        let errors = bag.errorCount
        guard let read = YAMLReader.read(source, into: &bag), bag.errorCount == errors else {
            return nil
        }
        if source.byteOrderMarkSize == 0, !source.bytes.contains(0x0D) {
            return format(read, in: source, as: schema, at: read.span.part(0..<0), into: &bag)
        }
        // Offsets are those of lines that end in a line feed, without a byte order mark.
        var (sources, none) = (SourceMap(), DiagnosticBag())
        let original = String(
            decoding: source.bytes.dropFirst(source.byteOrderMarkSize), as: UTF8.self)
        let isCRLF = original.contains(ascii: "\r\n")
        let text = original.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        let plain = sources.add(path: source.path, text: text)
        let root = YAMLReader.read(plain, into: &none)
        let result = format(
            root, in: plain, as: schema, at: read.span.part(0..<0), into: &bag)
        return result.map {
            (source.byteOrderMarkSize > 0 ? "\u{FEFF}" : "")
                + (isCRLF ? $0.replacing("\n", with: "\r\n") : $0)
        }
    }

    private static func format(
        _ root: YAMLNode?, in source: SourceFile, as schema: JSONSchema, at place: Span,
        into bag: inout DiagnosticBag
    ) -> String? {
        guard let root, root.kind == .mapping, !root.hasAlias else {
            bag.report(
                .notFormatted, "the file cannot be formatted", at: place,
                help: root?.hasAlias == true
                    ? "write what its aliases stand for" : "it has to be a mapping of keys")
            return nil
        }
        let comments = YAMLComments.spans(in: source, root)
        var printer = FormatPrinter(
            of: source.bytes, SourceRemarks(of: source, root, comments: comments))
        let text = printer.document(root, KeyOrder(of: schema))
        guard isSame(text, as: root, comments: comments.map { source.text(of: $0) }) else {
            bag.report(
                .notFormatted, "the file cannot be formatted without changing it",
                at: place,
                help: "it stays as it is; please report the file")
            return nil
        }
        return text
    }

    /// Whether a text has the values and comments of a document.
    private static func isSame(
        _ text: String, as root: YAMLNode, comments: [String]
    ) -> Bool {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let source = sources.add(path: "", text: text)
        guard let new = YAMLReader.read(source, into: &bag), !bag.hasErrors else { return false }
        let found = YAMLComments.spans(in: source, new).map { source.text(of: $0) }
        return new.isEqual(to: root)
            && found.map(trimmed).sorted() == comments.map(trimmed).sorted()
    }

    private static func trimmed(_ text: String) -> String {
        String(text.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension YAMLNode {
    fileprivate var hasAlias: Bool {
        isAlias || items.contains(where: \.hasAlias)
            || entries.contains { $0.key.isAlias || $0.value.hasAlias }
    }

    /// Whether two values mean the same, whatever the order of keys and the quotes of texts.
    fileprivate func isEqual(to other: YAMLNode) -> Bool {
        switch (kind, other.kind) {
        case (.scalar, .scalar):
            text == other.text && isNull == other.isNull && boolean == other.boolean
                && numberText == other.numberText
        case (.sequence, .sequence):
            items.count == other.items.count
                && zip(items, other.items).allSatisfy { $0.isEqual(to: $1) }
        case (.mapping, .mapping):
            entries.count == other.entries.count
                && entries.allSatisfy { entry in
                    other.value(of: entry.key.text)?.isEqual(to: entry.value) == true
                }
        default: false
        }
    }
}
