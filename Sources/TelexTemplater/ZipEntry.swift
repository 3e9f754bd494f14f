import CZlib
import TelexTransport

/// An entry of a zip archive: its header in the central directory (APPNOTE 4.3.12), and the place of
/// its data.
struct ZipEntry {
    let path: String
    let isFolder: Bool
    let checksum: UInt32
    /// The number of unpacked bytes.
    let size: Int
    /// The offset of its local header.
    let start: Int
    /// The place of its packed bytes.
    let data: Range<Int>
    private let isDeflated: Bool

    /// Offsets in a header of the central directory.
    private enum Header {
        static let signature = 0x0201_4B50
        static let size = 46
        static let (flags, method, checksum) = (8, 10, 16)
        static let (packed, unpacked, name, extra, comment) = (20, 24, 28, 30, 32)
        static let (mode, local) = (40, 42)
    }

    /// Offsets in a local header (APPNOTE 4.3.7).
    private enum Local {
        static let signature = 0x0403_4B50
        static let size = 30
        static let (flags, method, name, extra) = (6, 8, 26, 28)
    }

    /// Bits of the flags (APPNOTE 4.4.4): encryption, and a masked directory.
    private static let encrypted = 0x2041

    /// Reads the header at `place`, which then is the place after it.
    ///
    /// - Parameter directory: The start of the central directory, before which all data ends.
    init(_ archive: ZipBytes, at place: inout Int, directory: Int) throws(ZipArchive.Problem) {
        let header = place
        func number(_ offset: Int, _ count: Int = 2) throws(ZipArchive.Problem) -> Int {
            try archive.number(at: header + offset, bytes: count)
        }
        guard try number(0, 4) == Header.signature else {
            throw ZipArchive.Problem("its directory is damaged")
        }
        let nameLength = try number(Header.name)
        path = try archive.text(at: header + Header.size, count: nameLength)
        let path = path
        try Self.check(path)
        place += Header.size + nameLength + (try number(Header.extra))
        place += try number(Header.comment)
        isFolder = path.utf8.last == UInt8(ascii: "/")
        checksum = try archive.word(at: header + Header.checksum, bytes: 4)
        size = try number(Header.unpacked, 4)
        start = try number(Header.local, 4)
        let (packed, method) = (try number(Header.packed, 4), try number(Header.method))
        isDeflated = method == 8
        guard start < directory else {
            throw ZipArchive.Problem(in: path, "begins outside of the archive")
        }
        guard try number(Header.flags) & Self.encrypted == 0 else {
            throw ZipArchive.Problem(in: path, "is encrypted; pack it without a password")
        }
        guard method == 0 || method == 8 else {
            throw ZipArchive.Problem(in: path, "is packed by method \(method); use deflate")
        }
        // The kind of file in the mode of Unix; other systems record none.
        let kind = try number(Header.mode) & 0o170000
        guard [0, 0o100000, 0o040000].contains(kind) else {
            throw ZipArchive.Problem(in: path, "is a link or a special file")
        }
        data = try Self.data(archive, at: start, count: packed, of: path, method)
        guard data.upperBound <= directory else {
            throw ZipArchive.Problem(in: path, "reaches into the directory of the archive")
        }
    }

    /// The place of the packed bytes, after a local header that agrees with the directory.
    private static func data(
        _ archive: ZipBytes, at start: Int, count: Int, of path: String, _ method: Int
    ) throws(ZipArchive.Problem) -> Range<Int> {
        let nameLength = try archive.number(at: start + Local.name, bytes: 2)
        let extra = try archive.number(at: start + Local.extra, bytes: 2)
        guard try archive.number(at: start, bytes: 4) == Local.signature,
            try archive.text(at: start + Local.size, count: nameLength) == path,
            try archive.number(at: start + Local.method, bytes: 2) == method,
            try archive.number(at: start + Local.flags, bytes: 2) & encrypted == 0
        else { throw ZipArchive.Problem(in: path, "differs from its entry in the directory") }
        return try archive.range(start + Local.size + nameLength + extra, count)
    }

    /// Refuses paths that lead out of the folder, on any system.
    private static func check(_ path: String) throws(ZipArchive.Problem) {
        let name = path.utf8.last == UInt8(ascii: "/") ? path.utf8.dropLast() : path.utf8[...]
        let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !parts.contains(where: { ["", ".", ".."].contains(String(Substring($0))) }),
            !name.contains(where: { "\\:".utf8.contains($0) }), path == path.visible
        else {
            throw ZipArchive.Problem(
                in: path, "is no path inside of a folder: no `..`, `\\`, `:` or leading `/`")
        }
    }

    /// The bytes of the file.
    func unpacked(from archive: [UInt8]) throws(ZipArchive.Problem) -> [UInt8] {
        let packed = archive[data]
        let bytes = isDeflated ? Self.inflate(packed, to: size) : Array(packed)
        guard let bytes, bytes.count == size else {
            throw ZipArchive.Problem(in: path, "is damaged: it has not its \(size) bytes")
        }
        guard ZipArchive.checksum(bytes) == checksum else {
            throw ZipArchive.Problem(in: path, "is damaged: its checksum is wrong")
        }
        return bytes
    }

    /// Inflates a stream (RFC 1951) that ends exactly with its input and has `size` bytes; nil if
    /// it does not.
    private static func inflate(_ packed: ArraySlice<UInt8>, to size: Int) -> [UInt8]? {
        var stream = z_stream()
        let length = Int32(MemoryLayout<z_stream>.size)
        // Negative: the stream has no header of zlib.
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, length) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        // One byte more, so that a longer stream is noticed, and an empty one has room.
        var bytes = [UInt8](repeating: 0, count: size + 1)
        let result = packed.withUnsafeBufferPointer { input in
            bytes.withUnsafeMutableBufferPointer { output in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return CZlib.inflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END, stream.avail_in == 0, stream.avail_out == 1 else {
            return nil
        }
        bytes.removeLast()
        return bytes
    }
}
