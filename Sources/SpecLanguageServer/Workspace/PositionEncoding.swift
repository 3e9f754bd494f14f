import SpecDiagnostics

/// The unit of characters in positions, which are a line and a character, both from 0.
enum PositionEncoding: String {
    case utf8 = "utf-8"
    case utf16 = "utf-16"

    /// The unit for a client: UTF-8 if it knows it, because spans count bytes.
    init(offered: [JSONTree]) {
        self = offered.contains(.text(Self.utf8.rawValue)) ? .utf8 : .utf16
    }

    /// The range of byte offsets.
    func range(of offsets: Range<Int>, in file: SourceFile) -> JSONTree {
        [
            "start": position(of: offsets.lowerBound, in: file),
            "end": position(of: offsets.upperBound, in: file),
        ]
    }

    private func position(of offset: Int, in file: SourceFile) -> JSONTree {
        let offset = min(max(0, offset), file.bytes.count)
        let line = file.position(of: offset).line
        let text = file.bytes[min(offset, file.lineRange(line).lowerBound)..<offset]
        let count = self == .utf8 ? text.count : text.reduce(0) { $0 + Self.utf16Width(of: $1) }
        return ["line": .number(line - 1), "character": .number(count)]
    }

    /// The byte offset of a position; beyond the end of a line it is that end, as the protocol says.
    /// Nil for what is no position.
    func offset(of position: JSONTree, in file: SourceFile) -> Int? {
        guard let line = position["line"].number, line >= 0,
            let character = position["character"].number
        else { return nil }
        guard line < file.lineCount else { return file.bytes.count }
        let range = file.lineRange(line + 1)
        guard self == .utf16 else {
            return min(range.lowerBound + max(0, min(character, range.count)), range.upperBound)
        }
        var (offset, count) = (range.lowerBound, 0)
        while offset < range.upperBound {
            // A position inside of a pair is the place before it.
            let width = Self.utf16Width(of: file.bytes[offset])
            if count + width > character { break }
            count += width
            offset += 1
            while offset < range.upperBound, file.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    /// The byte offsets of a range; nil for what is no range.
    func offsets(of range: JSONTree, in file: SourceFile) -> Range<Int>? {
        guard let start = offset(of: range["start"], in: file),
            let end = offset(of: range["end"], in: file)
        else { return nil }
        return start..<max(start, end)
    }

    /// The UTF-16 units of the character that a byte begins; 0 for its further bytes.
    private static func utf16Width(of byte: UInt8) -> Int {
        byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
    }
}
