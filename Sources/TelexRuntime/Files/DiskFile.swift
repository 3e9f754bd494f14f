#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The few things that are done with files, through POSIX.
enum DiskFile {
    /// What the system said.
    struct Problem: Error {
        var code: Int32
        /// Why the system was not asked; nil if it was.
        var flaw: String?

        /// The system's own words, or ours.
        var text: String { flaw ?? String(cString: strerror(code)) }

        /// The same of a file that was to be made: what is missing is its folder.
        func textOfMaking(_ path: String) -> String {
            switch code {
            case ENOENT: missingFolder(of: path)
            case ENOTDIR: "a part of its path is a file; give the path of a file in a folder"
            default: text
            }
        }

        private func missingFolder(of path: String) -> String {
            "its folder does not exist; \(DiskFile.mistake(in: path) ?? "create it first")"
        }

        /// Whether there is nothing of that name.
        var isMissing: Bool { code == ENOENT }
    }

    /// Why no file can have a path, and what to do; nil if one can. Systems read no further than to a
    /// NUL: what stands before it may be the path of another file.
    static func flaw(of path: String) -> String? {
        if path.isEmpty { return "its path is empty; give the path of a file" }
        if path.utf8.contains(0) { return "its path holds a NUL; give the path of a file" }
        let isFolder = path.utf8.last == UInt8(ascii: "/")
        return isFolder ? "its path ends in a slash; give the path of a file in that folder" : nil
    }

    /// What somebody meant who gave a path that leads nowhere; nil if that does not show.
    static func mistake(in path: String) -> String? {
        if path.hasPrefix("~") { return "`~` is not expanded: give the whole path" }
        let isAddress = path.hasPrefix("file:") || path.contains("://")
        return isAddress ? "give a path, not a URL" : nil
    }

    /// Makes sure that a file can have a path.
    static func check(_ path: String) throws(Problem) {
        if let flaw = flaw(of: path) { throw Problem(code: EINVAL, flaw: flaw) }
    }

    /// Makes sure that what has a path may give way to a file, or that nothing has it: a pipe or a device
    /// such as `/dev/null` is others' as well, and so is a symbolic link to one, as `/dev/stdout` is. A
    /// link to a file may; what it leads to stays.
    static func checkPlace(_ path: String) throws(Problem) {
        try check(path)
        let isLink = kind(of: path) == S_IFLNK
        let start = isLink ? "it leads to" : "it is"
        switch kind(of: path, followingLinks: true) {
        case nil, S_IFREG: return
        case S_IFDIR:
            throw Problem(
                code: EISDIR, flaw: "\(start) a folder; give the path of a file in it")
        default:
            throw Problem(
                code: EINVAL,
                flaw: "\(start) a device, a pipe or the like; give the path of a file")
        }
    }

    /// What kind of thing has a path; nil if nothing has, or nobody can know.
    static func kind(of path: String, followingLinks: Bool = false) -> mode_t? {
        var facts = stat()
        let result = followingLinks ? stat(path, &facts) : lstat(path, &facts)
        return result == 0 ? facts.st_mode & S_IFMT : nil
    }

    /// The path of a file beside another, named like it with something added. A name that would be
    /// longer than file systems allow, 255 bytes, has a hash in place of its end (FNV-1a,
    /// draft-eastlake-fnv), the same in every process.
    static func path(beside path: String, _ suffix: String) -> String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...]
        guard name.utf8.count + suffix.utf8.count > 255 else { return path + suffix }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let folder = path[..<name.startIndex]
        let start = Substring(name.unicodeScalars.prefix(50))
        return "\(folder)\(start)~\(String(hash, radix: 16))\(suffix)"
    }

    /// The size of a regular file; nil if there is none that can be read.
    static func size(_ path: String) -> Int? {
        var facts = stat()
        guard flaw(of: path) == nil, stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return access(path, R_OK) == 0 ? Int(clamping: facts.st_size) : nil
    }

    /// Why a file cannot be read, in a few words; nil if it can.
    static func problem(_ path: String) -> String? {
        if let flaw = flaw(of: path) { return flaw }
        var facts = stat()
        guard stat(path, &facts) == 0 else { return Problem(code: errno).text }
        guard facts.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
        return access(path, R_OK) == 0 ? nil : Problem(code: errno).text
    }

    /// All bytes of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - flags: How to open it, beside for reading: `O_NOFOLLOW`, say.
    ///   - limit: How many bytes it may have; more are the problem `EFBIG`.
    static func read(
        _ path: String, flags: Int32 = 0, limit: Int = .max
    ) throws(Problem) -> [UInt8]? {
        do throws(Problem) {
            return try OpenFile(path, O_RDONLY | flags).bytes(upTo: limit)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// The first bytes of a regular file; none if it cannot be read.
    static func start(of path: String, count: Int) -> [UInt8] {
        guard size(path) != nil, let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK) else {
            return []
        }
        return (try? file.start(count)) ?? []
    }

    /// Puts bytes in the place of a file, which only its owner can read. Whoever looks sees the old
    /// file or the new one, never a part.
    ///
    /// - Parameter temporary: The file that becomes it, which must not be there; nil for a name that
    ///   nobody else uses.
    static func replace(
        _ path: String, with bytes: [UInt8], by temporary: String? = nil
    ) throws(Problem) {
        let temporary = temporary ?? unusedPath(beside: path)
        let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do throws(Problem) {
            // Whatever the process masks.
            try file.allow(0o600)
            var offset = 0
            try file.put(bytes, at: &offset)
            try file.order()
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        // Not every file system can do that, and the file is complete either way.
        try? syncFolder(of: path)
    }

    private static func unusedPath(beside path: String) -> String {
        // Short, since the file's own name may be as long as the system allows.
        let folder = folder(of: path) ?? ""
        return "\(folder).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp"
    }

    /// Renames a file; one that has the new name already is replaced in the same step.
    static func move(_ path: String, to destination: String) throws(Problem) {
        try check(path)
        try check(destination)
        guard rename(path, destination) == 0 else { throw Problem(code: errno) }
    }

    /// Removes a file; it is no problem if there is none.
    static func remove(_ path: String) throws(Problem) {
        try check(path)
        guard unlink(path) == 0 || errno == ENOENT else { throw Problem(code: errno) }
    }

    /// Returns once the names in a file's folder are on the disk. Where a system cannot do that,
    /// or this process may not read the folder, nothing happens.
    static func syncFolder(of path: String) throws(Problem) {
        guard let folder = try? OpenFile(folder(of: path) ?? ".", O_RDONLY | O_DIRECTORY) else {
            return
        }
        do throws(Problem) {
            try folder.sync()
        } catch {
            guard [EINVAL, ENOTSUP, EROFS].contains(error.code) else { throw error }
        }
    }

    /// What a path has before the name, the slash included; nil if there is none. Systems look at
    /// bytes: where a mark or a joiner follows a slash, Swift sees both as one character.
    static func folder(of path: String) -> String? {
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(Substring(bytes[...slash]))
    }

    /// The last component of a path; nil if there is none.
    static func name(of path: String) -> String? {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    }

    /// The result of a system call, made again as long as signals interrupt it.
    static func retrying<Result: SignedInteger>(
        _ call: () -> Result
    ) throws(Problem) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw Problem(code: errno) }
        }
    }
}
