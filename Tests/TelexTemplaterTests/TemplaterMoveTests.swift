import Foundation
import TelexTemplater
import TemplaterTestSupport
import Testing

@Suite("A move of the templates")
struct TemplaterMoveTests {
    private let folder: StoreFolder
    private let methods = ["a", "b", "c"]

    init() throws {
        folder = try StoreFolder()
        for method in methods {
            try folder.write("store/\(method).json", #"{"name":"\#(method)"}"#)
        }
    }

    private var files: [String] { methods.map { "\($0).json" } }

    /// Whether a new store, as at the next launch, finds all templates.
    private func isWhole() throws -> Bool {
        let templater = folder.templater
        return try methods.allSatisfy {
            try templater.template(for: $0)?.sample == ["name": .string($0)]
        }
    }

    @Test("a move of the templates takes all templates with their times, and other stores follow")
    func moving() async throws {
        let day = Date(timeIntervalSince1970: 86_400.5)
        try FileManager.default.setAttributes(
            [.modificationDate: day], ofItemAtPath: folder.place("store/b.json"))
        try folder.write("store/notes.txt", "mine")
        let (templater, other) = (folder.templater, folder.templater)
        try await templater.move(to: folder.url("x/y/z/"))
        #expect(folder.names("store") == ["notes.txt"])
        #expect(folder.names("x/y/z") == files)
        #expect(try templater.folder.path == folder.place("x/y/z"))
        #expect(try other.template(for: "a") != nil && isWhole())
        #expect(try other.list()[1].modified == day)
        try await other.write(Array("[1]".utf8), for: "d")
        #expect(folder.names("x/y/z") == files + ["d.json"])
        // To itself, by another path, and back.
        try await templater.move(to: folder.url("x/../x/y/z"))
        try await templater.move(to: folder.url("store"))
        #expect(folder.names("store") == files + ["d.json", "notes.txt"])
        #expect(folder.names("x/y") == [])
    }

    @Test("a move of templates to a folder with templates, a file or a non-file URL is refused")
    func refused() async throws {
        try folder.write("full/users.get.json", "[1]")
        try folder.write("file", "")
        let web = try #require(URL(string: "https://a.example/"))
        for (url, reason) in [
            (folder.url("full"), TemplaterError.Reason.hasTemplates("users.get")),
            (folder.url("file"), .notAFolder), (folder.url("file/x"), .notAFolder),
            (web, .notAPath),
        ] {
            let error = await #expect(throws: TemplaterError.self) {
                try await folder.templater.move(to: url)
            }
            #expect(error?.reason == reason)
            #expect(try isWhole())
        }
        #expect(folder.names("store") == files)
    }

    @Test("a move of the templates that fails in the middle changes nothing")
    func failing() async throws {
        try folder.write("store/d.json", [UInt8](repeating: 0x20, count: (8 << 20) + 1))
        let error = await #expect(throws: TemplaterError.self) {
            try await folder.templater.move(to: folder.url("new"))
        }
        #expect(error?.path == folder.place("store/d.json"))
        #expect(folder.names("store") == files + ["d.json"] && folder.names("new") == [])
        #expect(try isWhole())
    }

    @Test("a move of the templates is remembered relative to the home folder")
    func home() async throws {
        try folder.write("home1/store/a.json", "[1]")
        let first = Templater(folder: folder.place("home1/store"), home: folder.place("home1"))
        try await first.move(to: folder.url("home1/elsewhere"))
        try FileManager.default.moveItem(at: folder.url("home1"), to: folder.url("home2"))
        let second = Templater(folder: folder.place("home2/store"), home: folder.place("home2"))
        #expect(try second.template(for: "a") != nil)
        #expect(try second.folder.path == folder.place("home2/elsewhere"))
        // A folder beside it has only the beginning of its path.
        try await second.move(to: folder.url("home22"))
        try FileManager.default.moveItem(at: folder.url("home2"), to: folder.url("home3"))
        let third = Templater(folder: folder.place("home3/store"), home: folder.place("home3"))
        #expect(try third.folder.path == folder.place("home22"))
    }

    @Test("a move of the templates reports a damaged file that remembers the folder")
    func damaged() throws {
        for text in ["", "{", "{}", #"{"folder":{}}"#] {
            try folder.write("store/.places.json", text)
            let error = #expect(throws: TemplaterError.self) {
                try folder.templater.template(for: "a")
            }
            #expect(error?.path == folder.place("store/.places.json"))
        }
    }
}
