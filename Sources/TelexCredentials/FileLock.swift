import TelexTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock among processes: the process that holds the lock on a file. The lock belongs to the open
/// file, so the system releases it when the process ends for any reason.
package struct FileLock: Sendable {
    /// Waits for a duration.
    package typealias Pause = @Sendable (Duration) async throws -> Void

    package let path: String
    package let pause: Pause

    /// A lock on the file at a path.
    ///
    /// - Parameter pause: Waits before the lock of another process is tried again.
    package init(path: String, pause: @escaping Pause) {
        self.path = path
        self.pause = pause
    }

    /// Runs the closure while holding the lock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits,
    ///   `CredentialStoreError` if the file cannot be locked, and the errors of `body`.
    package func withLock<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        let file = try await enter()
        defer { extendLifetime(file) }
        return try await body()
    }

    /// Waits for the lock and returns the open file that holds it.
    private func enter() async throws -> OpenFile {
        while true {
            try Task.checkCancellation()
            do throws(DiskFile.Problem) {
                if let file = try attempt() { return file }
            } catch {
                throw problem(error.code)
            }
            try await pause(.milliseconds(20))
        }
    }

    /// Waits for a lock that is held only briefly, as ``acquire()`` does.
    ///
    /// - Returns: The open file that holds the lock; `nil` if no lock file can be made in the
    ///   folder.
    /// - Throws: If the file cannot be locked, or if another process holds the lock for ten
    ///   seconds.
    package func acquireBriefly() async throws(CredentialStoreError) -> OpenFile? {
        do throws(DiskFile.Problem) { return try await acquire() } catch {
            if isUncreatable(error.code) { return nil }
            throw problem(error.code)
        }
    }

    /// Waits for a lock that is held only briefly, also in a cancelled task, but for at most ten
    /// seconds, because its holder may be a stopped process.
    ///
    /// - Returns: The open file that holds the lock.
    /// - Throws: If the file cannot be locked; `EWOULDBLOCK` if another process holds the lock for
    ///   ten seconds.
    package func acquire() async throws(DiskFile.Problem) -> OpenFile {
        var (time, waited) = (Duration.milliseconds(1), Duration.zero)
        while waited < .seconds(10) {
            if let file = try attempt() { return file }
            // A separate task, because a cancelled task cannot sleep.
            await Task { [pause, time] in try? await pause(time) }.value
            waited += time
            time = min(time * 2, .milliseconds(50))
        }
        throw DiskFile.Problem(code: EWOULDBLOCK)
    }

    /// Returns the open file with the lock on it; `nil` if the lock is held elsewhere.
    private func attempt() throws(DiskFile.Problem) -> OpenFile? {
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        guard try file.lock() else { return nil }
        return consume file
    }

    /// Whether the file does not exist and cannot be made: the folder is missing or not writable.
    private func isUncreatable(_ code: Int32) -> Bool {
        var facts = stat()
        return [ENOENT, ENOTDIR, EACCES, EROFS].contains(code) && lstat(path, &facts) != 0
    }

    private func problem(_ code: Int32) -> CredentialStoreError {
        let why =
            switch code {
            case ELOOP: "it is a symbolic link; remove it"
            case EACCES: "it may be another user's; remove it"
            case EWOULDBLOCK:
                "another process has held its lock for 10 seconds; is it stopped?"
            default: DiskFile.Problem(code: code).creationErrorText(path)
            }
        return CredentialStoreError(.lock, "\(path): \(why)")
    }
}
