import HTTPTypes

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A download that grows on disk and can be continued: after a lost connection, a suspension, a
/// killed process.
///
/// Bytes go to `<destination>.part`; `<destination>.part.json` says of which version of which
/// document they are. When all are there, the file is renamed to its destination, so that whoever
/// looks there sees the old file or the whole new one.
///
/// Each attempt is one round of ``requestFields``, ``accept(_:at:)``, ``write(_:)`` and, when the
/// body has ended, ``finish()``. After a failed attempt the same value goes into the next round.
/// If it is dropped instead, what is on disk stays as it is, as if the process had been killed.
///
/// The order of the steps on disk keeps one promise at every moment: the journal never vouches for
/// bytes of another version. Both files are for their owner only, and so is the finished file,
/// unless it replaces one: then it takes over who may read and write that.
struct PartialFile: ~Copyable, Sendable {
    enum Phase: Sendable {
        /// Nothing was accepted yet; what is on disk may be of another document.
        case opened
        /// No body is expected.
        case idle
        /// A body is arriving; `end` is the number of bytes after its last, if known.
        case receiving(end: Int?)
        /// All bytes are there, says the server.
        case complete
        /// The file is in its place.
        case finished
    }

    /// Where the finished file will be.
    let destination: String
    let source: String
    /// Whether parts of it can be asked for.
    let hasParts: Bool
    let file: OpenFile
    var journal: PartialJournal?
    var phase = Phase.opened
    /// How many bytes of the document are on disk.
    var offset = 0

    /// How many bytes the document has; nil as long as the server has not said.
    var expected: Int? { journal?.length }

    /// Opens the unfinished file of a destination, or makes one. No folder is made.
    ///
    /// An earlier part is continued if it is of the same source and tells its version; otherwise
    /// it stays untouched until a reply has been accepted.
    ///
    /// - Parameters:
    ///   - destination: Where the finished file will be. A symbolic link there will be replaced.
    ///   - source: Which document it is.
    /// - Throws: A `DownloadError` if no file can be made there, `busy` if another download to the
    ///   same destination is open, `untrustedPartial` if what is there is a link, has another
    ///   name besides, belongs to another user, or has no journal, or `untrustedJournal` if what
    ///   stands in the journal's place is none.
    init(destination: String, source: DownloadSource) throws(DownloadError) {
        try Self.check(destination)
        // Before anything is made beside what is somebody else's.
        _ = try Self.journal(of: destination)
        let part = try Self.claim(destination)
        let size: Int
        do throws(DiskFile.Problem) { size = try part.size() } catch {
            throw DownloadError(destination, error)
        }
        let found = try Self.journal(of: destination)
        guard size == 0 || found != nil else {
            throw DownloadError(
                destination, .untrustedPartial("has no journal of a download beside it"))
        }
        file = part
        self.destination = destination
        self.source = PartialJournal.fingerprint(of: source)
        hasParts = source.hasParts
        guard size > 0, hasParts, let found, found.source == self.source,
            found.validators.strong != nil,
            found.validators.tag != nil || source.trustsDates, size <= found.length ?? .max
        else { return }
        journal = found
        offset = size
    }

    /// What `If-Range` has to carry; nil if the next attempt begins at the beginning.
    var validator: String? { offset > 0 ? journal?.validators.strong : nil }

    /// Whether what is being received counts for the next attempt.
    var canContinue: Bool { journal?.validators.strong != nil }

    /// Where the next attempt goes on.
    var resumption: Int { validator == nil ? 0 : offset }

    /// What the next request has to carry: `Range` and `If-Range`, or nothing if it begins at the
    /// beginning. Ranges count the bytes as stored, so a request has to carry
    /// `Accept-Encoding: identity` too.
    var requestFields: HTTPFields {
        guard let validator else { return [:] }
        return [.range: "bytes=\(offset)-", .ifRange: validator]
    }

    /// Adds bytes of the body of the accepted reply.
    ///
    /// - Throws: `tooLong` if the server declared fewer, `partialChanged` if somebody else has cut or
    ///   lengthened the file: nobody knows which of the bytes are right, and all are dropped. Or what
    ///   the disk says, `diskFull` for one: what could be written counts.
    mutating func write(_ chunk: [UInt8]) throws(DownloadError) {
        guard case .receiving(let end) = phase else {
            throw DownloadError(destination, .notReceiving)
        }
        if let end, chunk.count > end - offset {
            try empty()
            throw DownloadError(destination, .tooLong(expected: end))
        }
        // Behind an end that is not ours there would be zeros, or somebody's bytes.
        guard try disk({ () throws(DiskFile.Problem) in try file.size() }) == offset else {
            try empty()
            throw DownloadError(destination, .partialChanged)
        }
        do throws(DiskFile.Problem) {
            try file.put(chunk, at: &offset)
        } catch {
            throw DownloadError(destination, error, canContinue: validator != nil)
        }
    }
}

// MARK: Where things are

extension PartialFile {
    static func part(of destination: String) -> String { "\(destination).part" }
    static func journal(at destination: String) -> String { "\(destination).part.json" }

    /// The journal beside a destination; nil if there is none.
    ///
    /// - Throws: `untrustedJournal` if something else stands there, or it may not be read; what the
    ///   system says if that is not about the journal.
    private static func journal(of destination: String) throws(DownloadError) -> PartialJournal? {
        // Whatever stands there: it is neither followed nor waited for, and not read whole.
        let flags = O_NOFOLLOW | O_NONBLOCK
        do throws(DiskFile.Problem) {
            let bytes = try DiskFile.read(
                journal(at: destination), flags: flags, limit: PartialJournal.limit)
            guard let bytes else { return nil }
            if let journal = PartialJournal(stored: bytes) { return journal }
        } catch {
            guard belongsToAnotherDownload(journal(at: destination), error) else {
                throw DownloadError(destination, error)
            }
        }
        throw DownloadError(destination, .untrustedJournal)
    }

    /// Whether what stands at a path is why it cannot be read, and not the way there, or the disk.
    private static func belongsToAnotherDownload(_ path: String, _ problem: DiskFile.Problem)
        -> Bool
    {
        let signs = [ELOOP, EISDIR, ENXIO, EOPNOTSUPP, EFBIG, EACCES, EPERM]
        return signs.contains(problem.code) && DiskFile.kind(of: path) != nil
    }

    /// Makes sure that a file can be put at a path.
    static func check(_ destination: String) throws(DownloadError) {
        guard !destination.isEmpty, !destination.utf8.contains(0) else {
            throw DownloadError(destination, .invalidPath)
        }
        guard destination.utf8.last != UInt8(ascii: "/") else {
            throw DownloadError(destination, .isFolder)
        }
        var facts = stat()
        // The longest of the names; of a file that only some replies make necessary.
        guard stat(journal(at: destination), &facts) == 0 || errno != ENAMETOOLONG else {
            throw DownloadError(destination, .nameTooLong)
        }
        guard stat(destination, &facts) == 0 else { return }
        let kind = facts.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw DownloadError(destination, .isFolder) }
        guard kind == S_IFREG else { throw DownloadError(destination, .notAFile) }
    }

    /// Opens and locks the unfinished file of a destination.
    static func claim(_ destination: String) throws(DownloadError) -> OpenFile {
        let path = part(of: destination)
        var trouble = DownloadError.Reason.busy
        do throws(DiskFile.Problem) {
            // Whoever had the lock may have renamed or removed the file between our opening and
            // our locking it: then it is no longer the unfinished file, and the next one is opened.
            for _ in 0..<100 {
                guard let file = try opened(destination) else {
                    sched_yield()
                    continue
                }
                // Some systems lock nothing but files, and call anything else a failure.
                guard try file.facts().st_mode & S_IFMT == S_IFREG else {
                    trouble = .untrustedPartial("is not a file")
                    break
                }
                // A system may take a moment to give back the lock of a file that was just closed.
                guard try file.lock() else {
                    sched_yield()
                    continue
                }
                guard try file.stands(at: path) else { continue }
                guard let doubt = doubt(try file.facts()) else { return file }
                trouble = .untrustedPartial(doubt)
                break
            }
        } catch {
            let notFiles = [
                ELOOP: "is a symbolic link", EISDIR: "is a folder", ENXIO: "is not a file",
            ]
            let doubt = notFiles[error.code].map(DownloadError.Reason.untrustedPartial)
            throw doubt.map { DownloadError(destination, $0) } ?? DownloadError(destination, error)
        }
        throw DownloadError(destination, trouble)
    }

    /// Opens the unfinished file of a destination; nil if it could not be opened, but may be by now.
    private static func opened(_ destination: String) throws(DiskFile.Problem) -> OpenFile? {
        let path = part(of: destination)
        do throws(DiskFile.Problem) {
            return try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            guard error.code == EACCES, try takeBack(destination) else { throw error }
            return nil
        }
    }

    /// Lets its owner write to an unfinished file again that may not be written to, whoever took that
    /// right away.
    ///
    /// - Returns: Whether it is one, or was: somebody else may be putting it in its place.
    private static func takeBack(_ destination: String) throws(DiskFile.Problem) -> Bool {
        let path = part(of: destination)
        guard (try? journal(of: destination)) != nil else { return false }
        let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let facts = try file.facts()
        guard facts.st_mode & S_IFMT == S_IFREG, doubt(facts) == nil else { return false }
        guard try file.lock(), try file.stands(at: path) else { return true }
        try file.allow(0o600)
        return true
    }

    /// Why a file is not one that a download made; nil if it may be. It is locked: its names do not
    /// change meanwhile.
    private static func doubt(_ facts: stat) -> String? {
        if facts.st_nlink > 1 { return "is another file too, by a second name" }
        return facts.st_uid == geteuid() ? nil : "belongs to another user"
    }

    /// What a step on disk gives; its problem becomes an error about the destination.
    func disk<T>(_ step: () throws(DiskFile.Problem) -> T) throws(DownloadError) -> T {
        do throws(DiskFile.Problem) { return try step() } catch {
            throw DownloadError(destination, error, canContinue: validator != nil)
        }
    }
}

extension OpenFile {
    /// How many bytes the file has.
    func size() throws(DiskFile.Problem) -> Int { Int(clamping: try facts().st_size) }
}
