import Foundation
import HTTPTypes
import Testing

@testable import TelexCache

/// A folder that is removed at the end of a test.
final class TestFolder: Sendable {
    let path = NSTemporaryDirectory() + "telex-cache-\(UUID().uuidString)"

    /// The files of stored replies.
    var files: [String] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return (names ?? []).filter { $0.contains("/") }.map { "\(path)/\($0)" }.sorted()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

private func key(_ address: String, owner: String? = nil, _ request: String = "GET") -> CacheKey {
    CacheKey(owner: CacheKey.ownerName(of: owner), address: address, request: request)
}

private func stored(_ count: Int, tag: String = "1") -> CachedReply {
    CachedReply(
        status: 200, fields: [.eTag: "\"\(tag)\""], body: [UInt8](repeating: 65, count: count),
        requested: noon, received: noon, validatesAlways: false)
}

@Suite("The memory of a cache")
struct MemoryCacheTests {
    @Test("the memory of a cache removes what was not used for the longest time")
    func bound() {
        let cache = MemoryCache(limit: 10_000)
        for number in 1...3 { cache.store(stored(2_500), for: key("\(number)")) }
        #expect(cache.reply(for: key("1")) != nil)
        cache.store(stored(2_500), for: key("4"))
        #expect(cache.reply(for: key("2")) == nil)
        #expect(cache.reply(for: key("1")) != nil)
        #expect(cache.reply(for: key("4")) != nil)
    }

    @Test("the memory of a cache stores no reply larger than the cache, and drops its predecessor")
    func tooLarge() {
        let cache = MemoryCache(limit: 5_000)
        cache.store(stored(10), for: key("1"))
        cache.store(stored(6_000), for: key("1"))
        #expect(cache.reply(for: key("1")) == nil)
        cache.store(stored(4_000), for: key("2"))
        #expect(cache.reply(for: key("2")) != nil)
    }

    @Test("the memory of a cache stays within its size, whatever is stored")
    func churn() {
        var index = CacheIndex(limit: 1_000)
        var kept: [CacheKey: Int] = [:]
        for number in 0..<2_000 {
            let (key, size) = (key("\(number * 7 % 90)"), number * 13 % 200)
            kept[key] = size
            for old in index.add(key, size: size) { kept[old] = nil }
            #expect(index.size <= 1_000)
            #expect(index.size == kept.values.reduce(0, +))
        }
        #expect(Set(index.keys) == Set(kept.keys))
    }
}

@Suite("The disk of a cache")
struct DiskCacheTests {
    private let folder = TestFolder()

    private func disk(limit: Int = 1_000_000) -> DiskCache {
        DiskCache(folder: folder.path, limit: limit)
    }

    @Test("the disk of a cache returns the same reply in the next process")
    func survives() async throws {
        let reply = CachedReply(
            status: 404, fields: [.eTag: #""é""#, .vary: "a", .vary: "b"], body: [0, 255, 10],
            requested: noon - 0.5, received: noon, validatesAlways: true)
        await disk().store(reply, for: key("a"))
        #expect(await disk().reply(for: key("a")) == reply)
        #expect(await disk().reply(for: key("b")) == nil)
    }

    @Test("the disk of a cache lets only its owner read, and shows no part of a request")
    func isPrivate() async throws {
        await disk().store(stored(10), for: key("https://a.example/secret", owner: "anna"))
        let manager = FileManager.default
        let file = try #require(folder.files.first)
        #expect(!file.contains("secret") && !file.contains("anna"))
        for (path, mode) in [(file, 0o600), (folder.path, 0o700)] {
            let mode = mode as Int
            #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        }
    }

    @Test("a cache's disk removes a damaged file: a miss, whichever byte changes or is missing")
    func damage() async throws {
        await disk().store(stored(40), for: key("a"))
        let file = try #require(folder.files.first)
        let whole = Array(try Data(contentsOf: URL(filePath: file)))
        var damaged = whole.indices.map { index in
            var bytes = whole
            bytes[index] ^= 0x80
            return bytes
        }
        damaged += whole.indices.map { Array(whole[..<$0]) }
        damaged.append(whole + [0])
        for bytes in damaged { #expect(CachedReply(file: bytes, for: key("a")) == nil) }
        #expect(CachedReply(file: whole, for: key("b")) == nil)
        #expect(CachedReply(file: whole, for: key("a")) != nil)
        try Data(whole.dropLast()).write(to: URL(filePath: file))
        #expect(chmod(file, 0o600) == 0)
        #expect(await disk().reply(for: key("a")) == nil)
        #expect(folder.files.isEmpty)
    }

    @Test("a cache's disk trusts no file that others can write, no link, and no folder as a file")
    func distrust() async throws {
        await disk().store(stored(40), for: key("a"))
        let file = try #require(folder.files.first)
        #expect(chmod(file, 0o666) == 0)
        #expect(await disk().reply(for: key("a")) == nil)
        #expect(chmod(file, 0o600) == 0)
        #expect(rename(file, folder.path + "/moved") == 0)
        #expect(symlink(folder.path + "/moved", file) == 0)
        #expect(await disk().reply(for: key("a")) == nil)
        #expect(unlink(file) == 0)
        #expect(mkdir(file, 0o700) == 0)
        let disk = disk()
        #expect(await disk.reply(for: key("a")) == nil)
        await disk.store(stored(40), for: key("a"))
        #expect(await disk.problem != nil)
        #expect(await disk.reply(for: key("a")) == nil)
    }

    @Test("the disk of a cache stores nothing in a folder that others can access, and says why")
    func openFolder() async throws {
        #expect(mkdir(folder.path, 0o755) == 0)
        #expect(chmod(folder.path, 0o755) == 0)
        let disk = disk()
        await disk.store(stored(40), for: key("a"))
        #expect(folder.files.isEmpty)
        #expect(await disk.problem?.contains("chmod 700") == true)
    }

    @Test("the disk of a cache stores nothing in place of a file, and says why")
    func noFolder() async throws {
        try Data().write(to: URL(filePath: folder.path))
        let cache = HTTPCache(memory: .bytes(0), disk: .folder(folder.path))
        await cache.store(stored(40), for: key("a"), onDisk: true)
        #expect(await cache.reply(for: key("a"), onDisk: true) == nil)
        #expect(await cache.diskProblem?.contains("it is no folder") == true)
    }

    @Test("a cache's disk stays within its size over several processes, and removes the oldest")
    func bound() async throws {
        for number in 0..<20 {
            await disk(limit: 5_000).store(stored(900), for: key("\(number)"))
            // The order of use has the resolution of the file system.
            let file =
                folder.path + "/" + CacheKey.ownerName(of: nil) + "/" + key("\(number)").fileName
            let date = Date(timeIntervalSince1970: 1_000_000 + Double(number))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        }
        let size = try folder.files.reduce(0) {
            try $0 + Data(contentsOf: URL(filePath: $1)).count
        }
        #expect(size <= 5_000)
        #expect(await disk(limit: 5_000).reply(for: key("19")) != nil)
        #expect(await disk(limit: 5_000).reply(for: key("0")) == nil)
    }

    @Test("the disk of a cache removes what a crash has left, but no file of another program")
    func leftovers() async throws {
        await disk().store(stored(40), for: key("a"))
        let parent = try #require(folder.files.first).split(separator: "/").dropLast()
        let inner = "/" + parent.joined(separator: "/")
        for name in [".1.2.tmp", "photo.jpg"] {
            try Data([1]).write(to: URL(filePath: "\(inner)/\(name)"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)],
                ofItemAtPath: "\(inner)/\(name)")
        }
        let disk = disk()
        #expect(await disk.reply(for: key("a")) != nil)
        #expect(folder.files.count == 2)
        await disk.remove(owner: CacheKey.ownerName(of: nil))
        #expect(folder.files == ["\(inner)/photo.jpg"])
    }
}

@Suite("A cache")
struct HTTPCacheTests {
    private let folder = TestFolder()

    private func cache() -> HTTPCache { HTTPCache(disk: .folder(folder.path)) }

    @Test("a cache keeps the replies of logins apart, and removes those of one for good")
    func owners() async {
        let cache = cache()
        for owner in ["anna", "ben"] {
            await cache.store(stored(10, tag: owner), for: key("a", owner: owner), onDisk: true)
        }
        await cache.remove(owner: CacheKey.ownerName(of: "anna"))
        await cache.store(stored(10), for: key("a", owner: "anna"), onDisk: true)
        for cache in [cache, self.cache()] {
            #expect(await cache.reply(for: key("a", owner: "anna"), onDisk: true) == nil)
            #expect(await cache.reply(for: key("a", owner: "ben"), onDisk: true) != nil)
        }
        #expect(folder.files.count == 1)
    }

    @Test("a cache removes all variants of a changed document, and no other")
    func invalidation() async {
        let cache = cache()
        for (address, request) in [("a", "GET"), ("a", "HEAD"), ("b", "GET")] {
            await cache.store(stored(10), for: key(address, request), onDisk: true)
        }
        await cache.invalidate(address: "a")
        #expect(await cache.reply(for: key("a", "GET"), onDisk: true) == nil)
        #expect(await cache.reply(for: key("a", "HEAD"), onDisk: true) == nil)
        #expect(await cache.reply(for: key("b", "GET"), onDisk: true) != nil)
        await cache.removeAll()
        #expect(folder.files.isEmpty)
    }

    @Test("a cache leaves no older reply on disk if the newer one must not be there")
    func memoryOnly() async {
        let cache = cache()
        await cache.store(stored(10), for: key("a"), onDisk: true)
        await cache.store(stored(20), for: key("a"), onDisk: false)
        #expect(await cache.reply(for: key("a"), onDisk: true)?.body.count == 20)
        #expect(folder.files.isEmpty)
    }

    @Test("a cache takes any size")
    func sizes() {
        #expect(HTTPCache.Size.megabytes(2).bytes == 2_097_152)
        #expect(HTTPCache.Size.megabytes(.max).bytes == .max)
        #expect(HTTPCache.Size.bytes(-1).bytes == 0)
        #expect(HTTPCache.Size.megabytes(-1).bytes == 0)
    }
}
