/// How offsets of an earlier text correspond to those of a later one: both have a beginning and an end
/// in common.
struct TextShift {
    private let start: Int
    private let oldEnd: Int
    private let newEnd: Int

    init(from old: [UInt8], to new: [UInt8]) {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var rest = 0
        while rest < shorter - start, old[old.count - 1 - rest] == new[new.count - 1 - rest] {
            rest += 1
        }
        self.start = start
        oldEnd = old.count - rest
        newEnd = new.count - rest
    }

    /// The offset in the later text; in the part that differs, the nearest one.
    func later(_ offset: Int) -> Int {
        offset <= start ? offset : offset >= oldEnd ? offset - oldEnd + newEnd : min(offset, newEnd)
    }

    /// The offset in the earlier text; in the part that differs, the nearest one.
    func earlier(_ offset: Int) -> Int {
        offset <= start ? offset : offset >= newEnd ? offset - newEnd + oldEnd : min(offset, oldEnd)
    }
}

/// The last text of a file whose YAML had no mistake, and what has become of it since.
struct GoodText {
    let bytes: [UInt8]
    private var last: [UInt8]
    private var shifts: [TextShift] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        last = bytes
    }

    /// Follows the text to its next state. Many small steps keep more places than one large one.
    mutating func follow(_ text: [UInt8]) {
        shifts.append(TextShift(from: last, to: text))
        last = text
        if shifts.count > 200 { shifts = [TextShift(from: bytes, to: text)] }
    }

    func later(_ offset: Int) -> Int { shifts.reduce(offset) { $1.later($0) } }
    func earlier(_ offset: Int) -> Int { shifts.reversed().reduce(offset) { $1.earlier($0) } }
}
