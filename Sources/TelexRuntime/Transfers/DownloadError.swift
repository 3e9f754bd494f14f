#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why a download could not be put on disk: which file, what stood in the way, what to do.
public struct DownloadError: Error, Sendable, Hashable {
    /// What stood in the way.
    public enum Reason: Sendable, Hashable {
        /// No file can have this path: it is empty or holds a NUL.
        case invalidPath
        /// There is a folder where the file should be.
        case isFolder
        /// There is a device, a pipe or the like where the file should be.
        case notAFile
        /// The folder that the file should be in does not exist.
        case missingFolder
        /// What should be a folder on the way to the file is a file.
        case notAFolder
        /// This process may not write there.
        case noPermission
        /// The name, with `.part.json` behind it, is longer than the file system allows.
        case nameTooLong
        /// The disk, or the share of it that this user has, is full.
        case diskFull
        /// Another download to the same file is under way, here or in another process.
        case busy
        /// The unfinished file is not one that a download made; why.
        case untrustedPartial(String)
        /// What stands in the place of its journal, named with `.part.json` behind it, is none.
        case untrustedJournal
        /// Somebody moved, removed or changed the unfinished file meanwhile.
        case partialChanged
        /// A reply with a status that no part of a document has.
        case unexpectedStatus(Int)
        /// A reply with other bytes than asked for; what its `Content-Range` is.
        case wrongRange(expectedFirst: Int, found: String?)
        /// The reply has more bytes than declared.
        case tooLong(expected: Int)
        /// The download ended early; `expected` is nil if the server has not said how long it is.
        case incomplete(received: Int, expected: Int?)
        /// Bytes came although no reply with a body was accepted.
        case notReceiving
        /// Something else that the system said, by its number (`errno`).
        case system(Int32)
    }

    /// Where the finished file should be.
    public let path: String
    /// What stood in the way.
    public let reason: Reason
    /// Whether the download, if its words say to start it again, goes on then from what is there;
    /// otherwise it begins anew.
    let canContinue: Bool

    init(_ path: String, _ reason: Reason, canContinue: Bool = false) {
        self.path = path
        self.reason = reason
        self.canContinue = canContinue
    }

    /// The error for what the system said about a file.
    init(_ path: String, _ problem: DiskFile.Problem, canContinue: Bool = false) {
        self.init(path, Reason(problem.code), canContinue: canContinue)
    }
}

extension DownloadError.Reason {
    fileprivate init(_ code: Int32) {
        switch code {
        case ENOENT: self = .missingFolder
        case ENOTDIR: self = .notAFolder
        case EACCES, EPERM, EROFS: self = .noPermission
        case ENAMETOOLONG: self = .nameTooLong
        case ENOSPC, EDQUOT: self = .diskFull
        default: self = .system(code)
        }
    }
}

extension DownloadError {
    /// Whether the server, and not this machine, is at fault.
    var isServers: Bool {
        switch reason {
        case .unexpectedStatus, .wrongRange, .tooLong, .incomplete: true
        default: false
        }
    }
}

extension DownloadError: CustomStringConvertible {
    /// A sentence that says what stood in the way and what to do about it.
    public var description: String { "the download to `\(path.escaped)` failed: \(words)" }

    private var words: String {
        switch reason {
        case .invalidPath: "it is empty or holds a NUL; give the path of a file"
        case .isFolder: "it is a folder; give the path of a file in it"
        case .notAFile: "it is a device, a pipe or the like; give the path of a file"
        case .missingFolder: DiskFile.Problem(code: ENOENT).textOfMaking(path)
        case .notAFolder: DiskFile.Problem(code: ENOTDIR).textOfMaking(path)
        case .noPermission: "this process may not write there; choose another folder"
        case .nameTooLong: "its name is too long; use a shorter one"
        case .diskFull: "the disk is full; make room and \(again)"
        case .busy: "another download to this file is under way; wait for it or choose another file"
        case .untrustedPartial(let why): "the unfinished file \(part) \(why); remove it first"
        case .untrustedJournal:
            "`\(PartialFile.journal(at: path).escaped)` is not the journal of a download; move it away, or "
                + "choose another file"
        case .partialChanged: "somebody changed the unfinished file \(part); start it again"
        case .notReceiving: "bytes came before a reply was accepted"
        case .system(let code): DiskFile.Problem(code: code).text
        case .unexpectedStatus(let status): "status \(status) has no part of a document"
        case .wrongRange(let first, let found): words(first, found)
        case .tooLong(let expected): "the server sent more than the \(expected) bytes it declared"
        case .incomplete(let received, let expected):
            "it ended after \(received)\(expected.map { " of \($0)" } ?? "") bytes; \(again)"
        }
    }

    private func words(_ first: Int, _ found: String?) -> String {
        "the server was asked for the bytes from \(first) on and sent "
            + (found.map { "`\($0.escaped)`" } ?? "bytes without saying which")
            + "; \(again)"
    }

    private var again: String {
        "start it again, it will \(canContinue ? "continue" : "begin anew")"
    }

    private var part: String { "`\(PartialFile.part(of: path).escaped)`" }
}
