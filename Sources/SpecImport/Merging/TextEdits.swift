/// Changes of a text: parts that are left out, and texts that are put in. The order in which they
/// are made matters only for texts at the same place.
struct TextEdits {
    let bytes: [UInt8]
    private var removals: [Range<Int>] = []
    private var insertions: [(offset: Int, text: [UInt8])] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { removals.isEmpty && insertions.isEmpty }

    mutating func remove(_ range: Range<Int>) { removals.append(range) }

    mutating func insert(_ text: String, at offset: Int) {
        insertions.append((offset, Array(text.utf8)))
    }

    mutating func replace(_ range: Range<Int>, by text: String) {
        remove(range)
        insert(text, at: range.lowerBound)
    }

    /// The changed text.
    var result: [UInt8] {
        var result: [UInt8] = []
        var (offset, index) = (0, 0)
        let kept = kept
        func copy(to end: Int) {
            while index < kept.count, kept[index].lowerBound < end {
                result += bytes[kept[index].clamped(to: offset..<end)]
                if kept[index].upperBound > end { break }
                index += 1
            }
            offset = end
        }
        for insertion in ordered {
            copy(to: insertion.offset)
            result += insertion.text
        }
        copy(to: bytes.count)
        return result
    }

    /// Where a byte of the text is in the changed text.
    func place(of offset: Int) -> Int {
        let before = kept.map { $0.clamped(to: 0..<offset).count }.reduce(0, +)
        return insertions.filter { $0.offset <= offset }.map(\.text.count).reduce(before, +)
    }

    private var ordered: [(offset: Int, text: [UInt8])] {
        insertions.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }.map(\.element)
    }

    /// What is not left out.
    private var kept: [Range<Int>] {
        var kept: [Range<Int>] = []
        var offset = 0
        for range in removals.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > offset { kept.append(offset..<range.lowerBound) }
            offset = max(offset, range.upperBound)
        }
        return offset < bytes.count ? kept + [offset..<bytes.count] : kept
    }
}
