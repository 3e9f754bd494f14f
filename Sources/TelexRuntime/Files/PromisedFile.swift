#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that others read while it is sent: what it was when it was promised, to be compared with
/// what it is when they have done so.
package struct PromisedFile: Sendable {
    private let path: String
    private let promised: FileState

    /// - Throws: `.invalidRequest` if there is no file that can be read and is `length` bytes long.
    package init(path: String, length: Int) throws(TransportError) {
        self = try InputFile(path: path, length: length).promise
    }

    init(_ path: String, _ promised: FileState) {
        self.path = path
        self.promised = promised
    }

    /// Makes sure that the file is still what it was.
    ///
    /// - Throws: `.invalidRequest` otherwise.
    package func check() throws(TransportError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .changed(path, "it is gone") }
        if let change = promised.change(to: FileState(status)) { throw .changed(path, change) }
    }
}

/// What tells whether a file is the same as before, as far as that shows without reading it.
struct FileState: Sendable {
    let size: Int
    private let device: UInt64
    private let number: UInt64
    private let seconds: Int
    private let nanoseconds: Int

    init(_ status: stat) {
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

    /// - Throws: `.invalidRequest` if it is no regular file.
    init(of file: borrowing OpenFile, _ path: String) throws(TransportError) {
        guard let status = try? file.facts(), status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest("`\(path.escaped)` is not a file")
        }
        self.init(status)
    }

    /// - Throws: `.invalidRequest` if it is not `length` bytes long either.
    init(of file: borrowing OpenFile, _ path: String, length: Int) throws(TransportError) {
        try self.init(of: file, path)
        guard size == length else {
            throw .invalidRequest(
                "the file `\(path.escaped)` has \(size) bytes, \(length) were promised")
        }
    }

    /// What is no longer the same, in words; nil if nothing is.
    func change(to now: FileState) -> String? {
        if (device, number) != (now.device, now.number) { return "another file has its place" }
        if size != now.size { return "it has \(now.size) bytes, \(size) were promised" }
        let isOlder = (seconds, nanoseconds) != (now.seconds, now.nanoseconds)
        return isOlder ? "it was written to" : nil
    }
}

extension TransportError {
    /// A file did not stay what it was.
    static func changed(_ path: String, _ change: String) -> TransportError {
        .invalidRequest(
            """
            the file `\(path.escaped)` changed while it was sent: \(change); leave it alone until the \
            upload has ended, or upload a copy of it
            """)
    }
}
