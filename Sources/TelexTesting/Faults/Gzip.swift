/// A gzip writer (RFC 1952) without a compressor, for valid and invalid bodies.
enum Gzip {
    /// The bytes in stored (uncompressed) blocks (RFC 1951, 3.2.4).
    static func storing(_ bytes: [UInt8]) -> [UInt8] {
        var data: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            let size = UInt16(block.count)
            data += [rest.isEmpty ? 1 : 0] + little(size) + little(~size) + block
        } while !rest.isEmpty
        return header + data + trailer(bytes)
    }

    /// About `size` zeros in about 1/150 of the space: one zero, and then repeatedly "the last byte
    /// 258 times" (RFC 1951, 3.2.6).
    static func bomb(inflatingTo size: Int) -> [UInt8] {
        let repeats = max(1, size / 258)
        var bits = BitWriter()
        bits.append(0b1, count: 1)
        bits.append(0b01, count: 2)
        bits.appendCode(0x30, count: 8)
        for _ in 0..<repeats {
            bits.appendCode(0b1100_0101, count: 8)
            bits.appendCode(0, count: 5)
        }
        bits.appendCode(0, count: 7)
        return header + bits.bytes + trailer([UInt8](repeating: 0, count: 1 + 258 * repeats))
    }

    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// The checksum and the size of the uncompressed data (RFC 1952, 2.3.1).
    private static func trailer(_ bytes: [UInt8]) -> [UInt8] {
        little(checksum(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// The CRC-32 of RFC 1952, 8.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~0 as UInt32
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
        return ~sum
    }

    private static let table = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { sum, _ in
            sum & 1 == 1 ? sum >> 1 ^ UInt32(0xEDB8_8320) : sum >> 1
        }
    }
}

/// Writes bits into bytes, lowest bit first (RFC 1951, 3.1.1).
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    /// Appends a number, lowest bit first.
    mutating func append(_ value: UInt32, count: Int) {
        for place in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> UInt32(place) & 1) << UInt8(used)
            used += 1
        }
    }

    /// Appends a Huffman code, highest bit first.
    mutating func appendCode(_ code: UInt32, count: Int) {
        for place in (0..<count).reversed() { append(code >> UInt32(place) & 1, count: 1) }
    }
}
