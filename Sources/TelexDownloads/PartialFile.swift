import HTTPTypes
import TelexTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A download on disk that can be continued after a lost connection, a suspension or a killed
/// process.
///
/// The bytes are written to `<destination>.part`; `<destination>.part.json` is the journal, which
/// identifies the document and its version. When all bytes are present, the file is renamed to its
/// destination, so that readers see the old file or the whole new one.
///
/// Each attempt is one round of ``requestFields``, ``accept(_:at:)``, ``write(_:)`` and, when the
/// body has ended, ``finish()``. After a failed attempt, the same value is used for the next round.
/// If the value is dropped instead, the files stay on disk, as if the process had been killed.
///
/// The order of the steps on disk guarantees at every moment that the journal never describes bytes
/// of another version. Only the owner can access both files and the finished file, unless it
/// replaces a file: then it takes over the permissions of that file.
package struct PartialFile: ~Copyable, Sendable {
    package enum Phase: Sendable {
        /// No reply was accepted yet; the bytes on disk may be of another document.
        case opened
        /// No body is expected.
        case idle
        /// A body is arriving; `end` is the number of bytes after its last, if known.
        case receiving(end: Int?)
        /// All bytes are present, as the server confirmed.
        case complete
        /// The file is at its destination.
        case finished
    }

    /// The path of the finished file.
    package let destination: String
    package let source: String
    /// Whether ranges of the document can be requested.
    package let supportsRanges: Bool
    package let file: OpenFile
    var journal: PartialJournal?
    package var phase = Phase.opened
    /// The number of bytes of the document that are on disk.
    package var offset = 0

    /// The length of the document in bytes; nil until the server declares it.
    package var expected: Int? { journal?.length }

    /// Opens or creates the partial file of a destination. No folder is created.
    ///
    /// An earlier part is continued if it is of the same source and has a strong validator;
    /// otherwise, and if its size is not the one in the journal, it stays untouched until a reply
    /// has been accepted, and the download starts from the beginning.
    ///
    /// - Parameters:
    ///   - destination: The path of the finished file. A symbolic link there will be replaced.
    ///   - source: The document to download.
    /// - Throws: A `DownloadError` if no file can be created there, `busy` if another download to
    ///   the same destination is open, `untrustedPartial` if the item at the partial path is a
    ///   link, has a second name, belongs to another user, or has no journal, or `untrustedJournal`
    ///   if the item at the journal's path is not a journal.
    package init(destination: String, source: DownloadSource) throws(DownloadError) {
        try Self.check(destination)
        // Checked first, so that nothing is created next to an item that no download made.
        _ = try Self.journal(of: destination)
        let part = try Self.claim(destination)
        let size: Int
        do throws(DiskFile.Problem) { size = try part.size() } catch {
            throw DownloadError(destination, problem: error)
        }
        let found = try Self.journal(of: destination)
        guard size == 0 || found != nil else {
            throw DownloadError(
                destination, reason: .untrustedPartial("has no journal of a download beside it"))
        }
        file = part
        self.destination = destination
        self.source = PartialJournal.fingerprint(of: source)
        supportsRanges = source.supportsRanges
        guard size > 0, supportsRanges, let found, found.source == self.source,
            found.validators.strong != nil,
            found.validators.tag != nil || source.acceptsDateValidator,
            size <= found.length ?? .max, size == found.received ?? size
        else { return }
        journal = found
        offset = size
    }

    /// The value of `If-Range`; nil if the next attempt starts from the beginning.
    var validator: String? { offset > 0 ? journal?.validators.strong : nil }

    /// Whether a later attempt can continue from the bytes being received.
    package var canContinue: Bool { journal?.validators.strong != nil }

    /// The offset at which the next attempt starts.
    package var resumeOffset: Int { validator == nil ? 0 : offset }

    /// The fields of the next request: `Range` and `If-Range`, or none if it starts from the
    /// beginning. Ranges count the encoded bytes, so a request needs `Accept-Encoding: identity`
    /// too.
    package var requestFields: HTTPFields {
        guard let validator else { return [:] }
        return [.range: "bytes=\(offset)-", .ifRange: validator]
    }

    /// Writes bytes of the body of the accepted reply.
    ///
    /// - Throws: `tooLong` if the server declared fewer bytes; `partialChanged` if another process
    ///   truncated or extended the file, in which case all bytes are dropped because they are
    ///   unreliable; or a disk error such as `diskFull`, after which the bytes written so far
    ///   remain valid.
    package mutating func write(_ chunk: [UInt8]) throws(DownloadError) {
        guard case .receiving(let end) = phase else {
            throw DownloadError(destination, reason: .notReceiving)
        }
        if let end, chunk.count > end - offset {
            try empty()
            throw DownloadError(destination, reason: .tooLong(expected: end))
        }
        // If the size has changed, writing at `offset` would leave zeros in between or overwrite
        // foreign bytes.
        guard try disk({ () throws(DiskFile.Problem) in try file.size() }) == offset else {
            try empty()
            throw DownloadError(destination, reason: .partialChanged)
        }
        do throws(DiskFile.Problem) {
            try file.put(chunk, at: &offset)
        } catch {
            throw DownloadError(destination, problem: error, canContinue: validator != nil)
        }
    }
}

// MARK: Paths

extension PartialFile {
    package static func part(of destination: String) -> String { "\(destination).part" }
    static func journal(at destination: String) -> String { "\(destination).part.json" }

    /// Returns the journal of a destination; nil if there is none.
    ///
    /// - Throws: `untrustedJournal` if another item is at its path, or if the journal may not be
    ///   read; the error of the system if the cause is not the item itself.
    private static func journal(of destination: String) throws(DownloadError) -> PartialJournal? {
        // Follows no link, does not block on a pipe, and reads no more than the limit.
        let flags = O_NOFOLLOW | O_NONBLOCK
        do throws(DiskFile.Problem) {
            let bytes = try DiskFile.read(
                journal(at: destination), flags: flags, limit: PartialJournal.limit)
            guard let bytes else { return nil }
            if let journal = PartialJournal(stored: bytes) { return journal }
        } catch {
            guard isCausedByItem(journal(at: destination), error) else {
                throw DownloadError(destination, problem: error)
            }
        }
        throw DownloadError(destination, reason: .untrustedJournal)
    }

    /// Whether a read failed because of the item at the path, and not because of its folders or the
    /// disk.
    private static func isCausedByItem(_ path: String, _ problem: DiskFile.Problem)
        -> Bool
    {
        let signs = [ELOOP, EISDIR, ENXIO, EOPNOTSUPP, EFBIG, EACCES, EPERM]
        return signs.contains(problem.code) && DiskFile.kind(of: path) != nil
    }

    /// Checks that a file can be put at a path.
    package static func check(_ destination: String) throws(DownloadError) {
        guard !destination.isEmpty, !destination.utf8.contains(0) else {
            throw DownloadError(destination, reason: .invalidPath)
        }
        guard destination.utf8.last != UInt8(ascii: "/") else {
            throw DownloadError(destination, reason: .isFolder)
        }
        var facts = stat()
        // Checks the journal's name, which is the longest, before the journal is needed.
        guard stat(journal(at: destination), &facts) == 0 || errno != ENAMETOOLONG else {
            throw DownloadError(destination, reason: .nameTooLong)
        }
        guard stat(destination, &facts) == 0 else { return }
        let kind = facts.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw DownloadError(destination, reason: .isFolder) }
        guard kind == S_IFREG else { throw DownloadError(destination, reason: .notAFile) }
    }

    /// Opens and locks the partial file of a destination.
    package static func claim(_ destination: String) throws(DownloadError) -> OpenFile {
        let path = part(of: destination)
        var failure = DownloadError.Reason.busy
        do throws(DiskFile.Problem) {
            // The previous lock holder may have renamed or removed the file between `open` and
            // `lock`. It is then not the partial file, and the next one is opened.
            for _ in 0..<100 {
                guard let file = try opened(destination) else {
                    sched_yield()
                    continue
                }
                // Some systems report an error when anything but a regular file is locked.
                guard try file.facts().st_mode & S_IFMT == S_IFREG else {
                    failure = .untrustedPartial("is not a file")
                    break
                }
                // Some systems release the lock of a closed file only after a moment.
                guard try file.lock() else {
                    sched_yield()
                    continue
                }
                guard try file.isCurrentFile(at: path) else { continue }
                guard let reasonForDistrust = reasonForDistrust(try file.facts()) else {
                    return file
                }
                failure = .untrustedPartial(reasonForDistrust)
                break
            }
        } catch {
            let notFiles = [
                ELOOP: "is a symbolic link", EISDIR: "is a folder", ENXIO: "is not a file",
            ]
            let reasonForDistrust = notFiles[error.code].map(DownloadError.Reason.untrustedPartial)
            throw reasonForDistrust.map { DownloadError(destination, reason: $0) }
                ?? DownloadError(destination, problem: error)
        }
        throw DownloadError(destination, reason: failure)
    }

    /// Opens the partial file of a destination; nil if it could not be opened, but a retry may
    /// succeed.
    private static func opened(_ destination: String) throws(DiskFile.Problem) -> OpenFile? {
        let path = part(of: destination)
        do throws(DiskFile.Problem) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            guard error.code == EACCES, try restoreWritePermission(destination) else { throw error }
            return nil
        }
    }

    /// Restores the owner's permission to write to a partial file.
    ///
    /// - Returns: Whether the file is a partial file, or was one: another process may just be
    ///   moving it to its destination.
    private static func restoreWritePermission(_ destination: String) throws(DiskFile.Problem)
        -> Bool
    {
        let path = part(of: destination)
        guard (try? journal(of: destination)) != nil else { return false }
        let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let facts = try file.facts()
        guard facts.st_mode & S_IFMT == S_IFREG, reasonForDistrust(facts) == nil else {
            return false
        }
        guard try file.lock(), try file.isCurrentFile(at: path) else { return true }
        try file.setPermissions(0o600)
        return true
    }

    /// Why a file cannot be a download's partial file; nil if it may be one. Downloads rename the
    /// file only while they hold its lock.
    private static func reasonForDistrust(_ facts: stat) -> String? {
        if facts.st_nlink > 1 { return "has a second name (hard link)" }
        return facts.st_uid == geteuid() ? nil : "belongs to another user"
    }

    /// Returns the result of a step on disk; its error becomes an error about the destination.
    package func disk<T>(_ step: () throws(DiskFile.Problem) -> T) throws(DownloadError) -> T {
        do throws(DiskFile.Problem) { return try step() } catch {
            throw DownloadError(destination, problem: error, canContinue: validator != nil)
        }
    }
}

extension OpenFile {
    /// The size of the file in bytes.
    package func size() throws(DiskFile.Problem) -> Int { Int(clamping: try facts().st_size) }
}
