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
    /// The size of the largest body whose text is kept; see `ReplyRecord.text`.
    public let bodyLimit: Int
    private let state: Lock<BoundedQueue<HAREntry>>

    /// Makes a recorder without entries.
    ///
    /// - Parameters:
    ///   - entries: The maximum number of exchanges that are kept; 1,000 by default.
    ///   - bytes: The approximate maximum number of bytes of text of all exchanges; 16 MiB by
    ///     default.
    ///   - bodyLimit: The size of the largest body whose text is kept; 64 KiB by default.
    public init(entries: Int = 1000, bytes: Int = 16_777_216, bodyLimit: Int = 65_536) {
        self.bodyLimit = max(0, bodyLimit)
        state = Lock(BoundedQueue(count: entries, bytes: bytes))
    }

    /// The number of exchanges that are kept.
    public var count: Int { state.withLock { $0.count } }

    /// The number of exchanges that were dropped as the oldest ones when a limit was reached.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Records the exchange that an event reports.
    public func handle(_ event: APIEvent) {
        guard let entry = HAREntry(event) else { return }
        state.withLock { _ = $0.append(entry, size: entry.size) }
    }

    /// Removes all exchanges.
    public func clear() {
        state.withLock { $0.clear() }
    }

    /// Returns the archive: one JSON document in UTF-8.
    public func data() -> [UInt8] {
        let (entries, dropped) = state.withLock { ($0.elements, $0.dropped) }
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
    init?(_ event: APIEvent) {
        switch event.kind {
        case .received(let exchange), .disconnected(let exchange):
            self.init(
                exchange, api: event.api, method: event.method,
                operation: event.operation.map { "\($0)" }, attempt: event.attempt)
        default: return nil
        }
    }
}
