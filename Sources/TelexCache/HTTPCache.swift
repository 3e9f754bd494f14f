import TelexJSON

/// Keeps replies, so that calls whose method allows it need not ask the server again (RFC 9111).
///
/// A method allows it with `cache` in the spec. Give one cache to a manager; several managers may
/// share it. The replies of a login are used only for calls of that login.
public final class HTTPCache: Sendable {
    /// A size in bytes.
    public struct Size: Sendable, Hashable {
        /// The number of bytes.
        public let bytes: Int

        /// A number of bytes. A negative one counts as zero.
        public static func bytes(_ count: Int) -> Size { Size(bytes: max(count, 0)) }

        /// A number of megabytes: 1,048,576 bytes each.
        public static func megabytes(_ count: Int) -> Size {
            let (bytes, isHuge) = count.multipliedReportingOverflow(by: 1_048_576)
            return .bytes(isHuge ? .max : bytes)
        }
    }

    /// A folder for replies that survive the process.
    public struct Disk: Sendable, Hashable {
        /// The path of the folder. It is made if its own folder exists. Only this user may have
        /// access to it; otherwise nothing is stored.
        public var folder: String
        /// The largest total size of its files.
        public var limit: Size

        /// A folder, which may grow to 50 megabytes by default.
        public static func folder(_ path: String, limit: Size = .megabytes(50)) -> Disk {
            Disk(folder: path, limit: limit)
        }
    }

    private let memory: MemoryCache
    private let disk: DiskCache?
    /// The owners that have logged out. A reply that arrives afterwards is not stored.
    private let gone = Lock<Set<String>>([])

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - memory: The largest total size of the replies in memory.
    ///   - disk: Where the replies of methods with `store: disk` are kept; nil to keep them in memory
    ///     only.
    public init(memory: Size = .megabytes(10), disk: Disk? = nil) {
        self.memory = MemoryCache(limit: memory.bytes)
        self.disk = disk.map { DiskCache(folder: $0.folder, limit: $0.limit.bytes) }
    }

    /// Why replies cannot be stored on disk; nil if there was no problem at the last attempt. A
    /// problem makes no call fail.
    public var diskProblem: String? {
        get async { await disk?.problem }
    }

    /// Removes all replies.
    public func removeAll() async {
        memory.remove { _ in true }
        await disk?.removeAll()
    }

    package func reply(for key: CacheKey, onDisk: Bool) async -> CachedReply? {
        if let reply = memory.reply(for: key) { return reply }
        guard onDisk, let reply = await disk?.reply(for: key) else { return nil }
        memory.store(reply, for: key)
        return reply
    }

    package func store(_ reply: CachedReply, for key: CacheKey, onDisk: Bool) async {
        guard !gone.withLock({ $0.contains(key.owner) }) else { return }
        memory.store(reply, for: key)
        // An older reply must not stay on disk.
        if onDisk { await disk?.store(reply, for: key) } else { await disk?.remove(key) }
        // The owner may have logged out meanwhile.
        if gone.withLock({ $0.contains(key.owner) }) { await remove(owner: key.owner) }
    }

    /// Removes one reply.
    package func remove(_ key: CacheKey) async {
        memory.remove { $0 == key }
        await disk?.remove(key)
    }

    /// Removes all that is stored for an address, with any query and for any owner, because a
    /// request has changed it (RFC 9111, section 4.4).
    ///
    /// - Parameter address: The address without its query.
    package func invalidate(address: String) async {
        let name = CacheKey.addressName(of: address)
        memory.remove { $0.address == name }
        await disk?.remove { $0.address == name }
    }

    /// Removes the replies of a login for good.
    package func remove(owner: String) async {
        gone.withLock { _ = $0.insert(owner) }
        memory.remove { $0.owner == owner }
        await disk?.remove(owner: owner)
    }
}
