/// The line and column index of a file, which copies of the file share.
final class LineTable: Sendable {
    /// The offset of each line's first byte.
    let starts: [Int]
    /// How many scalars begin before each full block of bytes, so that a column in a very long
    /// line is found in constant time.
    private let scalarsBeforeBlock: [Int]

    private static let blockSize = 1_024

    /// The index of the bytes of a file.
    init(_ bytes: [UInt8]) {
        var starts = [0]
        var scalarsBeforeBlock: [Int] = []
        var scalars = 0
        bytes.withUnsafeBufferPointer { bytes in
            var offset = 0
            while offset < bytes.count {
                if offset % Self.blockSize == 0 { scalarsBeforeBlock.append(scalars) }
                let byte = bytes[offset]
                offset += 1
                if byte & 0xC0 != 0x80 { scalars += 1 }
                let isCRLF = byte == 0x0D && offset < bytes.count && bytes[offset] == 0x0A
                if byte == 0x0A || (byte == 0x0D && !isCRLF) { starts.append(offset) }
            }
        }
        self.starts = starts
        self.scalarsBeforeBlock = scalarsBeforeBlock
    }

    /// How many scalars begin before an offset. The bytes are those of the file.
    func scalars(before offset: Int, in bytes: [UInt8]) -> Int {
        let block = min(offset / Self.blockSize, scalarsBeforeBlock.count - 1)
        guard block >= 0 else { return 0 }
        var count = scalarsBeforeBlock[block]
        for index in block * Self.blockSize..<offset where bytes[index] & 0xC0 != 0x80 {
            count += 1
        }
        return count
    }
}
