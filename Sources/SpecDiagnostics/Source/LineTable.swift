import Synchronization

/// The line starts of a file, found when somebody first asks: a spec without mistakes never does.
final class LineTable: Sendable {
    private let found = Mutex<[Int]?>(nil)

    /// The offset of each line's first byte. `bytes` are the same at each call.
    func starts(of bytes: [UInt8]) -> [Int] {
        found.withLock { cache in
            if let cache { return cache }
            let starts = Self.scan(bytes)
            cache = starts
            return starts
        }
    }

    private static func scan(_ bytes: [UInt8]) -> [Int] {
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                guard byte == 0x0A || byte == 0x0D else { continue }
                if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
                starts.append(index)
            }
        }
        return starts
    }
}
