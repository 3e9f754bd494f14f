/// A `multipart/form-data` body (RFC 7578).
package struct Multipart: Sendable {
    /// One field of the form.
    package struct Part: Sendable {
        package var name: String
        package var fileName: String?
        package var type: String?
        package var content: RequestBody.Part

        package init(
            name: String, fileName: String? = nil, type: String? = nil, content: RequestBody.Part
        ) {
            self.name = name
            self.fileName = fileName
            self.type = type
            self.content = content
        }
    }

    package let parts: [Part]
    /// The boundary, which must not occur in any part (RFC 2046, section 5.1.1).
    package let boundary: String

    /// Creates a body with a random boundary of 128 bits. It cannot be guessed, so foreign bytes or
    /// files cannot contain it to imitate another part. The parts need not be searched for it;
    /// files may be large or still change.
    package init(_ parts: [Part], boundary: String = Self.randomBoundary()) {
        self.parts = parts
        self.boundary = boundary
    }

    /// Returns a random boundary of 38 characters; at most 70 are allowed.
    package static func randomBoundary() -> String {
        // The system generator is cryptographically secure.
        var random = SystemRandomNumberGenerator()
        return randomBoundary(from: &random)
    }

    /// Returns a boundary from a given generator, for tests.
    package static func randomBoundary(from random: inout some RandomNumberGenerator) -> String {
        let digits = (0..<2).map { _ in
            let word = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }
        return "telex-" + digits.joined()
    }

    /// The value of `Content-Type`.
    package var type: String { "multipart/form-data; boundary=\(boundary)" }

    /// Returns the boundary in a value of `Content-Type`; empty if there is none.
    package static func boundary(in type: String) -> String {
        let value = type.split(separator: "boundary=").dropFirst().first ?? ""
        return String(value.prefix { $0 != ";" }.filter { $0 != "\"" })
    }

    /// The body, as consecutive pieces.
    package var body: RequestBody {
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

    /// Escapes quotes and line ends as section 4.2 and the WHATWG form algorithm require;
    /// backslashes stay. Names with line ends are rejected earlier: see
    /// ``RequestTemplate/nameViolations``.
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

    /// Joins the pieces to one byte array if all are in memory.
    private static func joined(_ pieces: [RequestBody.Part]) -> RequestBody {
        var all: [UInt8] = []
        for piece in pieces {
            guard case .bytes(let bytes) = piece else { return .parts(pieces) }
            all += bytes
        }
        return .bytes(all)
    }
}
