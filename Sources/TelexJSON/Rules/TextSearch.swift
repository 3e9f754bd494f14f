/// Counts and searches in texts by their bytes.
enum TextSearch {
    /// The number of Unicode scalars: the bytes that are not continuation bytes.
    static func scalars(of text: String) -> Int {
        withBytes(text) { bytes in
            var count = 0
            for byte in bytes { count &+= Int(byte & 0xC0 != 0x80 ? 1 : 0) }
            return count
        }
    }

    static func starts(_ text: String, _ part: String) -> Bool {
        compare(text, with: part) { text, part in
            text.count >= part.count && isEqual(text.prefix(part.count), part)
        }
    }

    static func ends(_ text: String, _ part: String) -> Bool {
        compare(text, with: part) { text, part in
            text.count >= part.count && isEqual(text.suffix(part.count), part)
        }
    }

    /// Searches in linear time (Knuth, Morris, Pratt), whatever the texts.
    static func contains(_ text: String, _ part: String) -> Bool {
        compare(text, with: part) { text, part in
            guard !part.isEmpty else { return true }
            let borders = borders(of: part)
            var matched = 0
            for byte in text {
                while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
                if part[matched] == byte { matched += 1 }
                if matched == part.count { return true }
            }
            return false
        }
    }

    /// For each prefix, the length of its longest proper prefix that is also its suffix.
    private static func borders(of part: UnsafeBufferPointer<UInt8>) -> [Int] {
        var borders = [Int](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[length] != part[index] { length = borders[length - 1] }
            if part[length] == part[index] { length += 1 }
            borders[index] = length
        }
        return borders
    }

    @inline(__always)
    private static func compare(
        _ text: String, with part: String,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        withBytes(text) { text in withBytes(part) { part in body(text, part) } }
    }

    /// Passes the bytes of a text to `body`, without a copy unless the text is bridged.
    @inline(__always)
    static func withBytes<T>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = text
        return copy.withUTF8(body)
    }

    private static func isEqual(
        _ slice: Slice<UnsafeBufferPointer<UInt8>>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let slice = UnsafeBufferPointer(rebasing: slice)
        guard let one = slice.baseAddress, let other = part.baseAddress else { return true }
        return JSONBytes.isEqual(one, other, length: part.count)
    }
}
