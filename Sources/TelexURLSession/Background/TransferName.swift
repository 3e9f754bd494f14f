import Foundation
import HTTPTypes
import TelexTransport

/// The name of a background session's task, in its description and on disk. It consists of the
/// fingerprint of the request, by which another process recognizes the same call; the process that
/// started the task; and a unique part that distinguishes tasks with the same request.
struct TransferName: Hashable, Sendable {
    let fingerprint: String
    /// The process that created the task.
    let launch: UUID
    let text: String

    /// Makes a name for a new task.
    init(fingerprint: String, launch: UUID) {
        self.fingerprint = fingerprint
        self.launch = launch
        text = "\(fingerprint).\(launch.uuidString).\(UUID().uuidString)"
    }

    /// Parses the name of a task; nil if it is not one.
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

    /// Parses a UUID in Foundation's own format. Some versions of Foundation accept other texts
    /// too, such as a UUID with a suffix.
    private static func uuid(_ text: String) -> UUID? {
        UUID(uuidString: text).flatMap {
            $0.uuidString.utf8.elementsEqual(text.utf8) ? $0 : nil
        }
    }
}

extension TransportRequest {
    /// Returns the SHA-256 of everything that is sent: method, address, header fields and body. The
    /// hash reveals nothing of these, and a reply to one user's request does not match another
    /// user's. A file is identified by name, size and modification time; a stream is always unique.
    ///
    /// The boundary of a multipart body is left out, because it is random and otherwise equal calls
    /// would differ. A boundary that is the same each time would need a secret on disk.
    func fingerprint() throws(TransportError) -> String {
        var facts = FingerprintInput()
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

    /// The boundary between the parts of a multipart body (RFC 2046, section 5.1.1).
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

/// Texts in a row, each preceded by its length, so that different rows have different bytes.
private struct FingerprintInput {
    var bytes: [UInt8] = []

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ fact: [UInt8]) {
        bytes += Array("\(fact.count):".utf8) + fact
    }

    /// Adds the pieces between the boundaries as separate facts, so that only bodies with
    /// boundaries at the same places are equal.
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
        // Without the folder, because the system moves the folders of apps.
        add(URL(fileURLWithPath: path).lastPathComponent)
        add("\(length) \(changed?.timeIntervalSinceReferenceDate ?? 0)")
    }
}
