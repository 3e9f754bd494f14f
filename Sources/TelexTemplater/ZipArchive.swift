import CZlib
import TelexJSON
import TelexTransport

/// The files of a zip archive (PKWARE APPNOTE.TXT 6.3.10), read and checked as a whole: an archive
/// with one bad entry has no files.
///
/// Read are stored and deflated entries. Refused are encryption, ZIP64, several disks, links and
/// other special files, paths that leave the folder, entries that overlap, and sizes beyond
/// the limits below.
struct ZipArchive: Sendable {
    /// One file.
    struct File: Sendable, Equatable {
        /// The path inside the archive, with `/` between its components.
        let path: String
        let bytes: [UInt8]
        /// The CRC-32 of the bytes, which has been checked.
        let checksum: UInt32
    }

    /// The reason why an archive is refused.
    struct Problem: Error, Equatable {
        let text: String

        init(_ text: String) { self.text = text }

        /// A problem of one entry.
        init(in path: String, _ text: String) { self.text = "`\(path.escaped)` \(text)" }
    }

    /// The largest number of entries, folders included.
    static let mostEntries = 4_096
    /// The size of the largest archive, in bytes.
    static let mostPacked = 32 << 20
    /// The largest size of all files, in bytes. They may also be 200 times larger than the archive
    /// at most, or one mebibyte: text reaches 20 times in practice, a bomb 1,000.
    static let mostUnpacked = 64 << 20

    /// The files in the order of the archive; folders are left out.
    let files: [File]

    /// Reads and checks an archive.
    init(_ bytes: [UInt8]) throws(Problem) {
        let entries = try ZipDirectory(ZipBytes(bytes: bytes)).entries
        try Self.checkSizes(entries, of: bytes.count)
        try Self.checkOverlaps(entries)
        var files: [File] = []
        for entry in entries where !entry.isFolder {
            let unpacked = try entry.unpacked(from: bytes)
            files.append(File(path: entry.path, bytes: unpacked, checksum: entry.checksum))
        }
        self.files = files
    }

    /// The CRC-32 of bytes.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(0, bytes, uInt(bytes.count)))
    }

    private static func checkSizes(_ entries: [ZipEntry], of packed: Int) throws(Problem) {
        let most = min(Int64(mostUnpacked), max(1 << 20, Int64(packed) * 200))
        let total = entries.reduce(Int64(0)) { $0 + Int64($1.size) }
        guard total <= most else {
            throw Problem("its files have \(total) bytes, more than the allowed \(most)")
        }
    }

    /// Entries that share bytes are the trick of a bomb that stays below every ratio.
    private static func checkOverlaps(_ entries: [ZipEntry]) throws(Problem) {
        var end = 0
        for entry in entries.sorted(by: { $0.start < $1.start }) {
            guard entry.start >= end else {
                throw Problem(in: entry.path, "overlaps another entry")
            }
            end = entry.data.upperBound
        }
    }
}

/// The bytes of an archive, with numbers in little-endian order.
struct ZipBytes {
    let bytes: [UInt8]

    /// The unsigned number of 1 to 4 bytes at an offset.
    func word(at offset: Int, bytes count: Int) throws(ZipArchive.Problem) -> UInt32 {
        try range(offset, count).reversed().reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
    }

    /// A number that is a size, an offset or a count. The largest of each length announce a number
    /// in a field of ZIP64 (APPNOTE 4.4.1.4).
    func number(at offset: Int, bytes count: Int) throws(ZipArchive.Problem) -> Int {
        let word = try word(at: offset, bytes: count)
        guard word <= Int32.max else {
            throw ZipArchive.Problem("it has the format ZIP64, or sizes of it, which are not read")
        }
        return Int(word)
    }

    /// The text at an offset.
    func text(at offset: Int, count: Int) throws(ZipArchive.Problem) -> String {
        guard let text = String(validUTF8: bytes[try range(offset, count)]) else {
            throw ZipArchive.Problem("the name of an entry is not UTF-8")
        }
        return text
    }

    /// The range of bytes at an offset, which is inside of the archive.
    func range(_ offset: Int, _ count: Int) throws(ZipArchive.Problem) -> Range<Int> {
        guard offset <= bytes.count, count <= bytes.count - offset else {
            throw ZipArchive.Problem("it is cut off or damaged")
        }
        return offset..<offset + count
    }
}
