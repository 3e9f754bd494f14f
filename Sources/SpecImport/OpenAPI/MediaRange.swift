/// A media type (RFC 9110, section 8.3.1).
struct MediaRange: Hashable, Sendable {
    /// Type and subtype in lower case.
    let essence: String
    /// The parameters that say something, such as `version=2`.
    let parameters: String

    init(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
            .map { String($0).trimmed }
        let essence = parts.first?.lowercased() ?? ""
        // JSON is always UTF-8 (RFC 8259), and a request has its own boundary.
        let isSilent = essence.isJSON || essence == Self.form || essence.hasPrefix("multipart/")
        let own = parts.dropFirst().filter { parameter in
            let plain = parameter.lowercased().filter { $0 != "\"" && $0 != " " }
            return !plain.isEmpty && !plain.hasPrefix("boundary=")
                && !(isSilent && plain == "charset=utf-8")
        }
        self.essence = essence
        parameters = own.joined(separator: "; ")
    }

    static let form = "application/x-www-form-urlencoded"
    static let multipart = "multipart/form-data"

    /// Whether a header field can have it: two names, and printable parameters.
    static func isValid(_ text: String) -> Bool {
        let names = text.prefix { $0 != ";" }.split(
            separator: "/", omittingEmptySubsequences: false)
        return names.count == 2 && names.allSatisfy { HeaderName.isValid(String($0)) }
            && !text.contains("*") && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Whether its bytes are text, so that a string can hold them.
    var isText: Bool { essence.hasPrefix("text/") || essence.isJSON }

    /// Whether its bytes are surely no text.
    var isBinary: Bool {
        ["image/", "audio/", "video/", "font/"].contains { essence.hasPrefix($0) }
            || ["octet-stream", "pdf", "zip", "gzip"].contains { essence == "application/\($0)" }
    }
}

extension String {
    /// Whether a media type is JSON.
    var isJSON: Bool { self == "application/json" || hasSuffix("+json") || self == "text/json" }
}
