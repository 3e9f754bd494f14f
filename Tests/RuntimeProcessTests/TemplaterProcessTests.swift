import Foundation
import ProcessSupport
import Subprocess
import TelexTemplater
import TelexTransport
import TemplaterTestSupport
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

@Suite("The templates on disk")
struct TemplaterProcessTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test("templates on disk are old or new, never a part, if a process is killed while writing")
    func killedWriting() async throws {
        for round in 1...20 {
            // Ends without waiting for the write that follows the printed number.
            _ = try await Subprocess.run(
                .path(FilePath(try StoreFolder.program)),
                arguments: [folder.base, folder.path, "write-many", "1000000"],
                input: .none, output: .sequence, error: .combinedWithOutput
            ) { process in
                for try await _ in process.standardOutput.strings() {
                    try process.send(signal: .kill)
                    break
                }
            }
            let text = try #require(try folder.templater.template(for: "users.get")).sample["text"]
            #expect(text?.asString?.count == 50_000, "round \(round)")
        }
        // The lock is free, and the temporary file is removed.
        try await folder.templater.write([0x31], for: "friends.get")
        #expect(folder.names("store") == ["friends.get.json", "users.get.json"])
        let all = try FileManager.default.contentsOfDirectory(atPath: folder.base)
        #expect(all.count == 3)
    }

    @Test("the templates on disk are old when the system stops a write in the middle of the file")
    func killedInFile() async throws {
        try await folder.templater.write(Array(#"{"mark":7}"#.utf8), for: "users.get")
        let run = try await folder.process("limit-files", "5000", "write", "users.get", "50000")
        #expect(run.output == "error: system(\(EFBIG)) \(folder.base)/users.get.json\n")
        #expect(try folder.templater.template(for: "users.get")?.sample == ["mark": 7])
        try await folder.templater.write(Array(#"{"mark":8}"#.utf8), for: "users.get")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.base).count == 2)
    }

    @Test("templates on disk are whole when two processes write and move them at the same time")
    func twoProcesses() async throws {
        async let first = folder.process("write-many", "100")
        async let second = folder.process("write-many", "100", "move", folder.place("new"))
        async let third = folder.process("write-many", "50", "move", folder.place("other"))
        for run in try await [first, second, third] {
            #expect(run.status == 0 && !run.output.contains("error"), "\(run.output)")
        }
        let template = try #require(try folder.templater.template(for: "users.get"))
        #expect(template.sample["text"]?.asString?.count == 50_000)
        let places = ["store", "new", "other"].flatMap { folder.names($0) }
        #expect(places == ["users.get.json"])
    }

    @Test("templates on disk stay as they are while another process holds the lock and is stopped")
    func stopped() async throws {
        try await folder.templater.write([0x31], for: "users.get")
        let lock = try OpenFile(folder.base + "/.lock", O_RDWR)
        #expect(try lock.lock())
        let templater = Templater(folder: folder.base, home: folder.path, pause: { _ in })
        let error = await #expect(throws: TemplaterError.self) {
            try await templater.write([0x32], for: "users.get")
        }
        #expect(error?.reason == .busy)
        #expect(error?.description.contains("is it stopped?") == true)
        // Reading needs no lock.
        #expect(try templater.template(for: "users.get")?.sample == 1)
        extendLifetime(lock)
    }

    /// Runs a script where it may mount a small disk.
    private static func onSmallDisk(_ script: String, in folder: StoreFolder) async throws -> Run {
        let mount = #"mkdir "$1/disk" && mount -t tmpfs -o size=64k none "$1/disk" || exit 1"#
        return try await Run.program(
            "/usr/bin/env",
            ["unshare", "-rm", "sh", "-c", "\(mount)\n\(script)", "sh", folder.path],
            environment: ["program": try StoreFolder.program])
    }

    private static func canMount() async throws -> Bool {
        try await onSmallDisk("", in: StoreFolder()).status == 0
    }

    @Test(
        "the templates on disk are kept when the disk is full, and on a disk that is read-only",
        .enabled("this system does not let a user mount a disk") { try await canMount() })
    func fullDisk() async throws {
        let text = String(repeating: "x", count: 99_999)
        let zip = ZipWriter([
            .init(path: "users.get.json", bytes: Array("[1]".utf8)),
            .init(path: "b.json", bytes: Array("\"\(text)\"".utf8)),
        ])
        try folder.write("defaults.zip", zip.bytes)
        let run = try await Self.onSmallDisk(
            """
            disk="$1/disk/store"
            "$program" "$disk" "$1" write users.get 100 write users.get 100000 \\
                unpack "$1/defaults.zip" 1 write friends.get 100
            "$program" "$1/store" "$1" write a 20000 write b 100000 move "$1/disk/new"
            ls "$1/store" "$1/disk" "$disk" && wc -c < "$disk/users.get.json"
            mount -o remount,ro "$1/disk"
            "$program" "$disk" "$1" write users.get 100
            "$program" "$1/disk/other" "$1" write users.get 100
            "$program" "$1/store" "$1" move "$1/disk/elsewhere"
            ls "$1/store"
            """, in: folder)
        let lines = run.output.replacing(folder.path, with: "").split(separator: "\n")
        func full(_ path: String) -> String {
            "error: diskFull \(path)"
        }
        func readOnly(_ path: String) -> String {
            "error: noPermission \(path)"
        }
        #expect(
            lines.map(String.init) == [
                "written", full("/disk/store/users.get.json"),
                full("/disk/store/.unpacked.tmp/b.json"), "written",
                "written", "written", full("/disk/new/b.json"),
                "/disk:", "store", "/disk/store:", "friends.get.json", "users.get.json",
                "/store:", "a.json", "b.json", "130",
                readOnly("/disk/store/.lock"), readOnly("/disk/other/"),
                readOnly("/disk/elsewhere/"), "a.json", "b.json",
            ])
    }
}
