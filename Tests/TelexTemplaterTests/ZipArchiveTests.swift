import TemplaterTestSupport
import Testing

@testable import TelexTemplater

@Suite("A zip archive")
struct ZipArchiveTests {
    typealias Entry = ZipWriter.Entry

    private func problem(_ writer: ZipWriter) -> String? {
        do throws(ZipArchive.Problem) {
            _ = try ZipArchive(writer.bytes)
            return nil
        } catch { return error.text }
    }

    private func problem(_ change: (inout Entry) -> Void) -> String? {
        var entry = Entry(path: "a.json", bytes: Array("{}".utf8))
        change(&entry)
        return problem(ZipWriter([entry]))
    }

    @Test(
        "a zip archive is refused if a path leads out of the folder",
        arguments: [
            "../a.json", "b/../../a.json", "/a.json", "b//a.json", "./a.json", "..", "..\\a.json",
            "b\\a.json", "C:a.json", "a\u{0}.json", "a\n.json", "\u{202E}a.json", "/", "",
        ])
    func paths(_ path: String) {
        #expect(problem { $0.path = path }?.contains("is no path inside of a folder") == true)
    }

    @Test(
        "a zip archive is refused if it has links or special files",
        arguments: [0o120777, 0o060600, 0o010600])
    func links(mode: Int) {
        #expect(problem { $0.mode = mode } == "`a.json` is a link or a special file")
    }

    @Test("a zip archive is refused if an entry is encrypted, of another method or of ZIP64")
    func unsupported() {
        #expect(problem { $0.flags = 1 }?.contains("is encrypted") == true)
        #expect(problem { $0.flags = 0x2000 }?.contains("is encrypted") == true)
        #expect(problem { $0.method = 12 }?.contains("is packed by method 12") == true)
        #expect(problem { $0.size = 0xFFFF_FFFF }?.contains("ZIP64") == true)
        var writer = ZipWriter(["a.json": "{}"])
        writer.count = 0xFFFF
        #expect(problem(writer)?.contains("ZIP64") == true)
        writer.count = nil
        writer.disk = 1
        #expect(problem(writer)?.contains("several disks") == true)
    }

    @Test(
        "a zip archive is refused if its bytes are not what its headers say",
        arguments: [false, true])
    func damage(isDeflated: Bool) {
        #expect(
            problem {
                ($0.isDeflated, $0.checksum) = (isDeflated, 1)
            }?.contains("checksum") == true)
        for size in [0, 1, 3, 1_000] {
            #expect(
                problem {
                    ($0.isDeflated, $0.size) = (isDeflated, size)
                }?.contains("is damaged") == true)
        }
        #expect(problem { $0.localPath = "b.json" }?.contains("differs from its entry") == true)
        #expect(problem { $0.offset = 1 }?.contains("differs from its entry") == true)
        #expect(problem { $0.offset = 0x7FFF_FFFF }?.contains("begins outside") == true)
    }

    @Test("a zip bomb is refused: one with too many entries, too large, too dense, or overlapping")
    func bombs() {
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        let dense = Entry(path: "a.json", bytes: zeros, isDeflated: true)
        #expect(problem(ZipWriter([dense]))?.contains("more than the allowed") == true)
        let many = (0...4_096).map { Entry(path: "\($0)", bytes: []) }
        #expect(problem(ZipWriter(many)) == "it has 4097 entries, more than the allowed 4096")
        let declared = Entry(path: "a.json", bytes: [], size: 1 << 30)
        #expect(problem(ZipWriter([declared]))?.contains("more than the allowed") == true)
        // Both headers refer to the data of the first entry.
        var second = Entry(path: "a.json", bytes: [1])
        second.offset = 0
        let first = Entry(path: "a.json", bytes: [1])
        #expect(problem(ZipWriter([first, second]))?.contains("overlaps") == true)
    }

    @Test("a zip archive is refused wherever it is cut, and read only unharmed for any wrong bit")
    func everyByte() throws {
        let text = #"{"name":"Ada","age":20,"again":"Ada Ada Ada Ada"}"#
        let bytes = ZipWriter(["users.get.json": text, "b/c.json": "[1]"]).bytes
        let files = try ZipArchive(bytes).files
        for count in 0..<bytes.count {
            #expect(throws: ZipArchive.Problem.self) { try ZipArchive(Array(bytes[..<count])) }
        }
        for place in bytes.indices {
            for bit in 0..<8 {
                var wrong = bytes
                wrong[place] ^= 1 << UInt8(bit)
                guard let found = try? ZipArchive(wrong).files else { continue }
                #expect(found == files, "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test("a zip archive is read with stored and deflated files, folders and a comment")
    func reading() throws {
        var writer = ZipWriter([
            Entry(path: "b/", bytes: [], mode: 0o040755), Entry(path: "b/a.json", bytes: [1, 2]),
            Entry(path: "empty", bytes: [], isDeflated: true),
            Entry(path: "ü.json", bytes: Array("äöü".utf8), isDeflated: true, flags: 0x800),
        ])
        writer.comment = Array("a comment".utf8)
        let files = try ZipArchive(writer.bytes).files
        #expect(files.map(\.path) == ["b/a.json", "empty", "ü.json"])
        #expect(files.map(\.bytes) == [[1, 2], [], Array("äöü".utf8)])
        #expect(try ZipArchive(ZipWriter([]).bytes).files == [])
    }
}
