/// A growing byte buffer. Each write reserves space for its worst case and then writes through a
/// pointer, so there is one check of uniqueness and bounds for many bytes.
struct ByteBuffer: Sendable {
    /// Initialized memory; only the first `count` bytes are in use.
    private var storage: [UInt8] = []
    private(set) var count = 0

    /// A copy of the written bytes.
    var bytes: [UInt8] { Array(storage[..<count]) }

    /// The written bytes from `place` on.
    func from(_ place: Int) -> ArraySlice<UInt8> { storage[place..<count] }

    subscript(place: Int) -> UInt8 { storage[place] }

    /// The last written byte; 0 if there is none.
    var last: UInt8 { count == 0 ? 0 : storage[count - 1] }

    /// Writes at most `limit` bytes through a pointer; the body returns the end of its bytes. It
    /// may also overwrite up to 16 bytes after them.
    @inline(__always)
    mutating func write(
        atMost limit: Int, _ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        if storage.count &- count < limit &+ 16 { grow(limit) }
        let written = storage.withUnsafeMutableBufferPointer { buffer -> Int in
            guard let base = buffer.baseAddress else { return 0 }
            let start = base + count
            return body(start) - start
        }
        count &+= written
    }

    /// Writes a value like `write(atMost:_:)`, behind a comma if a value precedes. After an opening
    /// bracket or a colon, there is none.
    @inline(__always)
    mutating func writeValue(
        atMost limit: Int, _ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
    ) {
        let isFirst = isFirst
        write(atMost: limit &+ 1) { place in
            // One use of `body`, so that it is inlined. The comma is written over if there is none.
            place.pointee = ASCII.comma
            return body(isFirst ? place : place + 1)
        }
    }

    /// Whether the next value is the first of its container, or the value of a key.
    private var isFirst: Bool {
        guard count > 0 else { return true }
        let last = storage[count - 1]
        return last == ASCII.colon || last == ASCII.openBrace || last == ASCII.openBracket
    }

    /// Returns the written bytes and leaves none.
    mutating func take() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &storage)
        bytes.removeLast(bytes.count - count)
        count = 0
        return bytes
    }

    mutating func append(_ byte: UInt8) {
        write(atMost: 1) { place in
            place.pointee = byte
            return place + 1
        }
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        write(atMost: bytes.count) { place in
            place.update(from: start, count: bytes.count)
            return place + bytes.count
        }
    }

    @inline(never)
    private mutating func grow(_ limit: Int) {
        let capacity = max(storage.count * 2, count + limit + 16, 256)
        var larger: [UInt8] = []
        larger.reserveCapacity(capacity)
        larger.append(contentsOf: storage[..<count])
        larger.append(contentsOf: repeatElement(0, count: larger.capacity - count))
        storage = larger
    }
}
