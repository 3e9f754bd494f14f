import SpecDiagnostics

/// Parses comments that ignore warnings.
extension Parser {
    /// The comments `# telex:ignore T0412 why` of a file.
    func ignores(in source: SourceFile, _ root: YAMLNode) -> [IgnoreSyntax] {
        // Few files have one.
        guard source.text(of: source.all).contains(ascii: IgnoreSyntax.mark) else { return [] }
        return YAMLComments.spans(in: source, root).compactMap { ignore($0, in: source) }
    }

    private func ignore(_ comment: Span, in source: SourceFile) -> IgnoreSyntax? {
        let text = source.text(of: comment)
        let rest = text.drop { $0 == "#" || $0 == " " }
        let mark = IgnoreSyntax.mark
        guard rest.hasPrefix(mark) else { return nil }
        var codes: [Located<String>] = []
        var place = text.utf8Range(rest.dropFirst(mark.count).startIndex..<text.endIndex)
            .lowerBound
        var reason = rest.dropFirst(mark.count)
        while true {
            let word = reason.drop { $0 == " " || $0 == "," }
            place += reason.utf8.count - word.utf8.count
            let code = word.prefix { $0 != " " && $0 != "," }
            reason = word
            guard code.wholeMatch(of: #/[Tt][0-9]+/#) != nil else { break }
            let span = comment.part(place..<place + code.utf8.count)
            codes.append(Located(code.uppercased(), at: span))
            reason = word.dropFirst(code.count)
            place += code.utf8.count
        }
        let hasReason = reason.contains { $0.isLetter }
        return IgnoreSyntax(
            codes: codes, hasReason: hasReason, span: comment,
            scope: Self.scope(of: comment, in: source))
    }

    /// The line of a comment behind an entry; under one on a line of its own, the next entry with all
    /// that is indented deeper.
    private static func scope(of comment: Span, in source: SourceFile) -> Span {
        let bytes = source.bytes
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var index = lines.lastIndex { $0.startIndex <= Int(comment.start) } ?? 0
        let before = lines[index].prefix(upTo: Int(comment.start))
        if before.contains(where: { $0 > 0x20 }) {
            return source.span(lines[index].startIndex..<lines[index].endIndex)
        }
        repeat { index += 1 } while index < lines.count && indent(of: lines[index]) == nil
        guard index < lines.count, let depth = indent(of: lines[index]) else { return comment }
        let start = lines[index].startIndex
        let isItem = lines[index].dropFirst(depth).first == UInt8(ascii: "-")
        var end = lines[index].endIndex
        for line in lines[(index + 1)...] {
            guard let own = indent(of: line) else { continue }
            let isOwnItem =
                own == depth && !isItem && line.dropFirst(own).first == UInt8(ascii: "-")
            guard own > depth || isOwnItem else { break }
            end = line.endIndex
        }
        return source.span(start..<end)
    }

    /// The spaces before the text of a line; nil for one that is empty or a comment.
    private static func indent(of line: ArraySlice<UInt8>) -> Int? {
        let indent = line.prefix { $0 == 0x20 }.count
        guard let first = line.dropFirst(indent).first, first > 0x20, first != UInt8(ascii: "#")
        else { return nil }
        return indent
    }
}
