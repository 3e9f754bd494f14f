import Synchronization
import TelexJSON

/// Keeps the credential of one API between calls and, if it can, between runs of the app.
public protocol CredentialStore: Sendable {
    /// The credential; nil if there is none.
    func read() async throws(CredentialStoreError) -> Credential?
    /// Keeps a credential in place of the old one.
    func save(_ credential: Credential) async throws(CredentialStoreError)
    /// Forgets the credential; does nothing if there is none.
    func clear() async throws(CredentialStoreError)
}

/// Why a store could not do what it was asked to.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was asked.
    public enum Task: String, Sendable, Hashable {
        /// To read the credential.
        case read
        /// To keep a credential.
        case save
        /// To forget the credential.
        case clear
    }

    /// What was asked.
    public let task: Task
    /// What stood in the way; holds no secret.
    public let message: String

    /// Makes an error.
    public init(_ task: Task, _ message: String) {
        self.task = task
        self.message = message
    }

    /// A sentence with both.
    public var description: String {
        "the store of credentials could not \(task.rawValue): \(message)"
    }
}

/// Keeps a credential as long as the process lives.
public final class MemoryCredentialStore: CredentialStore {
    private let credential: Mutex<Credential?>

    /// Empty by default.
    public init(_ credential: Credential? = nil) {
        self.credential = Mutex(credential)
    }

    /// The credential; nil if there is none.
    public func read() async throws(CredentialStoreError) -> Credential? {
        credential.withLock { $0 }
    }

    /// Keeps a credential in place of the old one.
    public func save(_ credential: Credential) async throws(CredentialStoreError) {
        self.credential.withLock { $0 = credential }
    }

    /// Forgets the credential.
    public func clear() async throws(CredentialStoreError) {
        credential.withLock { $0 = nil }
    }
}

/// Keeps a credential in a file that only its owner can read. The file is replaced in one step: a
/// crash leaves the old credential or the new one.
public final class FileCredentialStore: CredentialStore {
    /// Where the file is.
    public let path: String

    /// A store in this file; its folder has to exist when a credential is saved.
    public init(path: String) {
        self.path = path
    }

    /// The credential; nil if there is no file.
    ///
    /// - Throws: If the file cannot be read or holds no credential.
    public func read() async throws(CredentialStoreError) -> Credential? {
        let bytes: [UInt8]?
        do {
            bytes = try DiskFile.read(path)
        } catch {
            throw CredentialStoreError(.read, "\(path): \(error.text)")
        }
        guard let bytes else { return nil }
        return try Credential(stored: bytes, in: path)
    }

    /// Writes the file anew, readable and writable by its owner only.
    ///
    /// - Throws: If the file cannot be written.
    public func save(_ credential: Credential) async throws(CredentialStoreError) {
        do {
            try DiskFile.replace(path, with: credential.stored)
        } catch {
            throw CredentialStoreError(.save, "\(path): \(error.text)")
        }
    }

    /// Removes the file.
    ///
    /// - Throws: If it is there and cannot be removed.
    public func clear() async throws(CredentialStoreError) {
        do {
            try DiskFile.remove(path)
        } catch {
            throw CredentialStoreError(.clear, "\(path): \(error.text)")
        }
    }
}

extension Credential {
    /// The bytes that stores keep.
    var stored: [UInt8] {
        var json = JSONWriter()
        json.value(self)
        return json.bytes
    }

    /// Reads the bytes that a store has kept.
    init(stored bytes: [UInt8], in place: String) throws(CredentialStoreError) {
        let result = JSONReader.read(bytes) { json -> Credential? in json.value() }
        guard let value = result.value else {
            throw CredentialStoreError(.read, "\(place) does not hold a credential")
        }
        self = value
    }
}

extension CredentialStore where Self == MemoryCredentialStore {
    /// A new store that keeps a credential as long as the process lives.
    public static var memory: MemoryCredentialStore { MemoryCredentialStore() }

    /// A new store in memory that has a credential already.
    public static func memory(_ credential: Credential) -> MemoryCredentialStore {
        MemoryCredentialStore(credential)
    }
}

extension CredentialStore where Self == FileCredentialStore {
    /// A store in a file that only its owner can read.
    public static func file(_ path: String) -> FileCredentialStore {
        FileCredentialStore(path: path)
    }
}
