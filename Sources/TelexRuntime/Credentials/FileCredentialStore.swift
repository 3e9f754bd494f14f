#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Keeps a credential in a file that only its owner can read. The file is replaced in one step: a
/// crash leaves the old credential or the new one.
///
/// Processes may share the file: ``exclusively(_:)`` holds for all of them.
///
/// > Important: iOS ends an app that is suspended while it has a file locked in the container of an app
/// > group (`0xdead10cc`), and this store has one locked as long as a refresh takes: with a refresher that
/// > shows a login (`.app`), until a person has logged in. If the file is there, hold the suspension up
/// > meanwhile, and do not wait for a person: <doc:Authentication> says how. Apps with extensions whose
/// > refresher shows a login are better off with a `KeychainCredentialStore`.
public final class FileCredentialStore: CredentialStore {
    /// Where the file is.
    public let path: String

    private let file: PrivateFile
    private let lock: FileLock
    private let writeLock: FileLock

    /// A store in this file; its folder has to exist when a credential is saved. If no file can have the
    /// path, because it is empty, holds a NUL or ends in a slash, whatever is asked of the store fails.
    public convenience init(path: String) {
        self.init(path: path, pause: { try await Task.sleep(for: $0) })
    }

    /// - Parameter pause: Lets so much time pass before another process is looked after again.
    init(path: String, pause: @escaping FileLock.Pause) {
        self.path = path
        file = PrivateFile(path: path)
        lock = FileLock(path: DiskFile.path(beside: path, ".lock"), pause: pause)
        writeLock = FileLock(path: DiskFile.path(beside: path, ".write.lock"), pause: pause)
    }

    /// The credential; nil if there is no file.
    ///
    /// - Throws: If the path is a symbolic link or no file, others than its owner may use the file,
    ///   it cannot be read, or it holds no credential.
    public func read() async throws(CredentialStoreError) -> Credential? {
        guard let bytes = try file.read() else { return nil }
        return try Credential(stored: bytes, in: path)
    }

    /// Writes the file anew, readable and writable by its owner only.
    ///
    /// - Throws: If the path is a symbolic link or no file, the file cannot be written, or another
    ///   process keeps it locked for ten seconds; and if there are more bytes than ``read()`` takes, a mebibyte.
    public func save(_ credential: Credential) async throws(CredentialStoreError) {
        try await inTurn(.save) { isAlone throws(CredentialStoreError) in
            try file.replace(with: credential.stored, isAlone: isAlone)
        }
    }

    /// Keeps a credential, or none, in place of an old one, if that is still there, in one step:
    /// whatever others keep or forget, in this process or another, they do before or after it.
    ///
    /// - Throws: As ``read()`` and ``save(_:)``.
    public func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential? {
        try await inTurn(.save) { isAlone throws(CredentialStoreError) in
            let stored = try file.read().map { bytes throws(CredentialStoreError) in
                try Credential(stored: bytes, in: path)
            }
            guard stored?.token == old?.token else { return stored }
            guard let new else {
                try file.remove(isAlone: isAlone)
                return nil
            }
            try file.replace(with: new.stored, isAlone: isAlone)
            return new
        }
    }

    /// Removes the file, and with it what is left of a save during which a process was killed; the lock
    /// files stay.
    ///
    /// - Throws: If it is there and cannot be removed, or is no file. Also if others could not be kept out, although
    ///   the file is gone: one that was about to write may bring it back.
    public func clear() async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try await inTurn(.clear) { isAlone throws(CredentialStoreError) in
                try file.remove(isAlone: isAlone)
            }
        } catch {
            // Who logs out is logged out as far as that can be done.
            if error.task == .lock { try file.remove(isAlone: false) }
            throw error
        }
    }

    /// Does something to the file while nobody else does. That takes no longer than a write, so it is
    /// waited for even by a task that is cancelled. Where nothing can be locked, in a folder that is
    /// missing, say, the work itself finds out what is wrong.
    ///
    /// - Parameter work: Is told whether nobody else can be at it.
    private func inTurn<T>(
        _ task: CredentialStoreError.Task,
        _ work: (_ isAlone: Bool) throws(CredentialStoreError) -> T
    ) async throws(CredentialStoreError) -> T {
        try file.check(task)
        let turn = try await writeLock.patiently()
        defer { extendLifetime(turn) }
        return try work(turn != nil)
    }

    /// Runs the closure while nobody else, in this process or another, runs one for this file.
    ///
    /// Processes keep each other out with a lock (`flock`) on an empty file beside the credential,
    /// named like it with `.lock` added, and with another, `.write.lock`, while they write; of a name too
    /// long for that, the end gives way to a hash. The
    /// system lets go of it when a process ends, however that happens. The files stay, because
    /// removing them would let two processes in. Waiting blocks no thread: the lock is tried every
    /// 20 ms, or sooner to write. Within the process those who come first are first.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits,
    ///   ``CredentialStoreError`` if the lock file cannot be used, and what `body` throws.
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
