import TelexTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension PartialFile {
    /// Moves the file to its destination. Call it when the body has ended, or when all bytes are
    /// present already. On return, the file is stored on disk under its final name.
    ///
    /// - Throws: `incomplete` if bytes are missing, or if a part ended and the length of the whole
    ///   document is unknown: request the rest. `partialChanged` if the partial file was changed or
    ///   replaced. `wrongDigest` if the bytes are not those whose digest the server sent; they are
    ///   dropped. Disk errors, after which the partial file stays.
    package mutating func finish() throws(DownloadError) {
        guard isWhole else {
            throw DownloadError(
                destination, reason: .incomplete(received: offset, expected: expected),
                canContinue: validator != nil)
        }
        try Self.check(destination)
        try put()
    }

    /// Whether the file is at its destination, so that its bytes must not be changed.
    package var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// The downloaded file.
    package var result: DownloadedFile {
        DownloadedFile(
            path: destination, bytes: offset, contentType: journal?.type,
            suggestedName: journal?.name)
    }

    /// Whether all bytes are present, as far as the server declared the length.
    package var isWhole: Bool {
        switch phase {
        case .complete: true
        case .receiving(nil): true
        case .opened, .receiving: expected == offset
        case .idle, .finished: false
        }
    }

    private mutating func put() throws(DownloadError) {
        guard try isOurs(size: offset) else {
            throw DownloadError(destination, reason: .partialChanged)
        }
        try verify()
        try disk { () throws(DiskFile.Problem) in
            try file.writeBarrier()
            try move()
        }
        // From here on, the open file is the finished one, even if a later step fails.
        phase = .finished
        // If the process is killed here, the remaining journal describes no bytes.
        removeJournal()
        try disk { () throws(DiskFile.Problem) in try DiskFile.syncFolder(of: destination) }
    }

    /// Compares the bytes on disk with the digest that the server sent. They are read again, because
    /// a part may be of an earlier download.
    private mutating func verify() throws(DownloadError) {
        guard let digest = journal?.digest else { return }
        let found = try disk { () throws(DiskFile.Problem) in try ContentDigest(of: file) }
        guard found != digest else { return }
        try empty()
        throw DownloadError(destination, reason: .wrongDigest)
    }

    /// Renames the file to its destination, with the mode of the file it replaces. Owner
    /// permissions that this mode lacks are removed only after the rename, so that a later download
    /// can still use the partial file if the process is killed before it.
    private func move() throws(DiskFile.Problem) {
        guard let mode = Self.mode(of: destination) else {
            return try DiskFile.move(Self.part(of: destination), to: destination)
        }
        try file.setPermissions(mode | 0o600)
        do throws(DiskFile.Problem) {
            try DiskFile.move(Self.part(of: destination), to: destination)
        } catch {
            try? file.setPermissions(0o600)
            throw error
        }
        if mode & 0o600 != 0o600 { try? file.setPermissions(mode) }
    }

    /// Removes the journal of a finished file. Does nothing if the next download has the lock or
    /// has written bytes, because it may already have written its own journal. Errors are ignored
    /// because this download has succeeded; the next download detects and reports the leftover.
    private func removeJournal() {
        guard let next = try? Self.claim(destination), (try? next.size()) == 0 else { return }
        try? DiskFile.remove(Self.journal(at: destination))
        try? DiskFile.remove(Self.part(of: destination))
    }

    /// Whether the file at the partial path is the one that was written. Any other file must be
    /// neither renamed nor removed.
    private func isOurs(size: Int? = nil) throws(DownloadError) -> Bool {
        try disk { () throws(DiskFile.Problem) in
            guard try file.isCurrentFile(at: Self.part(of: destination)) else { return false }
            guard let size else { return true }
            return try file.size() == size
        }
    }

    /// The permissions of the file that is replaced; nil if there is none.
    private static func mode(of path: String) -> mode_t? {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return facts.st_mode & 0o777
    }

    /// Ends the download early and releases the destination. The partial file stays if a later
    /// download can continue it; otherwise it is removed.
    ///
    /// - Throws: A `DownloadError` if something cannot be removed.
    package consuming func abandon() throws(DownloadError) {
        if case .finished = phase { return }
        let isKept = try isResumable()
        guard try isOurs() else { return }
        if isKept {
            // The journal of an earlier download stays as it is.
            if case .opened = phase { return }
            journal?.received = offset
            return try writeJournal(isDurable: false)
        }
        try disk { () throws(DiskFile.Problem) in
            // The bytes are removed before the journal: if the process were killed in between,
            // bytes without a journal would be rejected by later downloads. No flush to disk,
            // because hundreds of downloads may end at once, and flushing would delay others.
            try file.empty()
            try DiskFile.remove(Self.journal(at: destination))
            try DiskFile.remove(Self.part(of: destination))
        }
    }

    /// Whether a later download can continue from the bytes on disk. In phase `opened` they may be
    /// of another document and are kept for its download.
    private func isResumable() throws(DownloadError) -> Bool {
        guard case .opened = phase else { return validator != nil }
        return try disk { () throws(DiskFile.Problem) in try file.size() > 0 }
    }
}
