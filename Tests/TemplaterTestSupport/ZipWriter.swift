import CZlib

/// Makes zip archives, also such as no zip program would.
package struct ZipWriter {
    package struct Entry {
        package var path: String
        package var bytes: [UInt8]
        package var isDeflated: Bool
        /// What the headers say; nil for the truth.
        package var method: Int?
        package var checksum: UInt32?
        package var size: Int?
        package var offset: Int?
        package var flags: Int
        /// The mode of a file on Unix.
        package var mode: Int
        /// The path in the local header.
        package var localPath: String?

        package init(
            path: String, bytes: [UInt8], isDeflated: Bool = false, size: Int? = nil,
            flags: Int = 0, mode: Int = 0o100644
        ) {
            self.path = path
            self.bytes = bytes
            self.isDeflated = isDeflated
            self.size = size
            self.flags = flags
            self.mode = mode
        }
    }

    package var entries: [Entry] = []
    package var comment: [UInt8] = []
    /// What the last record says; nil for the truth.
    package var count: Int?
    package var disk = 0

    package init(_ entries: [Entry]) { self.entries = entries }

    package init(_ files: KeyValuePairs<String, String>) {
        entries = files.map { Entry(path: $0, bytes: Array($1.utf8), isDeflated: true) }
    }

    package var bytes: [UInt8] {
        var (archive, directory): ([UInt8], [UInt8]) = ([], [])
        for entry in entries {
            let packed = entry.isDeflated ? deflated(entry.bytes) : entry.bytes
            let method = entry.method ?? (entry.isDeflated ? 8 : 0)
            let sum = entry.checksum ?? UInt32(crc32(0, entry.bytes, uInt(entry.bytes.count)))
            let sizes = [packed.count, entry.size ?? entry.bytes.count]
            let facts =
                two(entry.flags) + two(method) + four(0) + four(Int(sum)) + sizes.flatMap(four)
            let path = Array(entry.path.utf8)
            let local = Array((entry.localPath ?? entry.path).utf8)
            directory += four(0x0201_4B50) + [20, 3] + two(20) + facts + two(path.count) + two(0)
            directory += two(0) + two(0) + two(0) + two(0) + two(entry.mode)
            directory += four(entry.offset ?? archive.count) + path
            archive += four(0x0403_4B50) + two(20) + facts + two(local.count) + two(0) + local
            archive += packed
        }
        let count = count ?? entries.count
        let end =
            four(0x0605_4B50) + two(disk) + two(disk) + two(count) + two(count)
            + four(directory.count) + four(archive.count) + two(comment.count) + comment
        return archive + directory + end
    }

    private func two(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    private func four(_ number: Int) -> [UInt8] { two(number) + two(number >> 16) }

    private func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 64))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }
}
