import Foundation
import HTTPTypes
import TelexRuntime
import Testing

@testable import TelexURLSession

@Suite("What background sessions keep")
struct BackgroundStoreTests {
    private static func withStore(
        age: Duration = .seconds(60), bytes: Int = 1000,
        _ body: (URL, ReplyStore) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder, ReplyStore(folder, age: age, bytes: bytes))
    }

    /// Keeps a reply with so many bytes, for whoever wants it.
    private static func keep(
        _ count: Int, in store: ReplyStore, _ fingerprint: Character, at date: Date? = nil,
        _ folder: URL
    ) throws {
        let file = try store.newFile()
        try ReplyStore.write(Data(repeating: 1, count: count), to: file)
        let name = TransferName(fingerprint: String(repeating: fingerprint, count: 64))
        let reply = StoredReply(head: HTTPResponse(status: .ok), file: file, size: count)
        _ = try store.keep(reply, as: name)
        store.release(name)
        guard let date else { return }
        try FileManager.default.setAttributes(
            [.modificationDate: date], ofItemAtPath: folder.appendingPathComponent(name.text).path)
    }

    private static func take(_ fingerprint: Character, from store: ReplyStore) -> Int? {
        store.take(String(repeating: fingerprint, count: 64))?.size
    }

    @Test("is gone when nobody has wanted it for long enough")
    func age() throws {
        try Self.withStore { folder, store in
            let now = Date()
            try Self.keep(1, in: store, "a", at: now.addingTimeInterval(-61), folder)
            try Self.keep(2, in: store, "b", at: now.addingTimeInterval(-59), folder)
            store.prune(now: now)
            #expect(Self.take("a", from: store) == nil)
            #expect(Self.take("b", from: store) == 2)
        }
    }

    @Test("has a bound, and the oldest goes first")
    func bound() throws {
        try Self.withStore(age: .seconds(3600), bytes: 10) { folder, store in
            for (age, name) in zip([30.0, 20, 10], "abc" as String) {
                try Self.keep(4, in: store, name, at: Date(timeIntervalSinceNow: -age), folder)
            }
            #expect(Self.take("a", from: store) == nil)
            #expect(Self.take("b", from: store) == 4)
            #expect(Self.take("c", from: store) == 4)
        }
    }

    @Test("stays while somebody reads it, however old it is")
    func taken() throws {
        try Self.withStore { folder, store in
            try Self.keep(3, in: store, "a", folder)
            let reply = try #require(store.take(String(repeating: "a", count: 64)))
            store.prune(now: Date(timeIntervalSinceNow: 1e6))
            let file = try #require(reply.file)
            #expect(FileManager.default.fileExists(atPath: file.path))
            reply.remove()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("is not what somebody else has written there")
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

    @Test("has names that only tasks of ours have")
    func names() {
        let name = TransferName(fingerprint: String(repeating: "0a", count: 32))
        #expect(TransferName(name.text) == name)
        let others = [
            nil, "", "x", "a.b", name.fingerprint, "\(name.text).body", name.text.uppercased(),
        ]
        for text in others { #expect(TransferName(text) == nil) }
    }

    @Test(
        "belongs to a session that is known by its identifier",
        arguments: [
            TransportSession("transfers", isBackground: true), TransportSession(isBackground: true),
            TransportSession("a.4.b", connectionsPerHost: 4, isBackground: true),
            TransportSession("4.", isBackground: true),
            TransportSession("../b", isBackground: true),
        ])
    func identifiers(_ session: TransportSession) {
        let settings = BackgroundTransfers(identifier: "com.example.app")
        #expect(settings.session(identifiedBy: settings.identifier(of: session)) == session)
        let folder = settings.folder(of: session)
        #expect(folder.deletingLastPathComponent().path == settings.folder.path)
    }

    @Test(
        "does not belong to sessions of others",
        arguments: [
            "", "com.example.app", "com.example.app.", "com.example.app.transfers",
            "com.example.app.-1.a", "com.example.app.+1.a", "com.example.app.00.a", "org.other.0.a",
        ])
    func foreign(_ identifier: String) {
        #expect(
            BackgroundTransfers(identifier: "com.example.app").session(identifiedBy: identifier)
                == nil)
    }
}

@Suite("Replies that the system put together")
struct PutTogetherTests {
    private func mended(
        _ range: String?, _ size: Int, from first: Int?, status: Int = 206
    ) -> (Int, String?) {
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.contentRange] = range
        let reply = StoredReply(head: head, length: nil, size: size).asAsked(from: first)
        return (reply.head.status.code, reply.head.headerFields[.contentRange])
    }

    @Test("are whole if all was asked for and all is there")
    func whole() {
        #expect(mended("bytes 60-99/100", 100, from: nil) == (200, nil))
    }

    @Test("are the part that was asked for if all of that is there")
    func part() {
        #expect(mended("bytes 60-99/100", 90, from: 10) == (206, "bytes 10-99/100"))
    }

    @Test(
        "are left alone where the numbers prove nothing",
        arguments: [
            ("bytes 60-99/100", 40, 60), ("bytes 60-99/100", 99, nil), ("bytes 60-99/100", 40, nil),
            ("bytes 60-98/100", 100, nil), ("bytes 60-99/*", 100, nil), ("bytes */100", 100, nil),
            ("bytes 60-99/100", 80, 10), (nil, 100, nil),
            ("bytes 99999999999999999999-1/2", 2, nil),
        ] as [(String?, Int, Int?)])
    func unproven(_ range: String?, _ size: Int, _ first: Int?) {
        #expect(mended(range, size, from: first) == (206, range))
    }

    @Test("are not made of other replies")
    func others() {
        #expect(mended("bytes 60-99/100", 100, from: nil, status: 200) == (200, "bytes 60-99/100"))
    }
}
