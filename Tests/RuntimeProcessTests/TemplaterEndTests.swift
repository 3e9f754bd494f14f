import Foundation
import TelexTemplater
import TemplaterTestSupport
import Testing

@Suite("Templates in several processes")
struct TemplaterEndTests {
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
    private func unpack(_ version: String) async throws -> [String] {
        try await templater.unpack(archive: folder.url("defaults.zip"), version: version)
    }

    private func text(_ method: String) throws -> String {
        try folder.text("store/\(method).json")
    }

    /// Whether a new store, as at the next launch, finds all these templates.
    private func isWhole(_ methods: [String]) throws -> Bool {
        let templater = folder.templater
        return try methods.allSatisfy {
            try templater.template(for: $0)?.sample == ["name": .string($0)]
        }
    }

    @Test("templates are all in one place, whenever a process is killed while it moves them")
    func moved() async throws {
        let methods = ["a", "b", "c"]
        for method in methods {
            try folder.write("store/\(method).json", #"{"name":"\#(method)"}"#)
        }
        var (old, new) = ("store", "new")
        var (ended, hasMoved) = (0, false)
        while true {
            let step = "\(ended + 1)"
            let run = try await folder.process("end-at", step, "move", folder.place(new))
            #expect(try isWhole(methods))
            if run.status == 0 { break }
            #expect(run.status == -9 && run.output == "")
            ended += 1
            let counts = [folder.names(old), folder.names(new)].map { $0.count }
            #expect(counts.contains(3))
            let isNew = try folder.templater.folder.path == folder.place(new)
            // The next change removes the copies that do not count.
            try await folder.templater.remove("none")
            #expect(folder.names(isNew ? new : old) == methods.map { "\($0).json" })
            #expect(folder.names(isNew ? old : new) == [])
            #expect(try isWhole(methods))
            if isNew {
                hasMoved = true
                (old, new) = (new, old)
            }
        }
        // A step before each copy, one before the decision, one after, one before each removal.
        #expect(ended == 8 && hasMoved)
    }

    @Test("templates are whole if a process is killed unpacking, and the next launch continues")
    func unpacked() async throws {
        try pack(["a.json": "[1]", "b.json": "[1]", "c.json": "[1]"])
        try await unpack("1")
        try pack(["a.json": "[2]", "b.json": "[2]"])
        var ended = 0
        while true {
            let run = try await folder.process(
                "end-at", "\(ended + 1)", "unpack", folder.place("defaults.zip"), "2")
            for method in ["a", "b"] {
                #expect(["[1]", "[2]"].contains(try text(method)))
            }
            if run.status == 0 {
                #expect(run.output == "a b\n")
                break
            }
            #expect(run.status == -9)
            ended += 1
        }
        // A step before each file is written, before each is put in place, and before the end.
        #expect(ended == 5)
        #expect(folder.names("store") == ["a.json", "b.json"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.base).count == 4)
    }

    @Test("templates of an archive are unpacked once if many tasks and two processes ask at once")
    func atOnce() async throws {
        try pack(["a.json": "[1]", "b.json": "[1]"])
        async let first = folder.process("unpack", folder.place("defaults.zip"), "1")
        async let second = folder.process("unpack", folder.place("defaults.zip"), "1")
        let here = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await self.unpack("1").isEmpty ? 0 : 1 }
            }
            return try await group.reduce(0, +)
        }
        let runs = try await [first, second]
        #expect(runs.allSatisfy { $0.output == "\n" || $0.output == "a b\n" })
        #expect(here + runs.count { $0.output == "a b\n" } == 1)
        #expect(folder.names("store") == ["a.json", "b.json"])
    }
}
