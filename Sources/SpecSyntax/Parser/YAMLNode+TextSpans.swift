import SpecDiagnostics

extension YAMLNode {
    /// The span of a range of UTF-8 offsets of ``text``. It is the span of the whole value for a
    /// text with escapes, with several lines or from an alias.
    public func place(ofText range: Range<Int>) -> Span {
        if isVerbatim { return span.part(range) }
        let length = text.utf8.count
        // Quotes are one byte each, so equal lengths mean that there is no escape.
        guard !isPlain, !isAlias, Int(span.end - span.start) == length + 2 else { return span }
        let lower = min(range.lowerBound, length)
        return span.part(lower + 1..<min(max(lower, range.upperBound), length) + 1)
    }
}

extension Located<String> {
    /// The span of a range of UTF-8 offsets of a text. It is exact if the text is written without
    /// escapes, with or without quotes.
    public func place(of range: Range<Int>) -> Span {
        let length = value.utf8.count
        let quotes = Int(span.end - span.start) - length
        guard quotes == 0 || quotes == 2 else { return span }
        let lower = min(range.lowerBound, length)
        let upper = min(max(lower, range.upperBound), length)
        return span.part(lower + quotes / 2..<upper + quotes / 2)
    }
}

extension StringProtocol {
    /// The UTF-8 offsets of a part of the text.
    package func utf8Range(_ part: Range<Index>) -> Range<Int> {
        let start = utf8.distance(from: startIndex, to: part.lowerBound)
        return start..<start + utf8[part].count
    }
}
