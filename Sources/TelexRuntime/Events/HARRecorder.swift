import Synchronization

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

/// Collects exchanges for tools that show them, such as the network view of a browser: as a HAR, an
/// HTTP archive of version 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
///
/// ```swift
/// let recorder = HARRecorder()
/// let vk = APIManager<VK>(transport: .urlSession, listeners: [recorder])
/// …
/// try recorder.write(to: "session.har")
/// ```
///
/// Secrets are taken out before it sees anything. It keeps the newest exchanges, as many as the
/// limits allow, and counts those that it dropped.
public final class HARRecorder: APIEventListener {
    private struct State {
        /// Nil in place of one that was dropped.
        private var entries: [HAREntry?] = []
        /// The first entry that is kept; the places before it are cleared away now and then.
        private var first = 0
        private var bytes = 0
        private(set) var dropped = 0

        var count: Int { entries.count - first }
        var kept: [HAREntry] { entries.compactMap { $0 } }

        mutating func keep(_ entry: HAREntry) {
            entries.append(entry)
            bytes += entry.size
        }

        /// Drops the oldest ones until no more than these are left, but at least one.
        mutating func shrink(to entryLimit: Int, _ byteLimit: Int) {
            while count > 1, count > entryLimit || bytes > byteLimit { dropFirst() }
            // Now and then only, so that dropping costs the same however many are kept.
            guard first > entries.count / 2 else { return }
            entries.removeFirst(first)
            first = 0
        }

        private mutating func dropFirst() {
            bytes -= entries[first]?.size ?? 0
            entries[first] = nil
            first += 1
            dropped += 1
        }
    }

    /// How many bytes of each body are kept; see ``ReplyRecord/text``.
    public let bodyLimit: Int
    private let entryLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    /// Makes a recorder without entries.
    ///
    /// - Parameters:
    ///   - entries: How many exchanges are kept; 1,000 by default.
    ///   - bytes: How many bytes of text they may have in all, about; 16 MiB by default.
    ///   - bodyLimit: How many bytes of each body are kept; 64 KiB by default.
    public init(entries: Int = 1000, bytes: Int = 16_777_216, bodyLimit: Int = 65_536) {
        entryLimit = max(1, entries)
        byteLimit = max(0, bytes)
        self.bodyLimit = max(0, bodyLimit)
    }

    /// How many exchanges are kept.
    public var count: Int { state.withLock { $0.count } }

    /// How many exchanges were dropped, because they were the oldest and the limits were reached.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Keeps the exchange that an event tells of.
    public func handle(_ event: APIEvent) {
        guard let entry = HAREntry(event) else { return }
        state.withLock { state in
            state.keep(entry)
            state.shrink(to: entryLimit, byteLimit)
        }
    }

    /// Forgets all exchanges.
    public func clear() {
        state.withLock { $0 = State() }
    }

    /// The archive: one JSON document in UTF-8.
    public func data() -> [UInt8] {
        let (entries, dropped) = state.withLock { ($0.kept, $0.dropped) }
        return HAREntry.archive(
            entries.sorted { $0.exchange.start < $1.exchange.start }, dropped: dropped)
    }

    /// Writes the archive to a file, which is whole or not there. Only its owner can read it: what is no
    /// secret may still be private.
    ///
    /// - Parameter path: Where the file will be. A file there is replaced, and so is a symbolic link to
    ///   one: what it leads to stays. A device, a pipe or a folder is left alone, and a link to one as well,
    ///   such as `/dev/stdout`.
    /// - Throws: A `CocoaError` if it cannot be written. Its code says why as Foundation does:
    ///   `fileNoSuchFile` if there is no such folder, `fileWriteInvalidFileName` if no file can be there,
    ///   `fileWriteNoPermission`, `fileWriteOutOfSpace`, `fileWriteVolumeReadOnly`, or
    ///   `fileWriteUnknown`.
    public func write(to path: String) throws {
        do throws(DiskFile.Problem) {
            try DiskFile.checkPlace(path)
            try DiskFile.replace(path, with: data())
        } catch {
            throw CocoaError(
                error.codeOfWriting,
                userInfo: [
                    "NSFilePath": path, "NSLocalizedFailureReason": error.textOfMaking(path),
                ])
        }
    }
}

extension DiskFile.Problem {
    /// What Foundation calls it.
    fileprivate var codeOfWriting: CocoaError.Code {
        switch code {
        case _ where flaw != nil: .fileWriteInvalidFileName
        case ENOENT: .fileNoSuchFile
        case EACCES, EPERM: .fileWriteNoPermission
        case EROFS: .fileWriteVolumeReadOnly
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case ENAMETOOLONG, ENOTDIR: .fileWriteInvalidFileName
        default: .fileWriteUnknown
        }
    }
}
