import TelexTransport

/// The reason why a template could not be found, stored or moved. What was stored before is still
/// there.
public struct TemplaterError: Error, Sendable, Hashable {
    /// The cause of an error.
    public enum Reason: Sendable, Hashable {
        /// The name is not the name of an API method; the value says why.
        case invalidName(String)
        /// The reply is empty: no text, `null`, `{}` or `[]`. It would match any reply.
        case emptyReply
        /// The text is not JSON, or not a template; the value says where and why.
        case corrupt(String)
        /// The archive is missing, or not a zip archive of templates; the value says why.
        case badArchive(String)
        /// The file has more bytes than this limit.
        case tooLarge(limit: Int)
        /// The address of a folder or an archive is not one of a file.
        case notAPath
        /// A component of the path that should be a folder is a file.
        case notAFolder
        /// The item at the path is a folder, a link, a pipe or the like.
        case notAFile
        /// The folder to move to has templates already; the value names one.
        case hasTemplates(String)
        /// This process may not read or write there, or the file system is read-only.
        case noPermission
        /// The disk, or this user's quota on it, is full.
        case diskFull
        /// Another process has held the lock on the folder for ten seconds.
        case busy
        /// Another error of the system, as `errno`.
        case system(Int32)
    }

    /// The path of the file or folder; for an invalid name, the name.
    public let path: String
    /// The cause.
    public let reason: Reason

    init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension TemplaterError: CustomStringConvertible {
    /// The reason, the remedy and the path, whose middle is left out if it is long. The reason comes
    /// first, because reports of replies shorten texts at their end.
    public var description: String { "\(words) (`\(shownPath.escaped)`)" }

    private var shownPath: String {
        path.count > 60 ? "\(path.prefix(20))…\(path.suffix(39))" : path
    }

    private var words: String {
        switch reason {
        case .invalidName(let why): "not the name of an API method: \(why)"
        case .emptyReply: "an empty template, which any reply matches; write a whole one"
        case .corrupt(let why): "not a template: \(why.visible); correct or remove it"
        case .badArchive(let why):
            "not an archive of templates: \(why); pack it again, and put it into the app"
        case .tooLarge(let limit): "larger than \(limit) bytes; shorten it"
        case .notAPath: "not the address of a file; give one that begins with `file:`"
        case .notAFolder: "a file in place of a folder; choose another folder"
        case .notAFile: "a folder, a link or the like, not a file; remove it"
        case .hasTemplates(let name):
            "a template is there already (\(name.escaped)); choose a folder without templates"
        case .noPermission:
            "this process may not read or write there; choose another folder, or change its "
                + "permissions"
        case .diskFull: "the disk is full; make room and try again"
        case .busy: "locked by another process for 10 seconds; is it stopped?"
        case .system(let code): "\(DiskFile.Problem(code: code).text)"
        }
    }
}
