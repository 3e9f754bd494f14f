#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension PartialFile {
    /// Puts the file in its place; call it when the body has ended, or all bytes are there already.
    /// On return the disk has it, under its name.
    ///
    /// - Throws: `incomplete` if bytes are missing, or if a part of a document ended whose length
    ///   the server does not tell: ask for the rest. `partialChanged` if the unfinished file is no
    ///   longer what was written. What the disk says: then what is there stays.
    mutating func finish() throws(DownloadError) {
        guard isWhole else {
            throw DownloadError(
                destination, .incomplete(received: offset, expected: expected),
                canContinue: validator != nil)
        }
        try Self.check(destination)
        try put()
    }

    /// Whether the file is in its place: then none of its bytes may be touched any more.
    var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// What has been downloaded.
    var result: DownloadedFile {
        DownloadedFile(
            path: destination, bytes: offset, contentType: journal?.type,
            suggestedName: journal?.name)
    }

    /// Whether every byte is there, as far as the server has told.
    var isWhole: Bool {
        switch phase {
        case .complete: true
        case .receiving(nil): true
        case .opened, .receiving: expected == offset
        case .idle, .finished: false
        }
    }

    private mutating func put() throws(DownloadError) {
        guard try isOurs(size: offset) else { throw DownloadError(destination, .partialChanged) }
        try disk { () throws(DiskFile.Problem) in
            try file.order()
            try move()
        }
        // Whatever comes now, these bytes are those of the finished file.
        phase = .finished
        // A process that is killed here leaves a journal that vouches for no bytes.
        removeJournal()
        try disk { () throws(DiskFile.Problem) in try DiskFile.syncFolder(of: destination) }
    }

    /// Puts the file in its place, with the mode of the one that is replaced. What its owner may not do
    /// with that is taken away afterwards: whoever finds the unfinished file, if this process is killed
    /// here, has to go on with it.
    private func move() throws(DiskFile.Problem) {
        guard let mode = Self.mode(of: destination) else {
            return try DiskFile.move(Self.part(of: destination), to: destination)
        }
        try file.allow(mode | 0o600)
        do throws(DiskFile.Problem) {
            try DiskFile.move(Self.part(of: destination), to: destination)
        } catch {
            try? file.allow(0o600)
            throw error
        }
        if mode & 0o600 != 0o600 { try? file.allow(mode) }
    }

    /// Removes the journal of a file that is in its place. Whoever has the next one may have written a
    /// journal by now, without which its bytes would be nobody's: then it stays. What cannot be removed
    /// is found, and told, by the next download: this one has succeeded.
    private func removeJournal() {
        guard let next = try? Self.claim(destination), (try? next.size()) == 0 else { return }
        try? DiskFile.remove(Self.journal(at: destination))
        try? DiskFile.remove(Self.part(of: destination))
    }

    /// Whether what stands at the path of the unfinished file is what was written: nobody should
    /// rename or remove anything else.
    private func isOurs(size: Int? = nil) throws(DownloadError) -> Bool {
        try disk { () throws(DiskFile.Problem) in
            guard try file.stands(at: Self.part(of: destination)) else { return false }
            guard let size else { return true }
            return try file.size() == size
        }
    }

    /// Who may read and write the file that is replaced; nil if there is none.
    private static func mode(of path: String) -> mode_t? {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return facts.st_mode & 0o777
    }

    /// Ends the download before its end and lets others have the destination. What is there stays, so
    /// that it can be continued later, unless it cannot.
    ///
    /// - Throws: If something cannot be removed.
    consuming func abandon() throws(DownloadError) {
        if case .finished = phase { return }
        guard try !hasUse(), try isOurs() else { return }
        try disk { () throws(DiskFile.Problem) in
            // Bytes without a journal would be nobody's, if the process is killed in between. The disk is
            // not waited for: this may happen to hundreds at once, and keeps others from going on.
            try file.empty()
            try DiskFile.remove(Self.journal(at: destination))
            try DiskFile.remove(Self.part(of: destination))
        }
    }

    /// Whether a later download can go on from what is on disk; of another document's part, which
    /// is untouched as yet, that is for others to say.
    private func hasUse() throws(DownloadError) -> Bool {
        guard case .opened = phase else { return validator != nil }
        return try disk { () throws(DiskFile.Problem) in try file.size() > 0 }
    }
}
