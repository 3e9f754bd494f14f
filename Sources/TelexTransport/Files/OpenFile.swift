#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An open file; closed and unlocked at the end of its scope.
package struct OpenFile: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Opens a file as `open(2)` does; a new file is accessible only to its owner.
    ///
    /// - Throws: The error of the system, or of ``DiskFile/check(_:)`` if the path cannot name a
    ///   file. The path of a folder, which is opened with `O_DIRECTORY`, may end in a slash.
    package init(_ path: String, _ flags: Int32) throws(DiskFile.Problem) {
        if flags & O_DIRECTORY == 0 { try DiskFile.check(path) }
        descriptor = try DiskFile.retrying { open(path, flags | O_CLOEXEC, 0o600) }
    }

    deinit {
        // Unlocks explicitly: a child process that is being spawned holds a copy of every open
        // descriptor for a moment, and would keep the lock for that time.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Returns the file's metadata.
    package func facts() throws(DiskFile.Problem) -> stat {
        var facts = stat()
        _ = try DiskFile.retrying { fstat(descriptor, &facts) }
        return facts
    }

    /// Whether this is the file that is at a path now, and not a previous one.
    package func isCurrentFile(at path: String) throws(DiskFile.Problem) -> Bool {
        var there = stat()
        guard lstat(path, &there) == 0 else { return false }
        let here = try facts()
        return here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }

    /// Takes an exclusive advisory lock without waiting.
    ///
    /// - Returns: Whether the lock was taken; false if another descriptor holds it.
    package func lock() throws(DiskFile.Problem) -> Bool {
        do throws(DiskFile.Problem) {
            _ = try DiskFile.retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            return false
        }
    }

    /// Reads all bytes from the beginning.
    package func bytes(upTo limit: Int) throws(DiskFile.Problem) -> [UInt8] {
        let (more, isHuge) = limit.addingReportingOverflow(1)
        let all = try start(isHuge ? limit : more)
        guard all.count <= limit else { throw DiskFile.Problem(code: EFBIG) }
        return all
    }

    /// Reads at most `limit` bytes from the beginning.
    private func start(_ limit: Int) throws(DiskFile.Problem) -> [UInt8] {
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

    /// Reads at most `limit` bytes from the current position; none at the end.
    package func next(_ limit: Int) throws(DiskFile.Problem) -> [UInt8] {
        try piece(limit) { buffer in read(descriptor, buffer.baseAddress, limit) }
    }

    /// Reads at most `limit` bytes at an offset; none at the end.
    package func bytes(at offset: Int, limit: Int) throws(DiskFile.Problem) -> [UInt8] {
        try piece(limit) { pread(descriptor, $0.baseAddress, limit, off_t(offset)) }
    }

    private func piece(
        _ limit: Int, _ read: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) throws(DiskFile.Problem) -> [UInt8] {
        var problem: DiskFile.Problem?
        let piece = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(DiskFile.Problem) {
                count = try DiskFile.retrying { read(buffer) }
            } catch { problem = error }
        }
        if let problem { throw problem }
        return piece
    }

    /// Writes bytes at an offset. The offset advances with each byte written, also if writing ends
    /// in an error.
    package func put(_ bytes: [UInt8], at offset: inout Int) throws(DiskFile.Problem) {
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

    /// Truncates the file to zero bytes.
    package func empty() throws(DiskFile.Problem) {
        _ = try DiskFile.retrying { ftruncate(descriptor, 0) }
    }

    /// Sets the permissions of the file.
    package func setPermissions(_ mode: mode_t) throws(DiskFile.Problem) {
        _ = try DiskFile.retrying { fchmod(descriptor, mode) }
    }

    /// Orders writes: no later step can reach the disk before the bytes written so far, even if the
    /// power fails.
    package func writeBarrier() throws(DiskFile.Problem) {
        #if canImport(Darwin)
            // After `fsync` alone, the disk's cache may write a later step first. If the file
            // system does not support the barrier, `fsync` has to suffice.
            let isOrdered = try? DiskFile.retrying { fcntl(descriptor, F_BARRIERFSYNC) }
            if isOrdered != nil { return }
        #endif
        _ = try DiskFile.retrying { fsync(descriptor) }
    }

    /// Returns when the disk has stored the bytes and everything written before them.
    func sync() throws(DiskFile.Problem) {
        #if canImport(Darwin)
            let isStored = try? DiskFile.retrying { fcntl(descriptor, F_FULLFSYNC) }
            if isStored != nil { return }
        #endif
        _ = try DiskFile.retrying { fsync(descriptor) }
    }
}
