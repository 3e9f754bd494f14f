/// A source line as a terminal shows it, with the column of each byte.
///
/// Tabs extend to the next multiple of four. A line wider than the terminal is cut around the
/// focus.
struct DisplayLine {
    private struct Cell {
        let offset: Int
        let text: String
        let width: Int
    }

    private static let tabWidth = 4
    private var cells: [Cell] = []

    /// Creates the part of `line` around `focus` that fits `width` columns.
    init(_ file: SourceFile, range line: Range<Int>, around focus: Range<Int>, width: Int) {
        // Twelve bytes per column suffice for any text, and bound the work for a hostile line.
        let reach = width * 12
        var lower = max(line.lowerBound, focus.lowerBound - reach)
        var upper = min(line.upperBound, focus.lowerBound + reach)
        while lower > line.lowerBound, file.bytes[lower] & 0xC0 == 0x80 { lower -= 1 }
        while upper < line.upperBound, upper > lower, file.bytes[upper] & 0xC0 == 0x80 {
            upper -= 1
        }
        readCells(file.bytes, lower..<upper)
        cut(around: focus, width: width, isWhole: lower..<upper == line)
    }

    /// The shown text.
    var text: String {
        cells.reduce(into: "") { $0 += $1.text }
    }

    /// The columns, from 0, of a range of byte offsets; at least one column, clamped to what is
    /// shown.
    func columns(of range: Range<Int>) -> Range<Int> {
        let lower = column(of: range.lowerBound)
        return lower..<max(lower + 1, column(of: range.upperBound))
    }

    /// The column where the first cell at or after an offset begins. A combining mark belongs to
    /// the column before.
    private func column(of offset: Int) -> Int {
        var column = 0
        for cell in cells {
            if cell.offset >= offset, cell.width > 0 { return column }
            column += cell.width
        }
        return column
    }

    private mutating func readCells(_ bytes: [UInt8], _ range: Range<Int>) {
        var offset = range.lowerBound
        var column = 0
        var previous: Unicode.Scalar?
        while offset < range.upperBound {
            let (scalar, length) = Self.scalar(in: bytes, at: offset, before: range.upperBound)
            let cell = Self.cell(
                scalar, byte: bytes[offset], offset: offset, column: column, after: previous)
            cells.append(cell)
            column += cell.width
            offset += length
            previous = scalar
        }
    }

    private static func cell(
        _ scalar: Unicode.Scalar?, byte: UInt8, offset: Int, column: Int,
        after previous: Unicode.Scalar?
    ) -> Cell {
        guard let scalar else {
            let text = "\\x" + String(byte, radix: 16, uppercase: true)
            return Cell(offset: offset, text: text, width: text.utf8.count)
        }
        if scalar == "\t" {
            let width = tabWidth - column % tabWidth
            return Cell(offset: offset, text: String(repeating: " ", count: width), width: width)
        }
        let text = TerminalText.shown(scalar)
        let isItself = text.unicodeScalars.count == 1
        let width =
            isItself ? TerminalText.width(of: scalar, after: previous) : text.utf8.count
        return Cell(offset: offset, text: text, width: width)
    }

    /// The scalar at an offset and its length; nil and 1 for a byte that is not UTF-8.
    private static func scalar(
        in bytes: [UInt8], at offset: Int, before end: Int
    ) -> (Unicode.Scalar?, Int) {
        let length =
            switch bytes[offset] {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0, offset + length <= end else { return (nil, 1) }
        let character = bytes[offset..<offset + length]
        let text = String(decoding: character, as: UTF8.self)
        guard text.utf8.elementsEqual(character), let scalar = text.unicodeScalars.first else {
            return (nil, 1)
        }
        return (scalar, length)
    }

    private mutating func cut(around focus: Range<Int>, width: Int, isWhole: Bool) {
        let total = cells.reduce(0) { $0 + $1.width }
        guard total > width || !isWhole else { return }
        // A quarter of the width goes before the focus.
        var column = 0
        let from = max(0, self.column(of: focus.lowerBound) - width / 4)
        let last = from + width - 2
        let shown = cells.filter { cell in
            defer { column += cell.width }
            return column >= from && column + cell.width <= last
        }
        guard let first = shown.first, let final = shown.last else { return }
        let isCutBefore = from > 0
        let isCutAfter = final.offset < (cells.last?.offset ?? 0) || !isWhole
        let before = isCutBefore ? [Cell(offset: first.offset - 1, text: "…", width: 1)] : []
        let after = isCutAfter ? [Cell(offset: final.offset + 1, text: "…", width: 1)] : []
        cells = before + shown + after
    }
}
