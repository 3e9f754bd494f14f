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

        /// The system's own words.
        var text: String { String(cString: strerror(code)) }
    }

    /// The size of a regular file; nil if there is none that can be read.
    static func size(_ path: String) -> Int? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return access(path, R_OK) == 0 ? Int(facts.st_size) : nil
    }

    /// The rest of an open file; nil if it has more than `limit` bytes.
    static func read(_ file: Int32, upTo limit: Int) throws(Problem) -> [UInt8]? {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while all.count <= limit {
            #if canImport(Darwin)
                let count = Darwin.read(file, &buffer, buffer.count)
            #elseif canImport(Glibc)
                let count = Glibc.read(file, &buffer, buffer.count)
            #else
                let count = Musl.read(file, &buffer, buffer.count)
            #endif
            if count == 0 { return all }
            if count > 0 {
                all += buffer[..<count]
            } else if errno != EINTR {
                throw Problem(code: errno)
            }
        }
        return nil
    }

    /// Puts bytes in the place of a file, which only its owner can read. Whoever looks sees the old
    /// file or the new one, never a part.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Problem) {
        let temporary = "\(path).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Problem(code: errno) }
        do throws(Problem) {
            defer { close(file) }
            // Whatever the process masks.
            guard fchmod(file, 0o600) == 0 else { throw Problem(code: errno) }
            try write(bytes, to: file)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let problem = Problem(code: errno)
            unlink(temporary)
            throw problem
        }
        syncFolder(of: path)
    }

    /// Has the new name of a file written to the disk. Not every file system can do that, and the
    /// file is complete either way, so it is no failure if this one cannot.
    private static func syncFolder(of path: String) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = fsync(file)
        close(file)
    }

    /// Removes a file; it is no problem if there is none.
    static func remove(_ path: String) throws(Problem) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Problem(code: errno) }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws(Problem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(file, buffer.baseAddress, buffer.count)
                #elseif canImport(Glibc)
                    Glibc.write(file, buffer.baseAddress, buffer.count)
                #else
                    Musl.write(file, buffer.baseAddress, buffer.count)
                #endif
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Problem(code: errno)
            }
        }
        guard fsync(file) == 0 else { throw Problem(code: errno) }
    }
}
