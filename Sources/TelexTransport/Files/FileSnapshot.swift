#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The state of a file that another component reads while it is sent. `check` compares it with the
/// file afterwards.
package struct FileSnapshot: Sendable {
    private let path: String
    private let original: FileState

    /// - Throws: `.invalidRequest` if the file cannot be read or is not `length` bytes long.
    package init(path: String, length: Int) throws(TransportError) {
        self = try InputFile(path: path, length: length).snapshot
    }

    init(_ path: String, _ original: FileState) {
        self.path = path
        self.original = original
    }

    /// Checks that the file has not changed.
    package func check() throws(TransportError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .changed(path, "it is gone") }
        if let change = original.change(to: FileState(status)) { throw .changed(path, change) }
    }
}

/// The identity, size and modification time of a file, to detect changes without reading it.
struct FileState: Sendable {
    package let size: Int
    private let device: UInt64
    private let number: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    package init(_ status: stat) {
        size = Int(clamping: status.st_size)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        (seconds, nanoseconds) = (Int(modified.tv_sec), Int(modified.tv_nsec))
    }

    /// - Throws: `.invalidRequest` if the file is not a regular file.
    package init(of file: borrowing OpenFile, at path: String) throws(TransportError) {
        guard let status = try? file.facts(), status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest("`\(path.escaped)` is not a file")
        }
        self.init(status)
    }

    /// - Throws: `.invalidRequest` if the file is not a regular file of `length` bytes.
    package init(of file: borrowing OpenFile, at path: String, length: Int) throws(TransportError) {
        try self.init(of: file, at: path)
        guard size == length else {
            throw .invalidRequest(
                "the file `\(path.escaped)` has \(size) bytes, \(length) were promised")
        }
    }

    /// A description of the first difference; nil if there is none.
    package func change(to now: FileState) -> String? {
        if (device, number) != (now.device, now.number) { return "it was replaced by another file" }
        if size != now.size { return "it has \(now.size) bytes, \(size) were promised" }
        let isOlder = (seconds, nanoseconds) != (now.seconds, now.nanoseconds)
        return isOlder ? "it was written to" : nil
    }
}

extension TransportError {
    /// An error for a file that changed while it was sent.
    package static func changed(_ path: String, _ change: String) -> TransportError {
        .invalidRequest(
            """
            the file `\(path.escaped)` changed while it was sent: \(change); leave it alone until the \
            upload has ended, or upload a copy of it
            """)
    }
}
