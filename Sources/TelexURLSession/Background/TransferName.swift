import Foundation
import HTTPTypes
import TelexTransport

/// What a task of a background session is called, in its description and on disk: the fingerprint
/// of its request, by which the same call is recognised in another process, the process that began
/// it, and what tells it from other tasks with the same request.
struct TransferName: Hashable, Sendable {
    let fingerprint: String
    /// The life of an app in which the task was made.
    let launch: UUID
    let text: String

    /// A new task with a request.
    init(fingerprint: String, launch: UUID) {
        self.fingerprint = fingerprint
        self.launch = launch
        text = "\(fingerprint).\(launch.uuidString).\(UUID().uuidString)"
    }

    /// Reads the name of a task; nil for what is none.
    init?(_ text: String?) {
        guard let text else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0].utf8.count == 64,
            parts[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }),
            let launch = Self.uuid(parts[1]), Self.uuid(parts[2]) != nil
        else { return nil }
        fingerprint = parts[0]
        self.launch = launch
        self.text = text
    }

    /// Reads a UUID that is written as Foundation writes them. Some Foundations read more than that,
    /// such as a UUID with something behind it.
    private static func uuid(_ text: String) -> UUID? {
        UUID(uuidString: text).flatMap {
            $0.uuidString.utf8.elementsEqual(text.utf8) ? $0 : nil
        }
    }
}

extension TransportRequest {
    /// The SHA-256 of all that is sent: method, address, header fields and body. Nothing of it can
    /// be read out of that, and a reply that one user asked for is not another's. A file counts by
    /// name, size and time of change; a stream is like no other.
    ///
    /// The boundary of a multipart body is random and so left out, as the one thing by which equal
    /// calls differ; that needs no secret on disk, as a boundary would that is the same each time.
    func fingerprint() throws(TransportError) -> String {
        var facts = Facts()
        facts.add(head.method.rawValue)
        facts.add("\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")")
        let boundary = boundary
        let fields = head.headerFields.map { ($0.name.canonicalName, $0.value) }
        for (name, value) in fields.sorted(by: { $0 < $1 }) {
            facts.add(name)
            facts.add(Array(value.utf8), without: name == "content-type" ? boundary : nil)
        }
        switch body {
        case .none: facts.add("no body")
        case .bytes(let bytes): facts.add(bytes, without: boundary)
        case .file(let path, let length): try facts.addFile(path, length)
        case .parts(let parts):
            for part in parts {
                switch part {
                case .bytes(let bytes): facts.add(bytes, without: boundary)
                case .file(let path, let length): try facts.addFile(path, length)
                case .stream: facts.add(UUID().uuidString)
                }
            }
        case .stream: facts.add(UUID().uuidString)
        }
        return SHA256.hexadecimal(facts.bytes)
    }

    /// What stands between the parts of a multipart body (RFC 2046, section 5.1.1).
    private var boundary: Data? {
        guard let type = head.headerFields[.contentType],
            let name = type.range(of: "boundary=", options: .caseInsensitive),
            type.lowercased().hasPrefix("multipart/")
        else { return nil }
        let value = type[name.upperBound...].prefix { $0 != ";" }
            .trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        return value.isEmpty ? nil : Data(value.utf8)
    }
}

/// Texts one after the other, each after its length, so that no two rows of texts look alike.
private struct Facts {
    var bytes: [UInt8] = []

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ fact: [UInt8]) {
        bytes += Array("\(fact.count):".utf8) + fact
    }

    /// Adds the pieces between the places where the boundary is, each as a fact of its own, so that
    /// only what has boundaries in the same places looks alike.
    mutating func add(_ fact: [UInt8], without boundary: Data?) {
        guard let boundary else { return add(fact) }
        let data = Data(fact)
        var start = data.startIndex
        while let next = data.range(of: boundary, in: start..<data.endIndex) {
            add(Array(data[start..<next.lowerBound]))
            start = next.upperBound
        }
        add(Array(data[start...]))
    }

    mutating func addFile(_ path: String, _ length: Int) throws(TransportError) {
        let changed: Date?
        do {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            changed = facts[.modificationDate] as? Date
        } catch {
            throw .invalidRequest("cannot open the file `\(path)`: \(error.localizedDescription)")
        }
        // The folder is left out: the system moves those of apps.
        add(URL(fileURLWithPath: path).lastPathComponent)
        add("\(length) \(changed?.timeIntervalSinceReferenceDate ?? 0)")
    }
}
