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
            if let file = try attempt() { return file }
            try await pause(.milliseconds(20))
        }
    }

    /// Waits for the lock of somebody who is soon ready, also in a task that is cancelled.
    ///
    /// - Returns: The open file that holds it; nil if the file cannot be locked.
    func patiently() async -> OpenFile? {
        var time = Duration.milliseconds(1)
        do throws(CredentialStoreError) {
            while true {
                if let file = try attempt() { return file }
                // In a task of its own, since one that is cancelled cannot sleep.
                await Task { [pause, time] in try? await pause(time) }.value
                time = min(time * 2, .milliseconds(50))
            }
        } catch { return nil }
    }

    /// The open file with the lock on it; nil if somebody else has it.
    private func attempt() throws(CredentialStoreError) -> OpenFile? {
        do throws(DiskFile.Problem) {
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
            guard try file.lock() else { return nil }
            return consume file
        } catch {
            throw problem(error.code)
        }
    }

    private func problem(_ code: Int32) -> CredentialStoreError {
        let why =
            code == ELOOP
            ? "it is a symbolic link; remove it" : DiskFile.Problem(code: code).textOfMaking
        return CredentialStoreError(.lock, "\(path): \(why)")
    }
}
