import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Replies in files that only their owner can read: one folder per owner of replies, one file per
/// reply. A file is replaced atomically; a damaged one is removed. An actor, because file
/// operations block.
actor DiskCache {
    /// Files of an interrupted write that are this many seconds old belong to no running process.
    private static let oldestWrite = 3_600.0

    private let folder: String
    private var index: CacheIndex
    private var isLoaded = false
    /// The last problem of the folder or a file; nil for none.
    private(set) var problem: String?

    init(folder: String, limit: Int) {
        self.folder = folder
        index = CacheIndex(limit: limit)
    }

    func reply(for key: CacheKey) -> CachedReply? {
        load()
        // Another process may have written it.
        guard let bytes = bytes(of: key) else { return forget(key) }
        guard let reply = CachedReply(file: bytes, for: key) else {
            remove(key)
            return nil
        }
        if index.contains(key) { index.use(key) } else { add(key, size: bytes.count) }
        // The order of use survives the process.
        utimes(path(of: key), nil)
        return reply
    }

    private func forget(_ key: CacheKey) -> CachedReply? {
        index.remove(key)
        return nil
    }

    func store(_ reply: CachedReply, for key: CacheKey) {
        load()
        let file = reply.file(for: key)
        guard file.count <= index.limit, makeFolder(folder), makeFolder(folder(of: key.owner))
        else { return remove(key) }
        do throws(DiskFile.Problem) {
            try DiskFile.replace(path(of: key), with: file)
            problem = nil
            add(key, size: file.count)
        } catch {
            note(error)
            // The old reply may be there still.
            remove(key)
        }
    }

    func remove(where isGone: @Sendable (CacheKey) -> Bool) {
        load()
        for key in index.keys.filter(isGone) { remove(key) }
    }

    /// Removes all replies, also those that other processes have stored.
    func removeAll() {
        for owner in names(in: folder) where owner.utf8.count == 32 { remove(owner: owner) }
    }

    /// Removes all replies of an owner, also those that other processes have stored.
    func remove(owner: String) {
        load()
        for name in names(in: folder(of: owner)) {
            if let key = CacheKey(owner: owner, fileName: name) { remove(key) }
        }
        // Fails if the folder has other files, which stay.
        rmdir(folder(of: owner))
    }

    private func add(_ key: CacheKey, size: Int) {
        for old in index.add(key, size: size) { remove(old) }
    }

    func remove(_ key: CacheKey) {
        index.remove(key)
        do throws(DiskFile.Problem) { try DiskFile.remove(path(of: key)) } catch { note(error) }
    }

    private func note(_ error: DiskFile.Problem) {
        // Without its folder, a file is missing too.
        if !error.isMissing, error.code != ENOTDIR { problem = "\(folder): \(error.text)" }
    }

    // MARK: Files

    private func folder(of owner: String) -> String { "\(folder)/\(owner)" }

    private func path(of key: CacheKey) -> String { "\(folder(of: key.owner))/\(key.fileName)" }

    /// Reads a file; nil if there is none that this user alone can write.
    private func bytes(of key: CacheKey) -> [UInt8]? {
        do throws(DiskFile.Problem) {
            // Without O_NONBLOCK, opening a named pipe would block.
            let file = try OpenFile(path(of: key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let facts = try file.facts()
            guard facts.st_mode & S_IFMT == S_IFREG, facts.isPrivate else { return nil }
            return try file.bytes(upTo: index.limit)
        } catch {
            note(error)
            return nil
        }
    }

    /// Makes a folder that only this user can access.
    ///
    /// - Returns: Whether there is one. A folder of another user is not used.
    private func makeFolder(_ path: String) -> Bool {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            note(DiskFile.Problem(code: errno))
            return false
        }
        var facts = stat()
        let isFolder = lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
        if isFolder, facts.isPrivate { return true }
        let why = isFolder ? "other users can access it; run `chmod 700` on it" : "it is no folder"
        problem = "\(path): \(why)"
        return false
    }

    /// Reads the sizes and the order of the stored replies, and removes what a crash has left.
    private func load() {
        guard !isLoaded else { return }
        isLoaded = true
        var found: [(key: CacheKey, facts: stat)] = []
        for owner in names(in: folder) where owner.utf8.count == 32 {
            for name in names(in: folder(of: owner)) {
                var facts = stat()
                let path = "\(folder(of: owner))/\(name)"
                guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
                if let key = CacheKey(owner: owner, fileName: name) {
                    found.append((key, facts))
                } else if name.hasPrefix("."), name.hasSuffix(".tmp"),
                    Date().timeIntervalSince1970 - facts.modified > Self.oldestWrite
                {
                    unlink(path)
                }
            }
        }
        for (key, facts) in found.sorted(by: { $0.facts.modified < $1.facts.modified }) {
            add(key, size: Int(facts.st_size))
        }
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

extension stat {
    /// Whether it belongs to this user and no other may access it.
    fileprivate var isPrivate: Bool { st_uid == geteuid() && st_mode & 0o077 == 0 }

    /// When it was changed, in seconds since 1970.
    fileprivate var modified: Double {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
