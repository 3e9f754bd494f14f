import Foundation
import Synchronization
import TelexTransport

/// The folder of a background session: bodies of requests that wait to be sent, and finished
/// replies that wait for the call that wants them. A reply is a folder with the name of its task
/// and two files, which gets that name in one step when both are there.
///
/// All is for its owner only. Fields that hold secrets, such as `Set-Cookie`, are not kept.
final class ReplyStore: Sendable {
    let folder: URL
    let age: Duration
    let bytes: Int
    /// Replies that somebody reads or removes, by name.
    private let taken = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - age: How long a reply waits.
    ///   - bytes: How many bytes may wait in all.
    init(_ folder: URL, age: Duration, bytes: Int) {
        self.folder = folder
        self.age = age
        self.bytes = bytes
    }

    // MARK: Replies

    /// A new place for the body of a reply that is arriving.
    func newFile() throws -> URL {
        try makeFolder()
        return folder.appendingPathComponent("\(UUID().uuidString).arriving")
    }

    /// Keeps a reply, for the caller alone until `release` is called.
    func keep(_ reply: StoredReply, as name: TransferName) throws -> StoredReply {
        try makeFolder()
        let files = FileManager.default
        let new = folder.appendingPathComponent("\(name.text).new", isDirectory: true)
        let place = folder.appendingPathComponent(name.text, isDirectory: true)
        try? files.removeItem(at: new)
        try files.createDirectory(
            at: new, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        do {
            try Self.write(KeptHead(reply.head).stored, to: Self.head(new))
            if let file = reply.file { try files.moveItem(at: file, to: Self.body(new)) }
            taken.withLock { _ = $0.insert(name.text) }
            try files.moveItem(at: new, to: place)
        } catch {
            try? files.removeItem(at: new)
            taken.withLock { _ = $0.remove(name.text) }
            throw error
        }
        return stored(reply, at: place, name.text)
    }

    /// Lets whoever wants it have a reply that was kept.
    func release(_ name: TransferName) { taken.withLock { _ = $0.remove(name.text) } }

    /// A kept reply to a request that an earlier process sent, for the caller alone.
    ///
    /// - Parameter launch: This process, whose calls have their replies.
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

    /// Removes all replies that nobody reads.
    func removeReplies() {
        removeUnclaimed(names.filter { TransferName($0) != nil })
    }

    /// Whether nobody else reads or removes a reply; nobody else may from now on.
    private func claim(_ name: String) -> Bool { taken.withLock { $0.insert(name).inserted } }

    func isClaimed(_ name: String) -> Bool { taken.withLock { $0.contains(name) } }

    /// Removes what nobody has claimed by now.
    func removeUnclaimed(_ names: [String]) {
        for name in names where claim(name) { remove(name) }
    }

    private func read(_ name: String) -> StoredReply? {
        let place = folder.appendingPathComponent(name, isDirectory: true)
        guard let data = try? Data(contentsOf: Self.head(place)),
            let head = KeptHead(stored: data)?.head
        else { return nil }
        // Only what was complete is kept.
        let size = Self.size(of: Self.body(place)) ?? 0
        let length = head.headerFields.isCompressed ? nil : size
        return stored(StoredReply(head: head, length: length, size: size), at: place, name)
    }

    private func stored(_ reply: StoredReply, at place: URL, _ name: String) -> StoredReply {
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

    /// Makes the folder, which shows that the session has been used.
    func open() { try? makeFolder() }

    /// Where the body of a request is until it has been sent.
    func requestBody(_ name: TransferName) throws -> URL {
        try makeFolder()
        return folder.appendingPathComponent("\(name.text).body")
    }

    /// The body has been sent, or never will be.
    func removeRequestBody(_ name: TransferName) { remove("\(name.text).body") }
}
