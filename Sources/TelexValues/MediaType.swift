/// Media types (RFC 2045), as their names.
package enum MediaType {
    /// The type of unknown content.
    package static let unknown = "application/octet-stream"

    /// The media type of a file by the extension of its name; ``unknown`` for another extension,
    /// and for a name without one.
    package static func ofFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[dot...].dropFirst().lowercased()] ?? unknown
    }

    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
        "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp", "webp": "image/webp",
        "heic": "image/heic", "avif": "image/avif", "svg": "image/svg+xml",
        "mp4": "video/mp4", "mov": "video/quicktime", "3gp": "video/3gpp", "webm": "video/webm",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "html": "text/html", "htm": "text/html", "xml": "application/xml",
        "json": "application/json", "csv": "text/csv", "txt": "text/plain",
    ]
}

extension [UInt8] {
    /// Whether the bytes begin like a page of HTML or XHTML. Servers and networks send one in
    /// place of other replies, often without its type.
    package var beginAsHTML: Bool {
        let start = String(decoding: prefix(1024), as: UTF8.self).lowercased()
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return start.hasPrefix("<")
            && ["<!doctype html", "<html", "<head", "<body"].contains(where: start.contains)
    }
}
