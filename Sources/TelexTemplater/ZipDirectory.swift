/// The central directory at the end of a zip archive (APPNOTE 4.3.12 and 4.3.16), which lists all
/// entries.
struct ZipDirectory {
    let entries: [ZipEntry]

    /// Offsets in the record at the end of the archive.
    private enum End {
        static let signature = 0x0605_4B50
        static let size = 22
        static let (disk, directoryDisk, entriesHere, entries) = (4, 6, 8, 10)
        static let (directorySize, directoryStart, commentLength) = (12, 16, 20)
        static let longestComment = 0xFFFF
    }

    init(_ archive: ZipBytes) throws(ZipArchive.Problem) {
        let end = try Self.end(of: archive)
        func number(_ offset: Int, _ count: Int) throws(ZipArchive.Problem) -> Int {
            try archive.number(at: end + offset, bytes: count)
        }
        let count = try number(End.entries, 2)
        let (size, start) = (try number(End.directorySize, 4), try number(End.directoryStart, 4))
        guard count != 0xFFFF else {
            throw ZipArchive.Problem("it has the format ZIP64, which is not read")
        }
        guard try number(End.disk, 2) == 0, try number(End.directoryDisk, 2) == 0,
            try number(End.entriesHere, 2) == count
        else { throw ZipArchive.Problem("it is a part of an archive on several disks") }
        let most = ZipArchive.mostEntries
        guard count <= most else {
            throw ZipArchive.Problem("it has \(count) entries, more than the allowed \(most)")
        }
        guard start == end - size else {
            throw ZipArchive.Problem("its directory does not end where its last record begins")
        }
        var (entries, place): ([ZipEntry], Int) = ([], start)
        for _ in 0..<count {
            entries.append(try ZipEntry(archive, at: &place, directory: start))
        }
        guard place == end else {
            throw ZipArchive.Problem("its directory has another length than declared")
        }
        self.entries = entries
    }

    /// The offset of the last record: it ends with a comment that reaches to the end of the archive.
    private static func end(of archive: ZipBytes) throws(ZipArchive.Problem) -> Int {
        let last = archive.bytes.count - End.size
        var place = last
        while place >= max(0, last - End.longestComment) {
            if try archive.word(at: place, bytes: 4) == End.signature,
                try archive.number(at: place + End.commentLength, bytes: 2) == last - place
            {
                return place
            }
            place -= 1
        }
        throw ZipArchive.Problem("it is not a zip archive, or is cut off")
    }
}
