import TelexTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A small file with a secret: only its owner may read it. It is never accessed through a symbolic
/// link, because another user may have placed the link.
package struct PrivateFile: Sendable {
    /// The maximum size in bytes; a larger file is not a credential.
    package static let limit = 1_048_576

    package let path: String

    /// Checks that the path is valid before any file is made beside it, and that an existing item
    /// there may be replaced. Pipes and devices such as `/dev/null` may not, because they do not
    /// belong to the app. A symbolic link passes, because it may be removed.
    package func check(_ task: CredentialStoreError.Task) throws(CredentialStoreError) {
        do throws(DiskFile.Problem) { try DiskFile.check(path) } catch {
            throw problem(task, error)
        }
        guard [nil, S_IFREG, S_IFLNK].contains(DiskFile.kind(of: path)) else {
            throw refusal(task, because: Self.isNoFile)
        }
    }

    /// Returns all bytes; `nil` if there is no file.
    package func read() throws(CredentialStoreError) -> [UInt8]? {
        var distrust: String?
        var isFile = false
        do throws(DiskFile.Problem) {
            // Without O_NONBLOCK, opening a named pipe would block.
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let facts = try file.facts()
            isFile = facts.st_mode & S_IFMT == S_IFREG
            distrust = isFile ? Self.distrust(facts) : Self.isNoFile
            if distrust == nil { return try file.bytes(upTo: Self.limit) }
        } catch {
            if error.code == ENOENT { return nil }
            throw error.code == ELOOP ? linked(.read) : problem(.read, error)
        }
        // The credential of a new login can replace a file, but no other item.
        throw refusal(.read, because: distrust ?? "", needsLogin: isFile)
    }

    /// The path of the temporary file that is written before it replaces the file.
    private var temporaryPath: String { DiskFile.path(beside: path, ".write.tmp") }

    /// Replaces the file atomically: readers see the old content or the new one.
    ///
    /// - Parameter isExclusive: Whether no other process writes at the same time. Then the temporary
    ///   file of an interrupted write is removed first.
    package func replace(with bytes: [UInt8], isExclusive: Bool) throws(CredentialStoreError) {
        guard DiskFile.kind(of: path) != S_IFLNK else { throw linked(.save) }
        // A larger file could not be read again.
        guard bytes.count <= Self.limit else { throw problem(.save, .init(code: EFBIG)) }
        do throws(DiskFile.Problem) {
            if isExclusive { try DiskFile.remove(temporaryPath) }
            try DiskFile.replace(path, with: bytes, by: isExclusive ? temporaryPath : nil)
        } catch {
            throw problem(.save, error)
        }
    }

    /// Removes the file; does nothing if there is none.
    ///
    /// - Parameter isExclusive: As for ``replace(with:isAlone:)``.
    package func remove(isExclusive: Bool) throws(CredentialStoreError) {
        do throws(DiskFile.Problem) {
            try DiskFile.remove(path)
            if isExclusive { try DiskFile.remove(temporaryPath) }
        } catch {
            throw problem(.clear, error)
        }
    }

    /// The reason not to trust a file: other users may have read or written it.
    private static func distrust(_ facts: stat) -> String? {
        if facts.st_uid != geteuid() {
            return "it belongs to another user; remove it and log in again"
        }
        guard facts.st_mode & 0o077 != 0 else { return nil }
        let mode = String(facts.st_mode & 0o777, radix: 8)
        return "other users may access it (mode \(mode)); run `chmod 600` on it, and log in "
            + "again if another user may have read it"
    }

    private static let isNoFile = "it is not a regular file; give the store the path of a file"

    private func linked(_ task: CredentialStoreError.Task) -> CredentialStoreError {
        refusal(task, because: "it is a symbolic link; give the store the path of the file itself")
    }

    private func problem(
        _ task: CredentialStoreError.Task, _ problem: DiskFile.Problem
    ) -> CredentialStoreError {
        let isTooLarge = problem.code == EFBIG
        let size = "it is larger than \(Self.limit) bytes, so it is not a credential"
        return refusal(
            task, because: isTooLarge ? size : problem.creationErrorText(path),
            needsLogin: isTooLarge && task == .read)
    }

    private func refusal(
        _ task: CredentialStoreError.Task, because why: String, needsLogin: Bool = false
    ) -> CredentialStoreError {
        let place = path.isEmpty ? "" : "\(path.visible): "
        return CredentialStoreError(task, place + why, needsLogin: needsLogin)
    }
}
