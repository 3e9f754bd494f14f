#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// File operations through POSIX.
package enum DiskFile {
    /// An error of a file operation.
    package struct Problem: Error {
        package var code: Int32
        /// Why the path was rejected before any system call; nil if a system call failed.
        package var pathProblem: String?

        package init(code: Int32, pathProblem: String? = nil) {
            self.code = code
            self.pathProblem = pathProblem
        }

        /// The reason: `pathProblem`, or the system's text for `code`.
        package var text: String { pathProblem ?? String(cString: strerror(code)) }

        /// The reason why a file could not be created: what is missing then is its folder.
        package func creationErrorText(_ path: String) -> String {
            switch code {
            case ENOENT: missingFolder(of: path)
            case ENOTDIR: "a part of its path is a file; give the path of a file in a folder"
            default: text
            }
        }

        private func missingFolder(of path: String) -> String {
            "its folder does not exist; \(DiskFile.likelyMistake(in: path) ?? "create it first")"
        }

        /// Whether the file does not exist.
        package var isMissing: Bool { code == ENOENT }
    }

    /// Why a path cannot name a file, and what to do; nil if it can. A NUL is rejected because
    /// systems stop reading there: the part before it may name another file.
    package static func pathProblem(of path: String) -> String? {
        if path.isEmpty { return "its path is empty; give the path of a file" }
        if path.utf8.contains(0) { return "its path holds a NUL; give the path of a file" }
        let isFolder = path.utf8.last == UInt8(ascii: "/")
        return isFolder ? "its path ends in a slash; give the path of a file in that folder" : nil
    }

    /// The probable mistake in a path that does not exist; nil if none is recognized.
    package static func likelyMistake(in path: String) -> String? {
        if path.hasPrefix("~") { return "`~` is not expanded: give the whole path" }
        let isAddress = path.hasPrefix("file:") || path.contains("://")
        return isAddress ? "give a path, not a URL" : nil
    }

    /// Checks that a path can name a file.
    package static func check(_ path: String) throws(Problem) {
        if let pathProblem = pathProblem(of: path) {
            throw Problem(code: EINVAL, pathProblem: pathProblem)
        }
    }

    /// Checks that a file may be put at a path: nothing is there, or a regular file or a link to
    /// one. A link is replaced; the file it points to stays. Pipes, devices such as `/dev/null` and
    /// links to them, such as `/dev/stdout`, are rejected, because other processes use them too.
    package static func checkDestination(_ path: String) throws(Problem) {
        try check(path)
        let isLink = kind(of: path) == S_IFLNK
        let start = isLink ? "it leads to" : "it is"
        switch kind(of: path, followingLinks: true) {
        case nil, S_IFREG: return
        case S_IFDIR:
            throw Problem(
                code: EISDIR, pathProblem: "\(start) a folder; give the path of a file in it")
        default:
            throw Problem(
                code: EINVAL,
                pathProblem: "\(start) a device, a pipe or the like; give the path of a file")
        }
    }

    /// The file type at a path; nil if nothing is there, or if it cannot be determined.
    package static func kind(of path: String, followingLinks: Bool = false) -> mode_t? {
        var facts = stat()
        let result = followingLinks ? stat(path, &facts) : lstat(path, &facts)
        return result == 0 ? facts.st_mode & S_IFMT : nil
    }

    /// The path of a file in the same folder: the name of `path` with a suffix. A name longer than
    /// the 255 bytes that file systems allow gets a hash in place of its end (FNV-1a,
    /// draft-eastlake-fnv), which is the same in every process.
    package static func path(beside path: String, _ suffix: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...]
        guard name.utf8.count + suffix.utf8.count > 255 else { return path + suffix }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* UInt64(0x0000_0100_0000_01B3) }
        let folder = path[..<name.startIndex]
        let start = Substring(name.unicodeScalars.prefix(50))
        return "\(folder)\(start)~\(String(hash, radix: 16))\(suffix)"
    }

    /// The size of a regular file; nil if no readable one exists.
    package static func size(_ path: String) -> Int? {
        var facts = stat()
        guard pathProblem(of: path) == nil, stat(path, &facts) == 0,
            facts.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return access(path, R_OK) == 0 ? Int(clamping: facts.st_size) : nil
    }

    /// A short reason why a file cannot be read; nil if it can.
    package static func problem(_ path: String) -> String? {
        if let pathProblem = pathProblem(of: path) { return pathProblem }
        var facts = stat()
        guard stat(path, &facts) == 0 else { return Problem(code: errno).text }
        guard facts.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        return access(path, R_OK) == 0 ? nil : Problem(code: errno).text
    }

    /// Reads a whole file; nil if it does not exist.
    ///
    /// - Parameters:
    ///   - flags: Flags of `open(2)` in addition to read-only access, for example `O_NOFOLLOW`.
    ///   - limit: The largest allowed number of bytes; a larger file throws `EFBIG`.
    package static func read(
        _ path: String, flags: Int32 = 0, limit: Int = .max
    ) throws(Problem) -> [UInt8]? {
        do throws(Problem) {
            return try OpenFile(path, O_RDONLY | flags).bytes(upTo: limit)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Replaces a file atomically with one that contains `bytes` and that only its owner can read.
    /// Readers see the old file or the new one, never a part.
    ///
    /// - Parameters:
    ///   - temporary: The temporary file that is renamed to `path`; it must not exist yet. Nil for a
    ///     unique name.
    ///   - isDurable: Whether it survives a loss of power; `true` by default.
    package static func replace(
        _ path: String, with bytes: [UInt8], by temporary: String? = nil, isDurable: Bool = true
    ) throws(Problem) {
        let temporary = temporary ?? unusedPath(beside: path)
        let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do throws(Problem) {
            // Sets the mode explicitly, because the umask may have changed it.
            try file.setPermissions(0o600)
            var offset = 0
            try file.put(bytes, at: &offset)
            if isDurable { try file.writeBarrier() }
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        // Errors are ignored: not every file system supports this, and the file is complete either
        // way.
        if isDurable { try? syncFolder(of: path) }
    }

    private static func unusedPath(beside path: String) -> String {
        // The name is short, because the file's own name may already have the maximum length.
        let folder = folder(of: path) ?? ""
        return "\(folder).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp"
    }

    /// Renames a file; an existing file at `destination` is replaced atomically.
    package static func move(_ path: String, to destination: String) throws(Problem) {
        try check(path)
        try check(destination)
        guard rename(path, destination) == 0 else { throw Problem(code: errno) }
    }

    /// Removes a file; a missing file is no error.
    package static func remove(_ path: String) throws(Problem) {
        try check(path)
        guard unlink(path) == 0 || errno == ENOENT else { throw Problem(code: errno) }
    }

    /// Flushes the directory of a file to the disk. Does nothing if the system does not support it,
    /// or if this process may not read the folder.
    package static func syncFolder(of path: String) throws(Problem) {
        guard let folder = try? OpenFile(folder(of: path) ?? ".", O_RDONLY | O_DIRECTORY) else {
            return
        }
        do throws(Problem) {
            try folder.sync()
        } catch {
            guard [EINVAL, ENOTSUP, EROFS].contains(error.code) else { throw error }
        }
    }

    /// The folder of a path, with its slash; nil if the path has none. It searches bytes as the
    /// system does: a combining mark or a joiner after a slash would form one `Character` with it.
    package static func folder(of path: String) -> String? {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(Substring(bytes[...slash]))
    }

    /// The last component of a path; nil if there is none.
    package static func name(of path: String) -> String? {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    }

    /// Returns the result of a system call, repeated while signals interrupt it.
    package static func retrying<Result: SignedInteger>(
        _ call: () -> Result
    ) throws(Problem) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw Problem(code: errno) }
        }
    }
}
