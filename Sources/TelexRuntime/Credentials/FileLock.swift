#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A critical section of several processes: whoever has the lock on a file is inside. The lock goes
/// with the open file, so the end of a process, however it comes, frees it.
struct FileLock: Sendable {
    /// Lets so much time pass.
    typealias Pause = @Sendable (Duration) async throws -> Void

    let path: String
    let pause: Pause

    /// Runs the closure when nobody else is inside.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits,
    ///   `CredentialStoreError` if the file cannot be locked, and what `body` throws.
    func withLock<T: Sendable>(_ body: () async throws -> T) async throws -> T {
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

    /// Waits for the lock of somebody who is soon ready, also in a task that is cancelled; not for one
    /// who is not, such as a process that has been stopped.
    ///
    /// - Returns: The open file that holds it; nil if nobody can have it, since no file can be made in
    ///   the folder.
    /// - Throws: If the file cannot be locked, or somebody else keeps the lock for ten seconds.
    func patiently() async throws(CredentialStoreError) -> OpenFile? {
        var (time, waited) = (Duration.milliseconds(1), Duration.zero)
        while waited < .seconds(10) {
            do throws(DiskFile.Problem) {
                if let file = try attempt() { return file }
            } catch {
                if hasNoPlace(error.code) { return nil }
                throw problem(error.code)
            }
            // In a task of its own, since one that is cancelled cannot sleep.
            await Task { [pause, time] in try? await pause(time) }.value
            waited += time
            time = min(time * 2, .milliseconds(50))
        }
        throw CredentialStoreError(
            .lock, "\(path): another process has had it locked for 10 seconds; is it stopped?")
    }

    /// The open file with the lock on it; nil if somebody else has it.
    private func attempt() throws(DiskFile.Problem) -> OpenFile? {
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        guard try file.lock() else { return nil }
        return consume file
    }

    /// Whether no file can be made there, and none is: the folder is missing or cannot be written to.
    private func hasNoPlace(_ code: Int32) -> Bool {
        var facts = stat()
        return [ENOENT, ENOTDIR, EACCES, EROFS].contains(code) && lstat(path, &facts) != 0
    }

    private func problem(_ code: Int32) -> CredentialStoreError {
        let why =
            switch code {
            case ELOOP: "it is a symbolic link; remove it"
            case EACCES: "it may be another user's; remove it"
            default: DiskFile.Problem(code: code).textOfMaking(path)
            }
        return CredentialStoreError(.lock, "\(path): \(why)")
    }
}
