import Foundation
import HTTPTypes
import Synchronization
import TelexRuntime

/// The folder of a background session: bodies of requests that wait to be sent, and finished
/// replies that wait for the call that wants them. A reply is a folder with the name of its task
/// and two files, which gets that name in one step when both are there.
///
/// All is for its owner only. Fields that hold secrets, such as `Set-Cookie`, are not kept.
final class ReplyStore: Sendable {
    private let folder: URL
    private let age: Duration
    private let bytes: Int
    /// Replies that somebody reads, by name.
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

    /// A kept reply to a request, for the caller alone.
    func take(_ fingerprint: String) -> StoredReply? {
        prune()
        for name in names where name.hasPrefix("\(fingerprint).") && TransferName(name) != nil {
            let isMine = taken.withLock { $0.insert(name).inserted }
            guard isMine else { continue }
            if let reply = read(name) { return reply }
            remove(name)
        }
        return nil
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

    /// Where the body of a request is until it has been sent.
    func requestBody(_ name: TransferName) throws -> URL {
        try makeFolder()
        return folder.appendingPathComponent("\(name.text).body")
    }

    /// The body has been sent, or never will be.
    func removeRequestBody(_ name: TransferName) { remove("\(name.text).body") }

    // MARK: Bounds

    /// Removes what has waited too long, then the oldest replies until the rest is small enough.
    func prune(now: Date = Date()) {
        var total = 0
        let replies = names.map { ($0, changed($0)) }.sorted { $0.1 > $1.1 }
        for (name, date) in replies where !taken.withLock({ $0.contains(name) }) {
            let isReply = TransferName(name) != nil
            if isReply {
                let body = Self.body(folder.appendingPathComponent(name, isDirectory: true))
                total += Self.size(of: body) ?? 0
            }
            let isOld = now.timeIntervalSince(date) > max(age / .seconds(1), isReply ? 0 : 604_800)
            if isOld || isReply && total > bytes { remove(name) }
        }
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func changed(_ name: String) -> Date {
        let path = folder.appendingPathComponent(name).path
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.modificationDate] as? Date ?? .distantPast
    }

    // MARK: Files

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private static func head(_ place: URL) -> URL { place.appendingPathComponent("head.json") }
    private static func body(_ place: URL) -> URL { place.appendingPathComponent("body") }

    static func write(_ data: Data, to file: URL) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: data, attributes: attributes)
        else { throw CocoaError(.fileWriteUnknown) }
    }

    static func size(of file: URL) -> Int? {
        let facts = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (facts?[.size] as? NSNumber)?.intValue
    }
}

/// The head of a reply as it is stored, without what may be a secret.
private struct KeptHead: Codable {
    private var status: Int
    private var fields: [[String]]

    init(_ head: HTTPResponse) {
        status = head.status.code
        fields = head.headerFields.filter { !Redactor.isSecretHeader($0.name.rawName) }
            .map { [$0.name.rawName, $0.value] }
    }

    init?(stored data: Data) {
        guard let head = try? JSONDecoder().decode(Self.self, from: data) else { return nil }
        self = head
    }

    var stored: Data {
        get throws { try JSONEncoder().encode(self) }
    }

    /// nil for what no reply has.
    var head: HTTPResponse? {
        guard 100...999 ~= status else { return nil }
        var head = HTTPResponse(status: HTTPResponse.Status(code: status))
        for field in fields {
            guard field.count == 2, let name = HTTPField.Name(field[0]) else { return nil }
            head.headerFields.append(HTTPField(name: name, value: field[1]))
        }
        return head
    }
}
