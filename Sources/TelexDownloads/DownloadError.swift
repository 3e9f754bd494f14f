import TelexTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The reason why a download could not be stored: the file, the cause, and what to do.
public struct DownloadError: Error, Sendable, Hashable {
    /// The cause.
    public enum Reason: Sendable, Hashable {
        /// The path cannot name a file: it is empty or holds a NUL.
        case invalidPath
        /// The path of the file is a folder.
        case isFolder
        /// The path of the file is a device, a pipe or the like.
        case notAFile
        /// The folder of the file does not exist.
        case missingFolder
        /// A component of the path that should be a folder is a file.
        case notAFolder
        /// This process has no permission to write there.
        case noPermission
        /// The name with the suffix `.part.json` is longer than the file system allows.
        case nameTooLong
        /// The disk, or this user's quota on it, is full.
        case diskFull
        /// Another download to the same file is in progress, in this or another process.
        case busy
        /// The partial file was not created by a download; the value is the reason.
        case untrustedPartial(String)
        /// The item at the journal's path, with the suffix `.part.json`, is not a journal.
        case untrustedJournal
        /// Another process moved, removed or changed the partial file during the download.
        case partialChanged
        /// The status code of the reply does not carry content of the document.
        case unexpectedStatus(Int)
        /// The reply has a range that was not requested; `found` is its `Content-Range`.
        case wrongRange(expectedFirst: Int, found: String?)
        /// The reply has more bytes than declared.
        case tooLong(expected: Int)
        /// The download ended early; `expected` is nil if the server did not declare the length.
        case incomplete(received: Int, expected: Int?)
        /// The bytes are not those whose digest the server sent in `Repr-Digest` or `Content-Digest`
        /// (RFC 9530).
        case wrongDigest
        /// Bytes arrived although no reply with a body was accepted.
        case notReceiving
        /// Another error of the system, as `errno`.
        case system(Int32)
    }

    /// The path of the finished file.
    public let path: String
    /// The cause.
    public let reason: Reason
    /// Whether a restarted download continues from the partial file; otherwise it starts from the
    /// beginning. Used by descriptions that suggest a restart.
    package let canContinue: Bool

    package init(_ path: String, reason: Reason, canContinue: Bool = false) {
        self.path = path
        self.reason = reason
        self.canContinue = canContinue
    }

    /// Makes an error from the error of a file operation.
    package init(_ path: String, problem: DiskFile.Problem, canContinue: Bool = false) {
        self.init(path, reason: Reason(problem.code), canContinue: canContinue)
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
    /// Whether the server caused the error, and not this device.
    package var isServerFault: Bool {
        switch reason {
        case .unexpectedStatus, .wrongRange, .tooLong, .incomplete, .wrongDigest: true
        default: false
        }
    }
}

extension DownloadError: CustomStringConvertible {
    /// A sentence with the cause and what to do about it.
    public var description: String { "the download to `\(path.escaped)` failed: \(words)" }

    private var words: String {
        switch reason {
        case .invalidPath: "it is empty or holds a NUL; give the path of a file"
        case .isFolder: "it is a folder; give the path of a file in it"
        case .notAFile: "it is a device, a pipe or the like; give the path of a file"
        case .missingFolder: DiskFile.Problem(code: ENOENT).creationErrorText(path)
        case .notAFolder: DiskFile.Problem(code: ENOTDIR).creationErrorText(path)
        case .noPermission: "this process may not write there; choose another folder"
        case .nameTooLong: "its name is too long; use a shorter one"
        case .diskFull: "the disk is full; make room and \(again)"
        case .busy: "another download to this file is under way; wait for it or choose another file"
        case .untrustedPartial(let why): "the unfinished file \(part) \(why); remove it first"
        case .untrustedJournal:
            "`\(PartialFile.journal(at: path).escaped)` is not the journal of a download; move it away, or "
                + "choose another file"
        case .partialChanged: "another process changed the unfinished file \(part); start it again"
        case .wrongDigest: "its bytes do not have the digest that the server sent; \(again)"
        case .notReceiving: "bytes arrived before a reply was accepted"
        case .system(let code): DiskFile.Problem(code: code).text
        case .unexpectedStatus(let status):
            "status \(status) does not carry content of the document"
        case .wrongRange(let first, let found): words(first, found)
        case .tooLong(let expected): "the server sent more than the \(expected) bytes it declared"
        case .incomplete(let received, let expected):
            "it ended after \(received)\(expected.map { " of \($0)" } ?? "") bytes; \(again)"
        }
    }

    private func words(_ first: Int, _ found: String?) -> String {
        "the server was asked for the bytes from \(first) on and sent "
            + (found.map { "`\($0.escaped)`" } ?? "bytes without a `Content-Range`")
            + "; \(again)"
    }

    private var again: String {
        "start it again, it will \(canContinue ? "continue" : "start from the beginning")"
    }

    private var part: String { "`\(PartialFile.part(of: path).escaped)`" }
}
