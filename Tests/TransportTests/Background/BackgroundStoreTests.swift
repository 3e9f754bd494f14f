import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("The store of background replies")
struct BackgroundStoreTests {
    private static func withStore(
        age: Duration = .noTimeout, bytes: Int = 1000,
        _ body: (URL, ReplyStore) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder, ReplyStore(folder, age: age, bytes: bytes))
    }

    /// Stores a reply with `count` bytes that any call of another process may take.
    private static func keep(
        _ count: Int, in store: ReplyStore, _ fingerprint: Character, at date: Date? = nil,
        _ folder: URL
    ) throws {
        let file = try store.newFile()
        try ReplyStore.write(Data(repeating: 1, count: count), to: file)
        let name = TransferName(
            fingerprint: String(repeating: fingerprint, count: 64), launch: UUID())
        let reply = StoredReply(head: HTTPResponse(status: .ok), file: file, size: count)
        _ = try store.keep(reply, as: name)
        store.release(name)
        guard let date else { return }
        try FileManager.default.setAttributes(
            [.modificationDate: date], ofItemAtPath: folder.appendingPathComponent(name.text).path)
    }

    private static func take(_ fingerprint: Character, from store: ReplyStore) -> Int? {
        store.take(String(repeating: fingerprint, count: 64), in: UUID())?.size
    }

    @Test("the store of background replies removes replies after their age limit")
    func age() throws {
        try Self.withStore { folder, store in
            let now = Date()
            // Taking prunes by the real time, so that the younger reply needs time left.
            let limit = store.age / .seconds(1)
            try Self.keep(1, in: store, "a", at: now.addingTimeInterval(-limit - 1), folder)
            try Self.keep(2, in: store, "b", at: now.addingTimeInterval(-limit + 3_600), folder)
            store.prune(now: now)
            #expect(Self.take("a", from: store) == nil)
            #expect(Self.take("b", from: store) == 2)
        }
    }

    @Test("the store of background replies has a size limit, and removes the oldest first")
    func bound() throws {
        try Self.withStore(bytes: 10) { folder, store in
            for (age, name) in zip([30.0, 20, 10], "abc" as String) {
                try Self.keep(4, in: store, name, at: Date(timeIntervalSinceNow: -age), folder)
            }
            #expect(Self.take("a", from: store) == nil)
            #expect(Self.take("b", from: store) == 4)
            #expect(Self.take("c", from: store) == 4)
        }
    }

    @Test("the store of background replies keeps a reply that is being read, however old it is")
    func taken() throws {
        try Self.withStore { folder, store in
            try Self.keep(3, in: store, "a", folder)
            let reply = try #require(
                store.take(String(repeating: "a", count: 64), in: UUID()))
            store.prune(now: Date(timeIntervalSinceNow: 1e6))
            let file = try #require(reply.file)
            #expect(FileManager.default.fileExists(atPath: file.path))
            reply.remove()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("the store of background replies keeps a reply that is taken during pruning")
    func takenMeanwhile() throws {
        try Self.withStore { folder, store in
            try Self.keep(3, in: store, "a", folder)
            let old = store.itemsToPrune(now: Date(timeIntervalSinceNow: 1e6))
            #expect(old.count == 1)
            let reply = try #require(
                store.take(String(repeating: "a", count: 64), in: UUID()))
            store.removeUnclaimed(old)
            let file = try #require(reply.file)
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("the store of background replies restricts its folder to the owner")
    func closed() throws {
        try Self.withStore { folder, store in
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
            try Self.keep(1, in: store, "a", folder)
            let facts = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
    }

    @Test("the store of background replies ignores and removes malformed replies")
    func garbage() throws {
        try Self.withStore { folder, store in
            try Self.keep(3, in: store, "a", folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let place = folder.appendingPathComponent(try #require(names.first))
            let heads = [
                "", "{}", #"{"status":1,"fields":[]}"#, #"{"status":200,"fields":[["a b","c"]]}"#,
                #"{"status":200,"fields":[["a"]]}"#,
            ]
            for head in heads {
                try FileManager.default.createDirectory(
                    at: place, withIntermediateDirectories: true)
                try Data(head.utf8).write(to: place.appendingPathComponent("head.json"))
                #expect(Self.take("a", from: store) == nil)
                #expect(!FileManager.default.fileExists(atPath: place.path))
            }
        }
    }

    @Test("the store of background replies accepts only its own task names")
    func names() {
        let name = TransferName(fingerprint: String(repeating: "0a", count: 32), launch: UUID())
        #expect(TransferName(name.text) == name)
        let others = [
            nil, "", "x", "a.b", name.fingerprint, "\(name.text).body", name.text.uppercased(),
            "\(name.text)\0/../../x", "\(name.text)/../../x", "\(name.text)x", " \(name.text)",
            "\(name.fingerprint).\(name.launch)\0.\(UUID())",
            "\(name.fingerprint).\(name.launch).\(UUID().uuidString.lowercased())",
        ]
        for text in others { #expect(TransferName(text) == nil) }
    }
}
