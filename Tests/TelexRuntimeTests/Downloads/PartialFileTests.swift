import Foundation
import HTTPTypes
import Testing

@testable import TelexDownloads
@testable import TelexRuntime

@Suite("A download to disk")
struct PartialFileTests {
    private let document = ServedDocument(
        bytes: (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) })

    /// Returns why a download to a path cannot begin; nil if it can.
    private func refusal(_ path: String) throws -> DownloadError? {
        let source = try source()
        do throws(DownloadError) {
            _ = try PartialFile(destination: path, source: source)
            return nil
        } catch {
            return error
        }
    }

    @Test("a download to disk is refused at a path where no file can be, with the reason")
    func refusals() throws {
        try withFolder { folder in
            #expect(try refusal(folder)?.reason == .isFolder)
            #expect(try refusal("\(folder)/")?.reason == .isFolder)
            #expect(try refusal("")?.reason == .invalidPath)
            #expect(try refusal("\(folder)/a\0b")?.reason == .invalidPath)
            #expect(try refusal("/dev/null")?.reason == .notAFile)
            let missing = try refusal("\(folder)/none/file")
            #expect(missing?.reason == .missingFolder)
            #expect(missing?.description.contains("create it first") == true)
            try DiskFile.replace("\(folder)/plain", with: [])
            let blocked = try refusal("\(folder)/plain/file")
            #expect(blocked?.reason == .notAFolder)
            #expect(blocked?.description.contains("a part of its path is a file") == true)
            try DiskFile.remove("\(folder)/plain")
            let address = try refusal("file://\(folder)/file")
            #expect(address?.description.contains("give a path, not a URL") == true)
            let home = try refusal("~/none/file")
            #expect(home?.description.contains("`~` is not expanded") == true)
            let long = String(repeating: "a", count: 253)
            #expect(try refusal("\(folder)/\(long)")?.reason == .nameTooLong)
            #expect(try names(in: folder) == [])
        }
    }

    @Test("a download to disk distinguishes the system's errors, each with a remedy")
    func problems() {
        let expected: [(Int32, DownloadError.Reason, String)] = [
            (ENOSPC, .diskFull, "make room"), (EDQUOT, .diskFull, "make room"),
            (EACCES, .noPermission, "choose another folder"),
            (EROFS, .noPermission, "choose another folder"),
            (ENOENT, .missingFolder, "create"), (ENAMETOOLONG, .nameTooLong, "shorter"),
            (EIO, .system(EIO), "rror"), (ENOTDIR, .notAFolder, "in a folder"),
        ]
        for (code, reason, advice) in expected {
            let error = DownloadError("/x/y", problem: DiskFile.Problem(code: code))
            #expect(error.reason == reason)
            #expect(error.description.contains("`/x/y`") && error.description.contains(advice))
        }
    }

    #if os(Linux)
        @Test("a download to disk stops at a full disk, and counts the written bytes")
        func fullDisk() throws {
            let full = try OpenFile("/dev/full", O_WRONLY)
            var offset = 5
            let problem = #expect(throws: DiskFile.Problem.self) {
                try full.put([1, 2, 3], at: &offset)
            }
            #expect(problem?.code == ENOSPC)
            #expect(offset == 5)
        }
    #endif

    @Test("a download to disk follows no planted link, and takes no file of others")
    func planted() throws {
        try withFolder { folder in
            let target = "\(folder)/target"
            try DiskFile.replace(target, with: [1, 2, 3])
            let path = "\(folder)/file"
            symlink(target, "\(path).part")
            #expect(try refusal(path)?.reason == .untrustedPartial("is a symbolic link"))
            unlink("\(path).part")
            link(target, "\(path).part")
            #expect(
                try refusal(path)?.reason
                    == .untrustedPartial("has a second name (hard link)"))
            unlink("\(path).part")
            mkfifo("\(path).part", 0o600)
            #expect(try refusal(path)?.reason == .untrustedPartial("is not a file"))
            unlink("\(path).part")
            mkdir("\(path).part", 0o700)
            let folder = try refusal(path)
            #expect(folder?.reason == .untrustedPartial("is a folder"))
            #expect(folder?.description.contains("`\(path).part` is a folder; remove it") == true)
            #expect(try DiskFile.read(target) == [1, 2, 3])
        }
    }

    @Test("a download is alone at its destination: a second is refused until the first has ended")
    func twice() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var first = try PartialFile(destination: path, source: source())
            #expect(try refusal(path)?.reason == .busy)
            try first.attempt(document)
            #expect(try refusal(path)?.reason == .busy)
            try first.finish()
            #expect(try refusal(path)?.reason == nil)
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test("a download to disk is put in place in one step, complete, with nothing beside it")
    func finishes() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            try DiskFile.replace(path, with: Array("old".utf8))
            chmod(path, 0o640)
            var file = try PartialFile(destination: path, source: source())
            #expect(file.requestFields.isEmpty)
            try file.attempt(document, dropAfter: 999)
            #expect(try names(in: folder) == ["file", "file.part", "file.part.json"])
            #expect(try DiskFile.read(path) == Array("old".utf8))
            let early = reason { () throws(DownloadError) in try file.finish() }
            #expect(early == .incomplete(received: 999, expected: 1000))
            #expect(try file.attempt(document) == 1)
            try file.finish()
            #expect(try names(in: folder) == ["file"])
            #expect(try DiskFile.read(path) == document.bytes)
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.posixPermissions] as? Int == 0o640)
            #expect(reason { () throws(DownloadError) in try file.finish() } != nil)
            #expect(reason { () throws(DownloadError) in try file.write([1]) } == .notReceiving)
            try file.abandon()
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test("a download to disk is described in one line, whatever its path contains")
    func oneLine() {
        for reason in [DownloadError.Reason.busy, .partialChanged, .untrustedJournal] {
            let error = DownloadError("/x/a\nb\u{1B}[2J\u{202E}\u{2028}é", reason: reason)
            #expect(error.description.contains(#"`/x/a\nb\u{1b}[2J\u{202e}\u{2028}é"#))
            let unseen: Set<Unicode.Scalar> = ["\n", "\u{1B}", "\u{202E}", "\u{2028}"]
            #expect(unseen.isDisjoint(with: error.description.unicodeScalars))
        }
    }

    @Test("a download to disk splits a path into folder and name also where Swift sees no slash")
    func combinedSlash() throws {
        for mark in ["\u{301}", "\u{200D}", ""] {
            #expect(DiskFile.folder(of: "/a/\(mark)b") == "/a/")
            let name = DiskFile.name(of: "/a/\(mark)b") ?? ""
            #expect(name.utf8.elementsEqual("\(mark)b".utf8))
            #expect(UploadFile(path: "/a/\(mark)b").name.utf8.count == mark.utf8.count + 1)
        }
        #expect(DiskFile.folder(of: "b") == nil && DiskFile.name(of: "/") == nil)
    }

    @Test("a download to disk distinguishes its open file from one that has replaced it")
    func identity() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            let file = try OpenFile(path, O_RDWR | O_CREAT)
            #expect(try file.isCurrentFile(at: path))
            try DiskFile.move(path, to: "\(folder)/other")
            #expect(try !file.isCurrentFile(at: path))
            try DiskFile.replace(path, with: [1])
            #expect(try !file.isCurrentFile(at: path))
            #expect(try file.isCurrentFile(at: "\(folder)/other"))
            unlink(path)
            symlink("\(folder)/other", path)
            #expect(try !file.isCurrentFile(at: path))
        }
    }

    @Test("a download raced by others to the same path is complete each time, and never a mixture")
    func race() async throws {
        let path = temporaryPath()
        defer { for end in ["", ".part", ".part.json"] { unlink(path + end) } }
        let source = try source()
        let finished = try await withThrowingTaskGroup { group in
            for number in UInt8(1)...3 {
                group.addTask { try Self.repeated(number, at: path, source) }
            }
            return try await group.reduce(0, +)
        }
        #expect(finished > 0)
    }

    /// Downloads a document of equal bytes many times, and checks the file each time.
    private static func repeated(
        _ number: UInt8, at path: String, _ source: DownloadSource
    ) throws -> Int {
        let bytes = [UInt8](repeating: number, count: 500)
        let document = ServedDocument(bytes: bytes, tag: "\"\(number)\"")
        var finished = 0
        for _ in 0..<20 {
            do throws(DownloadError) {
                var file = try PartialFile(destination: path, source: source)
                while try file.attempt(document) == nil {}
                try file.finish()
                finished += 1
            } catch {
                guard error.reason == .busy else { throw error }
            }
            if let found = try DiskFile.read(path) {
                #expect(found.count == 500 && Set(found).count == 1)
            }
        }
        return finished
    }

    @Test("a download of zero bytes is an empty file")
    func empty() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            #expect(try file.attempt(ServedDocument(bytes: [])) == 0)
            try file.finish()
            #expect(try DiskFile.read(path) == [])
        }
    }

    @Test("a download to disk keeps its files private, without an address in them")
    func secrecy() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            let address = try source("https://files.example/private?token=\(secret)")
            var file = try PartialFile(destination: path, source: address)
            try file.attempt(document, dropAfter: 10)
            for name in ["file.part", "file.part.json"] {
                let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                #expect(facts[.posixPermissions] as? Int == 0o600)
            }
            let journal = try #require(try DiskFile.read("\(path).part.json"))
            let text = String(decoding: journal, as: UTF8.self)
            #expect(text.contains("v1") && text.contains("1000"))
            #expect(!text.contains(secret) && !text.contains("private"))
        }
    }

    @Test("a download to disk can be abandoned, and leaves a partial file")
    func abandons() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            let untouched = try PartialFile(destination: path, source: source())
            try untouched.abandon()
            #expect(try names(in: folder) == [])
            var kept = try PartialFile(destination: path, source: source())
            try kept.attempt(document, dropAfter: 10)
            try kept.abandon()
            let again = try PartialFile(destination: path, source: source())
            #expect(again.offset == 10)
            try again.abandon()
            let left = try names(in: folder)
            #expect(left.count == 2)
            var useless = try PartialFile(destination: "\(folder)/other", source: source())
            try useless.attempt(
                ServedDocument(bytes: document.bytes, tag: "W/\"v1\""), dropAfter: 10)
            try useless.abandon()
            #expect(try names(in: folder) == left)
        }
    }

    @Test("a download to disk leaves another document's partial file until a reply has arrived")
    func otherSource() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var first = try PartialFile(destination: path, source: source())
            try first.attempt(document, dropAfter: 10)
            try first.abandon()
            var other = try PartialFile(destination: path, source: source("https://files.example/"))
            #expect(other.offset == 0 && other.validator == nil)
            let failed = reason { () throws(DownloadError) in
                _ = try other.accept(head(503), at: noon)
            }
            #expect(failed == .unexpectedStatus(503))
            try other.abandon()
            var back = try PartialFile(destination: path, source: source())
            #expect(back.offset == 10)
            #expect(try back.attempt(document) == 990)
            try back.finish()
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test("a download to disk is not finished with a replaced or truncated file")
    func meddling() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(document)
            truncate("\(path).part", 500)
            #expect(reason { () throws(DownloadError) in try file.finish() } == .partialChanged)
            unlink("\(path).part")
            try DiskFile.replace("\(path).part", with: [6, 6, 6])
            #expect(reason { () throws(DownloadError) in try file.finish() } == .partialChanged)
            #expect(try names(in: folder).contains("file") == false)
        }
    }

    @Test(
        "a download to disk continues in no file that was truncated or extended meanwhile",
        arguments: [100, 900])
    func cut(_ size: Int) throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(document, dropAfter: 500)
            truncate("\(path).part", off_t(size))
            let changed = reason { () throws(DownloadError) in try file.attempt(document) }
            #expect(changed == .partialChanged)
            try file.abandon()
            var next = try PartialFile(destination: path, source: source())
            #expect(next.offset == 0)
            try next.attempt(document)
            try next.finish()
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test(
        "a download to disk continues in no file that was truncated or extended after its end",
        arguments: [100, 501, 900])
    func changedLater(_ size: Int) throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(document, dropAfter: 500)
            try file.abandon()
            truncate("\(path).part", off_t(size))
            var next = try PartialFile(destination: path, source: source())
            #expect(next.offset == 0)
            try next.attempt(document)
            try next.finish()
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test("a download continues from all its bytes if its process was killed after an earlier end")
    func killedLater() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var first = try PartialFile(destination: path, source: source())
            try first.attempt(document, dropAfter: 500)
            try first.abandon()
            do {
                var second = try PartialFile(destination: path, source: source())
                #expect(second.offset == 500)
                try second.attempt(document, dropAfter: 200)
            }
            var third = try PartialFile(destination: path, source: source())
            #expect(third.offset == 700)
            #expect(try third.attempt(document) == 300)
            try third.finish()
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test("a download succeeds once it is in place, whatever is at the path of its journal")
    func journalIsFolder() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(document)
            try DiskFile.remove("\(path).part.json")
            mkdir("\(path).part.json", 0o700)
            try file.finish()
            #expect(try names(in: folder) == ["file", "file.part.json"])
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test(
            "a download continues after its process was killed while it replaced a read-only file")
        func killedOverReadOnly() async {
            await #expect(processExitsWith: .success) { try Self.goOnOverReadOnly() }
        }

        private static func goOnOverReadOnly() throws {
            let document = ServedDocument(bytes: [UInt8](repeating: 7, count: 500))
            let source = try source()
            try withoutPrivileges { folder in
                let path = "\(folder)/file"
                try DiskFile.replace(path, with: [1])
                chmod(path, 0o444)
                do {
                    var file = try PartialFile(destination: path, source: source)
                    try file.attempt(document)
                    chmod("\(path).part", 0o444)
                }
                var file = try PartialFile(destination: path, source: source)
                #expect(file.offset == 500)
                try file.attempt(document)
                try file.finish()
                #expect(try DiskFile.read(path) == document.bytes)
                #expect(try names(in: folder) == ["file"])
                // A partial file without a journal has no owner.
                try DiskFile.replace("\(path).part", with: [1])
                chmod("\(path).part", 0o444)
                let foreign = reason { () throws(DownloadError) in
                    _ = try PartialFile(destination: path, source: source)
                }
                #expect(foreign == .noPermission)
            }
        }

        @Test("a download to disk reports missing permission for its folder")
        func lockedFolder() async {
            await #expect(processExitsWith: .success) {
                let source = try source()
                try withoutPrivileges { folder in
                    chmod(folder, 0o600)
                    let found = reason { () throws(DownloadError) in
                        _ = try PartialFile(destination: "\(folder)/file", source: source)
                    }
                    #expect(found == .noPermission)
                }
            }
        }
    #endif

    @Test(
        "a download to disk touches nothing beside an invalid journal, with a remedy",
        arguments: [
            "", "{", "[]", #"{"version":2,"source":"S","etag":"\"a\""}"#,
            #"{"version":1,"source":"S","modified":"a\r\nX: y"}"#,
            #"{"version":1,"source":"S","etag":"\"a\"","length":-1}"#,
            #"{"version":1,"source":"S","etag":"\"a\"","length":99999999999999999999}"#,
        ])
    func noJournal(_ text: String) throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            for part in [nil, [], [1, 2, 3]] as [[UInt8]?] {
                if let part { try DiskFile.replace("\(path).part", with: part) }
                try DiskFile.replace("\(path).part.json", with: Array(text.utf8))
                let error = try refusal(path)
                #expect(
                    error?.description.hasSuffix(
                        "`\(path).part.json` is not the journal of a download; move it away, or "
                            + "choose another file") == true)
                #expect(try DiskFile.read("\(path).part.json") == Array(text.utf8))
                #expect(try DiskFile.read("\(path).part") == part)
            }
        }
    }

    @Test("a download to disk takes no file without a journal for its own, with a remedy")
    func foreignPart() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            try DiskFile.replace("\(path).part", with: [1, 2, 3])
            let error = try refusal(path)
            #expect(error?.reason == .untrustedPartial("has no journal of a download beside it"))
            #expect(error?.description.contains("`\(path).part` has no journal") == true)
            #expect(try DiskFile.read("\(path).part") == [1, 2, 3])
            // What a process leaves that is killed at its first step.
            try DiskFile.replace("\(path).part", with: [])
            #expect(try refusal(path) == nil)
        }
    }

    @Test("a download recognises its own partial file without a validator, from its first byte on")
    func withoutValidator() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            let untold = ServedDocument(bytes: document.bytes, tag: nil)
            for count in [0, 10, 1000] {
                try left(at: path, untold, count)
                #expect(try names(in: folder) == ["file.part", "file.part.json"])
                var file = try PartialFile(destination: path, source: source())
                #expect(file.offset == 0 && file.requestFields.isEmpty)
                try file.attempt(untold)
                try file.finish()
                #expect(try names(in: folder) == ["file"])
                try DiskFile.remove(path)
            }
        }
    }

    /// Leaves what a process leaves that is killed after this many bytes.
    private func left(at path: String, _ document: ServedDocument, _ count: Int) throws {
        var file = try PartialFile(destination: path, source: source())
        try file.attempt(document, dropAfter: count)
    }

    @Test("a download recognises its own partial file with an overlong tag, and restarts it")
    func longTag() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            for (length, kept) in [(8_192, 10), (8_193, 0), (70_000, 0)] {
                let tag = "\"\(String(repeating: "a", count: length - 2))\""
                let tagged = ServedDocument(bytes: document.bytes, tag: tag)
                try left(at: path, tagged, 10)
                var file = try PartialFile(destination: path, source: source())
                #expect(file.offset == kept)
                try file.attempt(tagged)
                try file.finish()
                #expect(try DiskFile.read(path) == document.bytes)
            }
        }
    }

    @Test(
        "a download to disk restarts beside the journal of another partial file",
        arguments: [
            #"{"version":1,"source":"other","etag":"\"a\""}"#, #"{"version":1,"source":"S"}"#,
            #"{"version":1,"source":"S","etag":"W/\"a\""}"#,
            #"{"version":1,"source":"S","etag":"\"a\r\nX: y\""}"#,
            #"{"version":1,"source":"S","etag":"\"a\"","length":2}"#,
        ])
    func otherJournal(_ text: String) throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            let print = PartialJournal.fingerprint(of: try source())
            let journal = text.replacing("\"S\"", with: "\"\(print)\"")
            try DiskFile.replace("\(path).part", with: [1, 2, 3])
            try DiskFile.replace("\(path).part.json", with: Array(journal.utf8))
            var file = try PartialFile(destination: path, source: source())
            #expect(file.offset == 0 && file.requestFields.isEmpty)
            try file.attempt(document)
            try file.finish()
            #expect(try DiskFile.read(path) == document.bytes)
        }
    }

    @Test("a download to disk does not wait for, follow or load a planted journal")
    func plantedJournal() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            try DiskFile.replace("\(path).part", with: [1, 2, 3])
            mkfifo("\(path).part.json", 0o600)
            #expect(try refusal(path)?.description.contains("is not the journal") == true)
            unlink("\(path).part.json")
            symlink("/dev/zero", "\(path).part.json")
            #expect(try refusal(path)?.description.contains("is not the journal") == true)
            #expect(try DiskFile.read("\(path).part") == [1, 2, 3])
        }
    }

    @Test("a download survives 100 drops, suspensions, killed processes and changed versions")
    func endurance() throws {
        for seed in UInt64(0)..<6 {
            var random = SeededRandom(seed: seed)
            try withFolder { folder in
                try endure(at: "\(folder)/file", &random)
                #expect(try names(in: folder) == ["file"])
            }
        }
    }

    private func endure(at path: String, _ random: inout SeededRandom) throws {
        var document = document
        document.tellsLength = Bool.random(using: &random)
        var file = try PartialFile(destination: path, source: source())
        for round in 0..<100 {
            if Int.random(in: 0..<30, using: &random) == 0 {
                document.bytes = document.bytes.map { $0 &+ 1 }
                document.tag = "\"v\(round + 2)\""
            }
            let before = file.offset
            let limit = Int.random(in: 0...20, using: &random)
            if let count = try file.attempt(document, dropAfter: limit, chunk: 7) {
                #expect(file.offset == count || file.offset == before + count)
            }
            if Bool.random(using: &random) {
                // Dropping the value has the effect of a killed process.
                let offset = file.offset
                file = try reopened(consume file, at: path)
                #expect(file.offset == offset)
            }
        }
        while try file.attempt(document) == nil {}
        try file.finish()
        #expect(try DiskFile.read(path) == document.bytes)
    }

    private func reopened(_ file: consuming PartialFile, at path: String) throws -> PartialFile {
        _ = consume file
        return try PartialFile(destination: path, source: source())
    }
}
