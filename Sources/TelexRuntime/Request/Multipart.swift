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
    /// A text that occurs in none of the parts (RFC 2046, section 5.1.1).
    let boundary: String

    /// Chooses the boundary: the first of a fixed row that occurs in no part, so that the same form
    /// is always the same bytes.
    ///
    /// A file on disk is not searched: for it the boundary is long enough never to occur by chance.
    init(_ parts: [Part]) {
        self.parts = parts
        let contents = parts.compactMap { part -> [UInt8]? in
            if case .bytes(let bytes) = part.content { bytes } else { nil }
        }
        var number = 0
        func candidate() -> String { "telex-9f86d081884c7d659a2feaa0c55ad015-\(number)" }
        while contents.contains(where: { $0.contains(candidate().utf8) }) { number += 1 }
        boundary = candidate()
    }

    /// The value of `Content-Type`.
    var type: String { "multipart/form-data; boundary=\(boundary)" }

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

    /// Quotes and line ends as section 4.2 and the WHATWG form algorithm have them.
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

extension [UInt8] {
    /// Whether these bytes occur in it.
    fileprivate func contains(_ text: String.UTF8View) -> Bool {
        firstRange(of: text) != nil
    }
}
