import SpecSyntax

/// Finds names and lines in text. The loops have no generic code of this module, so that they are fast
/// in a debug build, too.
enum ByteSearch {
    /// The places where a text occurs; overlapping ones count, too.
    ///
    /// - Parameter accepts: Whether an occurrence counts, by the bytes before and after it; a line's end
    ///   stands for the borders of the text.
    static func places(
        of needle: [UInt8], in text: [UInt8], where accepts: (UInt8, UInt8) -> Bool
    ) -> [Int] {
        guard let first = needle.first, needle.count <= text.count else { return [] }
        var places: [Int] = []
        text.withUnsafeBufferPointer { text in
            needle.withUnsafeBufferPointer { needle in
                guard let base = text.baseAddress, let wanted = needle.baseAddress else { return }
                let last = text.count - needle.count
                var place = 0
                while place <= last {
                    if base[place] == first, equal(base + place, wanted, needle.count) {
                        let end = place + needle.count
                        let before = place > 0 ? base[place - 1] : 0x0A
                        let after = end < text.count ? base[end] : 0x0A
                        if accepts(before, after) { places.append(place) }
                    }
                    place &+= 1
                }
            }
        }
        return places
    }

    /// The places where a name stands alone.
    static func mentions(of name: String, in text: [UInt8]) -> [Int] {
        places(of: Array(name.utf8), in: text) { !isPartOfWord($0) && !isPartOfWord($1) }
    }

    /// The words of a text: its letters, digits, underscores, and all that is not ASCII.
    static func words(in text: [UInt8]) -> Set<String> {
        var words: Set<String> = []
        text.withUnsafeBufferPointer { text in
            guard let base = text.baseAddress else { return }
            var start = 0
            var place = 0
            while place <= text.count {
                if place == text.count || !isPartOfWord(base[place]) {
                    if start < place {
                        let word = UnsafeBufferPointer(start: base + start, count: place - start)
                        words.insert(String(decoding: word, as: UTF8.self))
                    }
                    start = place &+ 1
                }
                place &+= 1
            }
        }
        return words
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool { byte.isNamePart || byte >= 0x80 }

    private static func equal(
        _ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        var place = 0
        while place < count {
            if one[place] != other[place] { return false }
            place &+= 1
        }
        return true
    }
}
