/// A `multipart/form-data` body (RFC 7578).
struct Multipart: Sendable {
    /// One field of the form.
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var type: String?
        var content: RequestBody.Part
    }

    let parts: [Part]
    /// A text that must occur in none of the parts (RFC 2046, section 5.1.1).
    let boundary: String

    /// Chooses the boundary by chance: 128 bits that nobody can guess, so that neither bytes nor a
    /// file of somebody else's can hold them and pass for another part. Nothing needs to be searched
    /// for it, least of all files that may be large or still change.
    init(_ parts: [Part], boundary: String = Self.randomBoundary()) {
        self.parts = parts
        self.boundary = boundary
    }

    /// A boundary of 38 characters; at most 70 are allowed.
    static func randomBoundary() -> String {
        // The system's numbers are fit for secrets.
        var random = SystemRandomNumberGenerator()
        return randomBoundary(from: &random)
    }

    /// A boundary from other numbers, for tests.
    static func randomBoundary(from random: inout some RandomNumberGenerator) -> String {
        let digits = (0..<2).map { _ in
            let word = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }
        return "telex-" + digits.joined()
    }

    /// The value of `Content-Type`.
    var type: String { "multipart/form-data; boundary=\(boundary)" }

    /// The boundary in a value of `Content-Type`; empty if there is none.
    static func boundary(in type: String) -> String {
        let value = type.split(separator: "boundary=").dropFirst().first ?? ""
        return String(value.prefix { $0 != ";" }.filter { $0 != "\"" })
    }

    /// The pieces to send, one after the other.
    var body: RequestBody {
        var pieces: [RequestBody.Part] = []
        var text = ""
        for part in parts {
            text += "--\(boundary)\r\n\(Self.head(part))\r\n"
            pieces.append(.bytes(Array(text.utf8)))
            pieces.append(part.content)
            text = "\r\n"
        }
        text += "--\(boundary)--\r\n"
        pieces.append(.bytes(Array(text.utf8)))
        return Self.joined(pieces)
    }

    private static func head(_ part: Part) -> String {
        var head = "Content-Disposition: form-data; name=\"\(escape(part.name))\""
        if let name = part.fileName { head += "; filename=\"\(escape(name))\"" }
        head += "\r\n"
        if let type = part.type { head += "Content-Type: \(type)\r\n" }
        return head
    }

    /// Quotes and line ends as section 4.2 and the WHATWG form algorithm have them; backslashes stay.
    /// Names with line ends are refused before: see ``RequestTemplate/nameViolations``.
    private static func escape(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// One run of bytes if everything is in memory.
    private static func joined(_ pieces: [RequestBody.Part]) -> RequestBody {
        var all: [UInt8] = []
        for piece in pieces {
            guard case .bytes(let bytes) = piece else { return .parts(pieces) }
            all += bytes
        }
        return .bytes(all)
    }
}
