import TelexTransport
import TemplateRules

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of templates, one file `METHOD.json` for each API method. Other files in it are left
/// alone.
struct TemplateFolder: Sendable, Equatable {
    /// The largest template, in bytes.
    static let largestFile = TemplateParser.sizeLimit
    private static let suffix = ".json"

    let path: String

    /// A file in this folder.
    func file(named name: String) -> String { "\(path)/\(name)" }

    /// The file of a method's template.
    func file(of method: String) -> String { file(named: method + Self.suffix) }

    /// The name of the method whose template a file is; nil for any other file.
    static func method(ofFile name: String) -> String? {
        guard name.hasSuffix(suffix) else { return nil }
        let method = String(name.dropLast(suffix.count))
        return problem(ofName: method) == nil ? method : nil
    }

    /// Why a text cannot be the name of a method; nil if it can.
    static func problem(ofName name: String) -> String? {
        // The longest name of a file has 255 bytes.
        let limit = 200
        if name.isEmpty { return "it is empty" }
        if name.utf8.count > limit { return "it is longer than \(limit) bytes" }
        if name.utf8.first == UInt8(ascii: ".") { return "it begins with a dot" }
        if name.utf8.contains(where: { "/\\:".utf8.contains($0) }) {
            return "it has a `/`, `\\` or `:`"
        }
        return name == name.visible ? nil : "it has invisible characters"
    }

    /// Checks the name of a method, which becomes the name of a file.
    static func check(name: String) throws(TemplaterError) {
        if let problem = problem(ofName: name) {
            throw TemplaterError(name, .invalidName(problem))
        }
    }

    // MARK: Files

    /// Reads the template of a method; nil if there is none.
    func read(_ method: String) throws(TemplaterError) -> [UInt8]? {
        try readFile(method + Self.suffix)
    }

    /// Reads a file of this folder; nil if there is none.
    func readFile(_ name: String) throws(TemplaterError) -> [UInt8]? {
        try Self.read(file(named: name), limit: Self.largestFile)
    }

    /// Reads a regular file; nil if there is none.
    ///
    /// - Parameter limit: The largest number of bytes that are read.
    static func read(_ file: String, limit: Int) throws(TemplaterError) -> [UInt8]? {
        do throws(DiskFile.Problem) {
            // Without O_NONBLOCK, opening a named pipe would block.
            let open = try OpenFile(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard try open.facts().st_mode & S_IFMT == S_IFREG else {
                throw DiskFile.Problem(code: EISDIR)
            }
            return try open.bytes(upTo: limit)
        } catch {
            // Without the folder, there is no file either.
            if error.isMissing { return nil }
            if error.code == EFBIG { throw TemplaterError(file, .tooLarge(limit: limit)) }
            throw TemplaterError(file, error)
        }
    }

    /// The file that becomes another one when all its bytes are on disk.
    private static let temporary = ".write.tmp"

    /// Replaces a file of this folder atomically. Only one process may do so at a time.
    func replaceFile(_ name: String, with bytes: [UInt8]) throws(TemplaterError) {
        let (file, temporary) = (file(named: name), file(named: Self.temporary))
        try onDisk(file) { () throws(DiskFile.Problem) in
            // An ended process may have left its temporary file.
            try DiskFile.remove(temporary)
            try DiskFile.replace(file, with: bytes, by: temporary)
        }
    }

    /// Replaces the template of a method, as ``replaceFile(_:with:)`` does.
    func replaceTemplate(of method: String, with bytes: [UInt8]) throws(TemplaterError) {
        try replaceFile(method + Self.suffix, with: bytes)
    }

    /// Removes the template of a method; nothing happens if there is none.
    func removeTemplate(of method: String) throws(TemplaterError) {
        try removeFile(method + Self.suffix)
    }

    /// Creates the folder and those around it, where they are missing.
    func create() throws(TemplaterError) {
        guard DiskFile.kind(of: path, followingLinks: true) != S_IFDIR else { return }
        var folder = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        for name in path.utf8.split(separator: UInt8(ascii: "/")) {
            folder += String(Substring(name)) + "/"
            if mkdir(folder, 0o700) == 0 { continue }
            let code = errno
            if DiskFile.kind(of: folder, followingLinks: true) == S_IFDIR { continue }
            throw TemplaterError(folder, DiskFile.Problem(code: code))
        }
    }

    /// Removes all templates.
    func removeTemplates() throws(TemplaterError) {
        for template in try templates() { try removeTemplate(of: template.method) }
    }

    /// Removes a file of this folder; nothing happens if there is none.
    func removeFile(_ name: String) throws(TemplaterError) {
        let file = file(named: name)
        try onDisk(file) { () throws(DiskFile.Problem) in try DiskFile.remove(file) }
    }

    /// Removes the temporary file of a write that did not end.
    func removeTemporary() throws(TemplaterError) { try removeFile(Self.temporary) }

    /// Removes the folder if nothing is in it.
    func removeIfEmpty() { _ = rmdir(path) }

    /// Replaces several templates. All are written to a temporary folder before the first is
    /// replaced, so that a full disk changes nothing.
    ///
    /// - Parameter checkpoint: Runs between the steps.
    func replaceTemplates(
        _ templates: [(method: String, bytes: [UInt8])], _ checkpoint: () -> Void
    ) throws(TemplaterError) {
        let waiting = TemplateFolder(path: file(named: ".unpacked.tmp"))
        try waiting.create()
        // An ended process may have left files in it.
        try waiting.removeTemplates()
        do throws(TemplaterError) {
            for (method, bytes) in templates {
                checkpoint()
                try waiting.replaceTemplate(of: method, with: bytes)
            }
            for (method, _) in templates {
                checkpoint()
                try onDisk(file(of: method)) { () throws(DiskFile.Problem) in
                    try DiskFile.move(waiting.file(of: method), to: file(of: method))
                }
            }
            waiting.removeIfEmpty()
            // Errors are ignored: not every file system supports this.
            try? DiskFile.syncFolder(of: waiting.path)
        } catch {
            try? waiting.removeTemplates()
            waiting.removeIfEmpty()
            throw error
        }
    }
}

extension TemplaterError {
    /// The error for one of the system.
    init(_ path: String, _ problem: DiskFile.Problem) {
        let reason: Reason =
            switch problem.code {
            case ENOTDIR, EEXIST: .notAFolder
            case EISDIR, ELOOP, ENXIO: .notAFile
            case EACCES, EPERM, EROFS: .noPermission
            case ENOSPC, EDQUOT: .diskFull
            case EWOULDBLOCK: .busy
            default: .system(problem.code)
            }
        self.init(path, reason)
    }
}

/// Returns the result of a step on disk; its error becomes an error about the path.
private func onDisk<Result>(
    _ path: String, _ step: () throws(DiskFile.Problem) -> Result
) throws(TemplaterError) -> Result {
    do throws(DiskFile.Problem) { return try step() } catch { throw TemplaterError(path, error) }
}
