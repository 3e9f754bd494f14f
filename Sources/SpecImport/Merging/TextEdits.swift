/// Changes of a text: parts that are replaced, left out or put in. Parts may overlap; texts at the
/// same place are put in in the order in which they were given.
package struct TextEdits {
    let bytes: [UInt8]
    private var edits: [(range: Range<Int>, text: [UInt8])] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether nothing is changed.
    package var isEmpty: Bool { edits.isEmpty }

    /// Replaces a range.
    package mutating func replace(_ range: Range<Int>, by text: String) {
        edits.append((range, Array(text.utf8)))
    }

    /// Leaves a range out.
    package mutating func remove(_ range: Range<Int>) { replace(range, by: "") }

    /// Puts a text in.
    package mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, by: text) }

    /// The changed text.
    package var result: [UInt8] { result(upTo: bytes.count) }

    /// Where a byte of the text is in the changed text.
    func place(of offset: Int) -> Int { result(upTo: offset).count }

    private func result(upTo end: Int) -> [UInt8] {
        let ordered = edits.enumerated().filter { $0.element.range.lowerBound <= end }.sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        var result: [UInt8] = []
        var offset = 0
        for (range, text) in ordered.map(\.element) {
            if range.lowerBound > offset { result += bytes[offset..<range.lowerBound] }
            result += text
            offset = max(offset, range.upperBound)
        }
        return offset < end ? result + bytes[offset..<end] : result
    }
}
