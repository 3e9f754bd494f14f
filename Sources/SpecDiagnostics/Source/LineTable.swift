import Synchronization

/// The line and column index of a file. It is built on first use, because a spec without
/// diagnostics never needs it.
final class LineTable: Sendable {
    /// The result of one pass over the bytes.
    struct Index {
        /// The offset of each line's first byte.
        var starts = [0]
        /// How many scalars begin before each full block of bytes, so that a column in a very long
        /// line is found in constant time.
        var scalarsBeforeBlock: [Int] = []

        static let blockSize = 1_024

        /// How many scalars begin before an offset.
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

    private let found = Mutex<Index?>(nil)

    /// The index of `bytes`. Each call must pass the same bytes.
    func index(of bytes: [UInt8]) -> Index {
        found.withLock { cache in
            if let cache { return cache }
            let index = Self.scan(bytes)
            cache = index
            return index
        }
    }

    private static func scan(_ bytes: [UInt8]) -> Index {
        var index = Index()
        var scalars = 0
        bytes.withUnsafeBufferPointer { bytes in
            var offset = 0
            while offset < bytes.count {
                if offset % Index.blockSize == 0 { index.scalarsBeforeBlock.append(scalars) }
                let byte = bytes[offset]
                offset += 1
                if byte & 0xC0 != 0x80 { scalars += 1 }
                let isCRLF = byte == 0x0D && offset < bytes.count && bytes[offset] == 0x0A
                if byte == 0x0A || (byte == 0x0D && !isCRLF) { index.starts.append(offset) }
            }
        }
        return index
    }
}
