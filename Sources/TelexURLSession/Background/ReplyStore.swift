import Foundation
import TelexJSON
import TelexTransport

/// The folder of a background session: bodies of requests that wait to be sent, and finished
/// replies that wait for their call. A reply is a folder with the name of its task and two files;
/// it is renamed to that name atomically when both files exist.
///
/// Only the owner can access it. Fields that hold secrets, such as `Set-Cookie`, are not stored.
final class ReplyStore: Sendable {
    let folder: URL
    let age: Duration
    let bytes: Int
    /// The names of the replies that are being read or removed.
    private let taken = Lock<Set<String>>([])

    /// - Parameters:
    ///   - age: How long a reply is kept.
    ///   - bytes: The largest number of bytes of all replies.
    init(_ folder: URL, age: Duration, bytes: Int) {
        self.folder = folder
        self.age = age
        self.bytes = bytes
    }

    // MARK: Replies

    /// Returns a new file for the body of an arriving reply.
    func newFile() throws -> URL {
        try makeFolder()
        return folder.appendingPathComponent("\(UUID().uuidString).arriving")
    }

    /// Stores a reply, claimed by the caller until `release` is called.
    func keep(_ reply: StoredReply, as name: TransferName) throws -> StoredReply {
        try makeFolder()
        let files = FileManager.default
        let new = folder.appendingPathComponent("\(name.text).new", isDirectory: true)
        let place = folder.appendingPathComponent(name.text, isDirectory: true)
        try? files.removeItem(at: new)
        try files.createDirectory(
            at: new, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        do {
            try Self.write(StoredHead(reply.head).stored, to: Self.head(new))
            if let file = reply.file { try files.moveItem(at: file, to: Self.body(new)) }
            taken.withLock { _ = $0.insert(name.text) }
            try files.moveItem(at: new, to: place)
        } catch {
            try? files.removeItem(at: new)
            taken.withLock { _ = $0.remove(name.text) }
            throw error
        }
        return stored(reply, at: place, name: name.text)
    }

    /// Releases the claim on a stored reply, so that a call can take it.
    func release(_ name: TransferName) { taken.withLock { _ = $0.remove(name.text) } }

    /// Claims and returns a stored reply to a request that an earlier process sent.
    ///
    /// - Parameter launch: This process, whose own replies are excluded.
    func take(_ fingerprint: String, in launch: UUID) -> StoredReply? {
        prune()
        for name in names where name.hasPrefix("\(fingerprint).") {
            guard let task = TransferName(name), task.launch != launch, claim(name) else {
                continue
            }
            if let reply = read(name) { return reply }
            remove(name)
        }
        return nil
    }

    /// Removes all unclaimed replies.
    func removeReplies() {
        removeUnclaimed(names.filter { TransferName($0) != nil })
    }

    /// Claims an item.
    ///
    /// - Returns: Whether it was unclaimed.
    private func claim(_ name: String) -> Bool { taken.withLock { $0.insert(name).inserted } }

    func isClaimed(_ name: String) -> Bool { taken.withLock { $0.contains(name) } }

    /// Removes those of the items that are unclaimed.
    func removeUnclaimed(_ names: [String]) {
        for name in names where claim(name) { remove(name) }
    }

    private func read(_ name: String) -> StoredReply? {
        let place = folder.appendingPathComponent(name, isDirectory: true)
        guard let data = try? Data(contentsOf: Self.head(place)),
            let head = StoredHead(stored: data)?.head
        else { return nil }
        // Only complete replies are stored.
        let size = Self.size(of: Self.body(place)) ?? 0
        let length = head.headerFields.isCompressed ? nil : size
        return stored(StoredReply(head: head, length: length, size: size), at: place, name: name)
    }

    private func stored(_ reply: StoredReply, at place: URL, name: String) -> StoredReply {
        var reply = reply
        reply.file = reply.size > 0 ? Self.body(place) : nil
        reply.remove = { self.remove(name) }
        return reply
    }

    private func remove(_ name: String) {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        taken.withLock { _ = $0.remove(name) }
    }

    // MARK: Requests

    /// Creates the folder, which marks the session as used.
    func open() { try? makeFolder() }

    /// Returns the file for the body of a request until it has been sent.
    func requestBody(_ name: TransferName) throws -> URL {
        try makeFolder()
        return folder.appendingPathComponent("\(name.text).body")
    }

    /// Removes the body of a request that has been sent, or never will be.
    func removeRequestBody(_ name: TransferName) { remove("\(name.text).body") }
}
