/// A media type with its usual file name extension.
public struct MediaType: Sendable, Hashable {
    /// The MIME type (RFC 2045), for example `image/jpeg`.
    public let name: String
    /// The usual extension of file names, without a dot: `jpg`.
    public let fileExtension: String

    package init(_ name: String, _ fileExtension: String) {
        self.name = name
        self.fileExtension = fileExtension
    }

    /// `application/octet-stream`, for unknown content.
    public static let unknown = MediaType("application/octet-stream", "bin")

    /// The number of bytes to inspect; more do not change the result.
    package static let window = 4096

    /// Detects the type of bytes by their beginning.
    ///
    /// Detected are JPEG, PNG, GIF, TIFF, BMP, WebP, HEIC, AVIF and SVG images; MP4, QuickTime and
    /// 3GP video; MP3, M4A and WAV audio; PDF, ZIP, gzip and OLE documents; HTML, XML, JSON and
    /// plain text. Formats that are packed in ZIP, like `docx`, are detected as ZIP. The signatures
    /// are those of the WHATWG MIME Sniffing Standard, section 6, and of the formats themselves.
    ///
    /// Only the first 4096 bytes are inspected. Text has to be UTF-8, or UTF-16 with a byte order
    /// mark, and without binary control characters; JSON is an object or an array.
    ///
    /// - Returns: ``unknown`` for anything else, and for no bytes at all.
    public static func sniff(_ bytes: some Collection<UInt8>) -> MediaType {
        let start = Array(bytes.prefix(window + 1))
        let isCut = start.count > window
        let known = Array(start.prefix(window))
        return FileSignature.type(of: known) ?? TextSniffer.type(of: known, isCut: isCut)
            ?? .unknown
    }
}

extension MediaType: CustomStringConvertible {
    /// The MIME type.
    public var description: String { name }
}
