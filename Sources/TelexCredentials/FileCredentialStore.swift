import TelexTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A store that keeps a credential in a file that only its owner can read. The file is replaced
/// atomically: after a crash, it contains the old credential or the new one.
///
/// Several processes may share the file: ``exclusively(_:)`` is exclusive among them.
///
/// > Important: iOS terminates an app that is suspended while it holds a lock on a file in the
/// > container of an app group (`0xdead10cc`). This store holds a lock for the duration of a
/// > refresh; with a refresher that shows a login (`.app`), until the user has logged in. If the
/// > file is in such a container, delay the suspension during a refresh, and do not wait for the
/// > user: <doc:Authentication> explains how. For apps with extensions whose refresher shows a
/// > login, a `KeychainCredentialStore` is the better choice.
public final class FileCredentialStore: CredentialStore {
    /// The path of the file.
    public let path: String

    private let file: PrivateFile
    private let lock: FileLock
    private let writeLock: FileLock

    /// Makes a store in this file; its folder has to exist when a credential is saved. If the path
    /// is invalid, because it is empty, contains a NUL or ends in a slash, every operation of the
    /// store fails.
    public convenience init(path: String) {
        self.init(path: path, pause: { try await Task.sleep(for: $0) })
    }

    /// - Parameter pause: Waits before the lock of another process is tried again.
    package init(path: String, pause: @escaping FileLock.Pause) {
        self.path = path
        file = PrivateFile(path: path)
        lock = FileLock(path: DiskFile.path(beside: path, ".lock"), pause: pause)
        writeLock = FileLock(path: DiskFile.path(beside: path, ".write.lock"), pause: pause)
    }

    /// Returns the credential; `nil` if there is no file.
    ///
    /// - Throws: If the path is a symbolic link or not a regular file, if users other than its
    ///   owner may access it, if it cannot be read, or if it does not contain a credential.
    public func read() async throws(CredentialStoreError) -> Credential? {
        guard let bytes = try file.read() else { return nil }
        return try Credential(stored: bytes, in: path)
    }

    /// Replaces the file; only its owner can read and write it.
    ///
    /// - Throws: If the path is a symbolic link or not a regular file, if the file cannot be
    ///   written, if another process keeps it locked for ten seconds, or if the credential exceeds
    ///   the size that ``read()`` accepts, one mebibyte.
    public func save(_ credential: Credential) async throws(CredentialStoreError) {
        try await withWriteLock(.save) { isExclusive throws(CredentialStoreError) in
            try file.replace(with: credential.stored, isExclusive: isExclusive)
        }
    }

    /// Replaces or removes a credential if it is still stored, in one step: writes of other code,
    /// in this process or another, happen before or after it.
    ///
    /// - Throws: As ``read()`` and ``save(_:)``.
    public func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential? {
        try await withWriteLock(.save) { isExclusive throws(CredentialStoreError) in
            let stored = try file.read().map { bytes throws(CredentialStoreError) in
                try Credential(stored: bytes, in: path)
            }
            guard stored?.token == old?.token else { return stored }
            guard let new else {
                try file.remove(isExclusive: isExclusive)
                return nil
            }
            try file.replace(with: new.stored, isExclusive: isExclusive)
            return new
        }
    }

    /// Removes the file and the temporary file of an interrupted save; the lock files stay.
    ///
    /// - Throws: If the file cannot be removed, or is not a regular file. Also if the lock could
    ///   not be acquired, although the file was removed: a concurrent write may restore it.
    public func clear() async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try await withWriteLock(.clear) { isExclusive throws(CredentialStoreError) in
                try file.remove(isExclusive: isExclusive)
            }
        } catch {
            // A log-out removes the file even without the lock.
            if error.task == .lock { try file.remove(isExclusive: false) }
            throw error
        }
    }

    /// Runs `work` under the write lock. The lock is held only for one write, so even a cancelled
    /// task waits for it. If no lock file can be made, for example because the folder is missing,
    /// `work` itself fails with the reason.
    ///
    /// - Parameter work: The work; its argument is whether the lock is held.
    private func withWriteLock<T>(
        _ task: CredentialStoreError.Task,
        _ work: (_ isExclusive: Bool) throws(CredentialStoreError) -> T
    ) async throws(CredentialStoreError) -> T {
        try file.check(task)
        let turn = try await writeLock.acquireBriefly()
        defer { extendLifetime(turn) }
        return try work(turn != nil)
    }

    /// Runs the closure exclusively for this file, among all tasks and processes.
    ///
    /// Processes use a lock (`flock`) on an empty file beside the credential, whose name is that of
    /// the credential file plus `.lock`, and another one, `.write.lock`, while they write. If the
    /// name would be too long, its end is replaced by a hash. The system releases the locks when a
    /// process ends for any reason. The files are not removed, because otherwise two processes
    /// could hold the lock. Waiting blocks no thread: the lock is tried every 20 ms, or more often
    /// for a write. Within the process, the lock is granted in the order of arrival.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits,
    ///   ``CredentialStoreError`` if the lock file cannot be used, and the errors of `body`.
    public func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
        try file.check(.lock)
        return try await LockRegistry.shared.withLock(.named(path, kind: "file")) {
            try await lock.withLock(body)
        }
    }
}

extension CredentialStore where Self == FileCredentialStore {
    /// A store in a file that only its owner can read.
    public static func file(_ path: String) -> FileCredentialStore {
        FileCredentialStore(path: path)
    }
}
