import TelexJSON

/// A call that sends a large body; its reply is read into memory, checked and mapped to a value.
public typealias UploadOperation<Output: Sendable> = NetworkOperation<Output>

/// A call whose reply is written to a file.
public typealias DownloadOperation = NetworkOperation<DownloadedFile>

/// A call whose reply is a row of elements, each of which is checked and mapped as it arrives.
public typealias StreamOperation<Element: Sendable> = NetworkOperation<StreamEnd<Element>>

/// A file that a download has left on disk.
public struct DownloadedFile: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// How many bytes it has.
    public var bytes: Int
    /// What the server says it is, for instance `image/jpeg`; nil if it does not say. If the download
    /// was continued, what was said last: a reply with a part need not repeat it.
    public var contentType: String?
    /// The name that the server proposes (`Content-Disposition`, RFC 6266, section 4.3), made
    /// harmless: one component of a path, at most 200 bytes, neither hidden nor with control
    /// characters. Nil if nothing is proposed, or nothing is left of it; see ``contentType``. What it
    /// says about the content may still be a lie: `photo.jpg` may be a program.
    public var suggestedName: String?

    /// Describes a file.
    public init(
        path: String, bytes: Int, contentType: String? = nil, suggestedName: String? = nil
    ) {
        self.path = path
        self.bytes = bytes
        self.contentType = contentType
        self.suggestedName = suggestedName
    }
}

/// The end of a stream: what its operation has when all elements have come.
public struct StreamEnd<Element: Sendable>: StreamOutput {
    /// How many elements there were.
    public let count: Int
    /// The elements on their way to the reader; empty at the end of the stream.
    public let elements: [Element]

    /// The end of a stream of so many elements.
    public init(count: Int) {
        self.count = count
        elements = []
    }

    /// Elements on their way.
    init(stored: [Element]) {
        count = stored.count
        elements = stored
    }
}
