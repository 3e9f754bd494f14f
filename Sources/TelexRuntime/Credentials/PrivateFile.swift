#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A small file with a secret: nobody but its owner may read it, and it is never reached through a
/// symbolic link, which somebody else may have put there.
struct PrivateFile: Sendable {
    /// More is no credential.
    static let limit = 1_048_576

    let path: String

    /// All bytes; nil if there is no file.
    func read() throws(CredentialStoreError) -> [UInt8]? {
        // Without O_NONBLOCK a named pipe would be waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? linked(.read) : problem(.read, DiskFile.Problem(code: errno))
        }
        defer { close(file) }
        try check(file)
        let bytes: [UInt8]?
        do { bytes = try DiskFile.read(file, upTo: Self.limit) } catch {
            throw problem(.read, error)
        }
        guard let bytes else {
            throw refusal(.read, "it is larger than \(Self.limit) bytes, so it is no credential")
        }
        return bytes
    }

    /// Puts bytes in the place of the file. Whoever looks sees the old file or the new one.
    func replace(with bytes: [UInt8]) throws(CredentialStoreError) {
        guard !isLink else { throw linked(.save) }
        do { try DiskFile.replace(path, with: bytes) } catch { throw problem(.save, error) }
    }

    /// Removes the file; it is no problem if there is none.
    func remove() throws(CredentialStoreError) {
        do { try DiskFile.remove(path) } catch { throw problem(.clear, error) }
    }

    /// Refuses a file whose content others may know, or may have written.
    private func check(_ file: Int32) throws(CredentialStoreError) {
        var facts = stat()
        guard fstat(file, &facts) == 0 else {
            throw problem(.read, DiskFile.Problem(code: errno))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw refusal(.read, "it is no file") }
        guard facts.st_uid == geteuid() else {
            throw refusal(.read, "it belongs to another user; remove it and log in again")
        }
        guard facts.st_mode & 0o077 == 0 else {
            let mode = String(facts.st_mode & 0o777, radix: 8)
            throw refusal(
                .read,
                "others than its owner may use it (mode \(mode)); run `chmod 600` on it, and log "
                    + "in again if somebody else may have read it")
        }
    }

    private var isLink: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
    }

    private func linked(_ task: CredentialStoreError.Task) -> CredentialStoreError {
        refusal(task, "it is a symbolic link; give the store the path of the file itself")
    }

    private func problem(
        _ task: CredentialStoreError.Task, _ problem: DiskFile.Problem
    ) -> CredentialStoreError {
        refusal(task, problem.text)
    }

    private func refusal(
        _ task: CredentialStoreError.Task, _ why: String
    ) -> CredentialStoreError {
        CredentialStoreError(task, "\(path): \(why)")
    }
}
