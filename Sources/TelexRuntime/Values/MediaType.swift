/// A kind of content, with the ending that names of such files have.
public struct MediaType: Sendable, Hashable {
    /// The MIME type (RFC 2045), `image/jpeg` for one.
    public let name: String
    /// The usual extension of file names, without a dot: `jpg`.
    public let fileExtension: String

    init(_ name: String, _ fileExtension: String) {
        self.name = name
        self.fileExtension = fileExtension
    }

    /// `application/octet-stream`: nothing more is known.
    public static let unknown = MediaType("application/octet-stream", "bin")

    /// How many bytes are looked at; more change nothing.
    static let window = 4096

    /// What bytes are, by what they begin with.
    ///
    /// Known are JPEG, PNG, GIF, TIFF, BMP, WebP, HEIC, AVIF and SVG pictures; MP4, QuickTime and
    /// 3GP films; MP3, M4A and WAV sound; PDF, ZIP, gzip and OLE documents; HTML, XML, JSON and
    /// plain text. ZIP stands for all that is packed in it, like `docx`. Signatures are those of the
    /// WHATWG MIME Sniffing Standard, section 6, and of the formats themselves.
    ///
    /// Only the first 4096 bytes are looked at. Text has to be UTF-8, or UTF-16 with a byte order
    /// mark, and without control characters that no text has; JSON is an object or an array.
    ///
    /// - Returns: ``unknown`` for anything else, and for no bytes at all.
    public static func sniff(_ bytes: some Collection<UInt8>) -> MediaType {
        let start = Array(bytes.prefix(window + 1))
        let isCut = start.count > window
        let known = Array(start.prefix(window))
        return Signature.type(of: known) ?? TextSniffer.type(of: known, isCut: isCut) ?? .unknown
    }
}

extension MediaType: CustomStringConvertible {
    /// The MIME type.
    public var description: String { name }
}
