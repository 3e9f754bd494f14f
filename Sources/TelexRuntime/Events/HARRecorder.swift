import TelexInspection
import TelexJSON
import TelexRequests
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

/// Records exchanges for tools that display them, such as the network view of a browser. The format
/// is HAR, an HTTP archive of version 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
///
/// ```swift
/// let recorder = HARRecorder()
/// let vk = APIManager<VK>(transport: .urlSession) { $0.listeners = [recorder] }
/// …
/// try recorder.write(to: "session.har")
/// ```
///
/// The recorder receives no secrets. It keeps the newest exchanges within its limits, and counts
/// those that it drops.
public final class HARRecorder: APIEventListener {
    private struct State {
        /// The entries; `nil` in place of a dropped one.
        private var entries: [HAREntry?] = []
        /// The index of the first kept entry; the places before it are removed in batches.
        private var first = 0
        private var bytes = 0
        private(set) var dropped = 0

        var count: Int { entries.count - first }
        var kept: [HAREntry] { entries.compactMap { $0 } }

        mutating func keep(_ entry: HAREntry) {
            entries.append(entry)
            bytes += entry.size
        }

        /// Drops the oldest entries until both limits are met or one entry is left.
        mutating func shrink(to entryLimit: Int, _ byteLimit: Int) {
            while count > 1, count > entryLimit || bytes > byteLimit { dropFirst() }
            // Removing in batches makes the cost of a drop independent of the number of entries.
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

    /// The size of the largest body whose text is kept; see `ReplyRecord.text`.
    public let bodyLimit: Int
    private let entryLimit: Int
    private let byteLimit: Int
    private let state = Lock(State())

    /// Makes a recorder without entries.
    ///
    /// - Parameters:
    ///   - entries: The maximum number of exchanges that are kept; 1,000 by default.
    ///   - bytes: The approximate maximum number of bytes of text of all exchanges; 16 MiB by
    ///     default.
    ///   - bodyLimit: The size of the largest body whose text is kept; 64 KiB by default.
    public init(entries: Int = 1000, bytes: Int = 16_777_216, bodyLimit: Int = 65_536) {
        entryLimit = max(1, entries)
        byteLimit = max(0, bytes)
        self.bodyLimit = max(0, bodyLimit)
    }

    /// The number of exchanges that are kept.
    public var count: Int { state.withLock { $0.count } }

    /// The number of exchanges that were dropped as the oldest ones when a limit was reached.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Records the exchange that an event reports.
    public func handle(_ event: APIEvent) {
        guard let entry = HAREntry(event) else { return }
        state.withLock { state in
            state.keep(entry)
            state.shrink(to: entryLimit, byteLimit)
        }
    }

    /// Removes all exchanges.
    public func clear() {
        state.withLock { $0 = State() }
    }

    /// Returns the archive: one JSON document in UTF-8.
    public func data() -> [UInt8] {
        let (entries, dropped) = state.withLock { ($0.kept, $0.dropped) }
        return HAREntry.archive(
            entries.sorted { $0.exchange.start < $1.exchange.start }, dropped: dropped)
    }

    /// Writes the archive to a file atomically. Only the file's owner can read it, because data
    /// that is not secret may still be private.
    ///
    /// - Parameter path: The path of the file. An existing file or a symbolic link to a file is
    ///   replaced; the target of the link is kept. A device, a pipe, a folder or a link to one,
    ///   such as `/dev/stdout`, is not replaced.
    /// - Throws: A `CocoaError` if the file cannot be written, with Foundation's code for the
    ///   reason: `fileNoSuchFile` if the folder does not exist, `fileWriteInvalidFileName` if no
    ///   file can have this path, `fileWriteNoPermission`, `fileWriteOutOfSpace`,
    ///   `fileWriteVolumeReadOnly`, or `fileWriteUnknown`.
    public func write(to path: String) throws {
        do throws(DiskFile.Problem) {
            try DiskFile.checkDestination(path)
            try DiskFile.replace(path, with: data())
        } catch {
            throw CocoaError(
                error.codeOfWriting,
                userInfo: [
                    "NSFilePath": path, "NSLocalizedFailureReason": error.creationErrorText(path),
                ])
        }
    }
}

extension DiskFile.Problem {
    /// Foundation's code for the problem.
    fileprivate var codeOfWriting: CocoaError.Code {
        switch code {
        case _ where pathProblem != nil: .fileWriteInvalidFileName
        case ENOENT: .fileNoSuchFile
        case EACCES, EPERM: .fileWriteNoPermission
        case EROFS: .fileWriteVolumeReadOnly
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case ENAMETOOLONG, ENOTDIR: .fileWriteInvalidFileName
        default: .fileWriteUnknown
        }
    }
}

extension HAREntry {
    /// The exchange of an event that ends one; `nil` for other events.
    fileprivate init?(_ event: APIEvent) {
        switch event.kind {
        case .received(let exchange), .disconnected(let exchange):
            self.init(
                exchange, api: event.api, method: event.method,
                operation: event.operation.map { "\($0)" }, attempt: event.attempt)
        default: return nil
        }
    }
}
