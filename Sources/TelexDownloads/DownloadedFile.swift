/// A file that a download has left on disk.
public struct DownloadedFile: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The size in bytes.
    public var bytes: Int
    /// The media type that the server declares, for example `image/jpeg`; nil if none is declared.
    /// If the download was continued, the last declared one, because a partial reply need not
    /// repeat it.
    public var contentType: String?
    /// The file name that the server suggests (`Content-Disposition`, RFC 6266, section 4.3), made
    /// safe: one path component of at most 200 bytes, neither hidden nor with control characters.
    /// Nil if none is suggested, or nothing is left of it; see ``contentType``. The name may
    /// misrepresent the content: `photo.jpg` may be a program.
    public var suggestedName: String?

    /// Makes a description of a file.
    public init(
        path: String, bytes: Int, contentType: String? = nil, suggestedName: String? = nil
    ) {
        self.path = path
        self.bytes = bytes
        self.contentType = contentType
        self.suggestedName = suggestedName
    }
}
