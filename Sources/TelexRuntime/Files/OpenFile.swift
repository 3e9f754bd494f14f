#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file; closed, and its lock given back, when it goes out of scope.
struct OpenFile: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Opens a file as `open(2)` does; a file that is made is for its owner only.
    ///
    /// - Throws: What the system says; or ours, if no file can have the path. The path of a folder, which
    ///   is opened with `O_DIRECTORY`, may end in a slash.
    init(_ path: String, _ flags: Int32) throws(DiskFile.Problem) {
        if flags & O_DIRECTORY == 0 { try DiskFile.check(path) }
        descriptor = try DiskFile.retrying { open(path, flags | O_CLOEXEC, 0o600) }
    }

    deinit {
        // Closing alone is not enough: a process that is being started has a copy of every open
        // file for a moment, and would keep the lock as long.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// What the system knows about the file.
    func facts() throws(DiskFile.Problem) -> stat {
        var facts = stat()
        _ = try DiskFile.retrying { fstat(descriptor, &facts) }
        return facts
    }

    /// Whether this is the file that now stands at a path, and not one that stood there before.
    func stands(at path: String) throws(DiskFile.Problem) -> Bool {
        var there = stat()
        guard lstat(path, &there) == 0 else { return false }
        let here = try facts()
        return here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }

    /// Locks the file against everybody who locks it too, without waiting.
    ///
    /// - Returns: Whether nobody else has the lock.
    func lock() throws(DiskFile.Problem) -> Bool {
        do throws(DiskFile.Problem) {
            _ = try DiskFile.retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            return false
        }
    }

    /// All bytes from the beginning.
    ///
    /// - Throws: `EFBIG` if there are more than `limit`.
    func bytes(upTo limit: Int) throws(DiskFile.Problem) -> [UInt8] {
        let (more, isHuge) = limit.addingReportingOverflow(1)
        let all = try start(isHuge ? limit : more)
        guard all.count <= limit else { throw DiskFile.Problem(code: EFBIG) }
        return all
    }

    /// So many bytes from the beginning, or as many as there are.
    func start(_ limit: Int) throws(DiskFile.Problem) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while all.count < limit {
            let wanted = min(buffer.count, limit - all.count)
            let count = try DiskFile.retrying { read(descriptor, &buffer, wanted) }
            if count == 0 { break }
            all += buffer[..<count]
        }
        return all
    }

    /// So many bytes from where the last piece ended, or fewer; none at the end.
    func next(_ limit: Int) throws(DiskFile.Problem) -> [UInt8] {
        var problem: DiskFile.Problem?
        let piece = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(DiskFile.Problem) {
                count = try DiskFile.retrying { read(descriptor, buffer.baseAddress, limit) }
            } catch { problem = error }
        }
        if let problem { throw problem }
        return piece
    }

    /// Writes bytes at an offset, which moves on with each byte that is written, also if writing
    /// ends in an error.
    func put(_ bytes: [UInt8], at offset: inout Int) throws(DiskFile.Problem) {
        var done = 0
        while done < bytes.count {
            let count = try DiskFile.retrying {
                bytes.withUnsafeBytes { buffer in
                    let rest = buffer[done...]
                    return pwrite(
                        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                        off_t(offset))
                }
            }
            guard count > 0 else { throw DiskFile.Problem(code: EIO) }
            done += count
            offset += count
        }
    }

    /// Takes every byte out of the file.
    func empty() throws(DiskFile.Problem) {
        _ = try DiskFile.retrying { ftruncate(descriptor, 0) }
    }

    /// Sets who may read and write the file.
    func allow(_ mode: mode_t) throws(DiskFile.Problem) {
        _ = try DiskFile.retrying { fchmod(descriptor, mode) }
    }

    /// Returns once no later step can be on the disk without the bytes, even if the power fails.
    func order() throws(DiskFile.Problem) {
        #if canImport(Darwin)
            // After `fsync` alone, the disk's cache may write a later step first. Where the file
            // system knows no more, that has to do.
            let isOrdered = try? DiskFile.retrying { fcntl(descriptor, F_BARRIERFSYNC) }
            if isOrdered != nil { return }
        #endif
        _ = try DiskFile.retrying { fsync(descriptor) }
    }

    /// Returns once the disk has the bytes, and all that it was given before them.
    func sync() throws(DiskFile.Problem) {
        #if canImport(Darwin)
            let isStored = try? DiskFile.retrying { fcntl(descriptor, F_FULLFSYNC) }
            if isStored != nil { return }
        #endif
        _ = try DiskFile.retrying { fsync(descriptor) }
    }
}
