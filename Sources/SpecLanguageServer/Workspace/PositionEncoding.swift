import SpecDiagnostics

/// The unit of characters in positions.
enum PositionEncoding: String {
    case utf8 = "utf-8"
    case utf16 = "utf-16"

    /// The unit for a client: UTF-8 if it knows it, because spans count bytes.
    init(offered: [JSONTree]) {
        self = offered.contains(.text(Self.utf8.rawValue)) ? .utf8 : .utf16
    }

    /// The position of a byte offset.
    func position(of offset: Int, in file: SourceFile) -> TextPosition {
        let offset = min(max(0, offset), file.bytes.count)
        let line = file.position(of: offset).line
        let start = file.lineRange(line).lowerBound
        guard offset > start else { return TextPosition(line: line - 1, character: 0) }
        let text = file.bytes[start..<offset]
        let count = self == .utf8 ? text.count : text.reduce(0) { $0 + Self.utf16Width(of: $1) }
        return TextPosition(line: line - 1, character: count)
    }

    /// The byte offset of a position; beyond the end of a line it is that end, as the protocol says.
    func offset(of position: TextPosition, in file: SourceFile) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < file.lineCount else { return file.bytes.count }
        let line = file.lineRange(position.line + 1)
        guard self == .utf16 else {
            return min(line.lowerBound + max(0, position.character), line.upperBound)
        }
        var (offset, count) = (line.lowerBound, 0)
        while offset < line.upperBound {
            // A position inside of a pair is the place before it.
            let width = Self.utf16Width(of: file.bytes[offset])
            if count + width > position.character { break }
            count += width
            offset += 1
            while offset < line.upperBound, file.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    func range(of span: Span, in file: SourceFile) -> TextRange {
        range(of: Int(span.start)..<Int(span.end), in: file)
    }

    func range(of offsets: Range<Int>, in file: SourceFile) -> TextRange {
        TextRange(
            start: position(of: offsets.lowerBound, in: file),
            end: position(of: offsets.upperBound, in: file))
    }

    /// The UTF-16 units of the character that a byte begins; 0 for its further bytes.
    private static func utf16Width(of byte: UInt8) -> Int {
        byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
    }
}
