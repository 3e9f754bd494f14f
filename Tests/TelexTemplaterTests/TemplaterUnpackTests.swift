import Foundation
import TelexTemplater
import TemplaterTestSupport
import Testing

@Suite("An archive of default templates")
struct TemplaterUnpackTests {
    private let folder: StoreFolder
    private let templater: Templater

    init() throws {
        folder = try StoreFolder()
        templater = folder.templater
    }

    private func pack(_ files: KeyValuePairs<String, String>) throws {
        try folder.write("defaults.zip", ZipWriter(files).bytes)
    }

    @discardableResult
    private func unpack(_ version: String, overwriting: Bool = false) async throws -> [String] {
        try await templater.unpack(
            archive: folder.url("defaults.zip"), version: version, overwriting: overwriting)
    }

    private func text(_ method: String) throws -> String {
        try folder.text("store/\(method).json")
    }

    @Test(
        "an archive of default templates is refused as a whole if one file is not a template",
        arguments: [
            ("readme.txt", "hello", "`readme.txt` is not named METHOD.json"),
            ("b.json", "{", "`b.json` is not a template"),
            ("x/b.json", "{}", "`y/B.json` is there twice, in any folder or case"),
            ("y/B.json", "[2]", "`y/B.json` is there twice, in any folder or case"),
            ("../b.json", "{}", "is no path inside of a folder"),
        ])
    func refused(path: String, content: String, reason: String) async throws {
        try pack(["a.json": "[1]", path: content, "y/B.json": "[1]"])
        let error = await #expect(throws: TemplaterError.self) { try await unpack("1") }
        #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.path == folder.place("defaults.zip"))
        #expect(folder.names("store") == [])
        #expect(try templater.template(for: "a") == nil)
    }

    @Test("an archive of default templates is missing, no archive, or not a file")
    func noArchive() async throws {
        let missing = await #expect(throws: TemplaterError.self) { try await unpack("1") }
        #expect(missing?.reason == .badArchive("it does not exist"))
        try folder.write("defaults.zip", "no archive")
        let text = await #expect(throws: TemplaterError.self) { try await unpack("1") }
        #expect(text?.description.contains("it is not a zip archive, or is cut off") == true)
        try folder.write("defaults.zip", [UInt8](repeating: 0, count: (32 << 20) + 1))
        let large = await #expect(throws: TemplaterError.self) { try await unpack("1") }
        #expect(large?.reason == .tooLarge(limit: 32 << 20))
        let web = try #require(URL(string: "https://a.example/defaults.zip"))
        let address = await #expect(throws: TemplaterError.self) {
            try await templater.unpack(archive: web, version: "1")
        }
        #expect(address?.reason == .notAPath)
        #expect(folder.names("store") == [])
    }

    @Test("an archive of defaults is unpacked once a version, without folders or what Finder adds")
    func once() async throws {
        try pack([
            "Defaults/users.get.json": "[1]", "Defaults/.DS_Store": "x",
            "__MACOSX/Defaults/._users.get.json": "x", "friends.get.json": "[ 2 ]",
        ])
        #expect(try await unpack("1") == ["friends.get", "users.get"])
        #expect(try text("friends.get") == "[ 2 ]" && text("users.get") == "[1]")
        try await templater.remove("users.get")
        try FileManager.default.removeItem(at: folder.url("defaults.zip"))
        #expect(try await unpack("1") == [])
        #expect(try templater.template(for: "users.get") == nil)
        try pack(["users.get.json": "[3]"])
        #expect(try await unpack("2") == ["users.get"])
        #expect(try text("users.get") == "[3]")
        try await templater.removeAll()
        #expect(try await unpack("2") == ["users.get"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.base).count == 3)
    }

    @Test("a new version's archive replaces old defaults, and what the app wrote only if asked")
    func own() async throws {
        try pack(["a.json": "[1]", "b.json": "[1]", "c.json": "[1]", "d.json": "[1]"])
        try await unpack("1")
        try await templater.write(Array("[9]".utf8), for: "a")
        try await templater.write(Array("[9]".utf8), for: "d")
        try pack(["a.json": "[2]", "b.json": "[2]"])
        #expect(try templater.template(for: "b")?.sample == [1])
        #expect(try await unpack("2") == ["b"])
        #expect(try templater.template(for: "a")?.sample == [9])
        #expect(try templater.template(for: "b")?.sample == [2])
        #expect(folder.names("store") == ["a.json", "b.json", "d.json"])
        #expect(try await unpack("3", overwriting: true) == ["a", "b"])
        #expect(try text("a") == "[2]" && text("b") == "[2]")
    }

    @Test("an archive of default templates goes where the templates have moved to")
    func moved() async throws {
        try await templater.move(to: folder.url("new"))
        try pack(["a.json": "[1]"])
        try await unpack("1")
        #expect(folder.names("new") == ["a.json"] && folder.names("store") == [])
    }

    @Test("an archive of defaults is not unpacked over a damaged record of what was unpacked")
    func damagedRecord() async throws {
        try pack(["a.json": "[1]"])
        try folder.write("store/.defaults.json", "{")
        let error = await #expect(throws: TemplaterError.self) { try await unpack("1") }
        #expect(error?.path == folder.place("store/.defaults.json"))
    }
}
