import TelexJSON
import TelexTransport
import TelexValues

/// A file to upload: bytes in memory, a file on disk, or bytes that are generated during the
/// upload. A file on disk is streamed, never loaded whole.
public struct UploadFile: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        case file(path: String)
        case stream(UploadStream)
    }

    package let content: Content
    /// The file name that is sent to the server.
    public var name: String
    /// The MIME type (RFC 2045).
    public var type: String

    /// Creates a file from bytes.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - name: The file name that is sent to the server.
    ///   - type: The MIME type; by default the one that the extension of `name` stands for, or
    ///     `application/octet-stream` for an unknown extension. The bytes are not examined.
    public init(bytes: [UInt8], name: String, type: String? = nil) {
        self.init(.bytes(bytes), name: name, type: type)
    }

    /// Refers to a file on disk. It is opened when the request is sent; if it cannot be read, the
    /// call fails.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The file name sent to the server; by default the last component of the path.
    ///   - type: The MIME type; by default the one that the extension of the name stands for, or
    ///     `application/octet-stream` for an unknown extension. The bytes are not examined.
    public init(path: String, name: String? = nil, type: String? = nil) {
        self.init(.file(path: path), name: name ?? DiskFile.name(of: path) ?? "file", type: type)
    }

    /// Creates a file from bytes that are generated during the upload, such as those of a pipe.
    /// Only one chunk of `next` is in memory at a time.
    ///
    /// The bytes are sent only once. The call is retried, by its retry policy, only if an attempt
    /// fails before it has asked for bytes and the server has certainly done nothing. Otherwise the
    /// call fails with the error of the attempt, whatever its method and retry policy. It is not
    /// repeated with a new token either, although a refresh is started, and a redirect that needs
    /// the body is refused. To repeat the call, create it again with a new stream.
    ///
    /// - Parameters:
    ///   - length: The number of bytes; 0 or more. With more or fewer bytes the transport fails
    ///     with `.invalidRequest`, and it never sends more.
    ///   - name: The file name that is sent to the server.
    ///   - type: The MIME type; by default the one that the extension of `name` stands for, or
    ///     `application/octet-stream` for an unknown extension.
    ///   - next: Returns the next bytes; nil at the end. Only one request at a time calls it. The
    ///     call fails with the error that it throws.
    public init(
        streaming length: Int, name: String, type: String? = nil,
        next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?
    ) {
        self.init(.stream(UploadStream(length: length, next: next)), name: name, type: type)
    }

    private init(_ content: Content, name: String, type: String?) {
        self.content = content
        self.name = name
        self.type = type ?? MediaType.ofFile(named: name)
    }

    /// The current number of bytes; nil if the file cannot be read.
    public var size: Int? {
        switch content {
        case .bytes(let bytes): bytes.count
        case .file(let path): DiskFile.size(path)
        case .stream(let stream): stream.length
        }
    }

    /// Why the file on disk cannot be read, in words; nil if it can.
    package var problem: String? {
        guard case .file(let path) = content, let why = DiskFile.problem(path) else { return nil }
        return "\(why): `\(path.escaped)`"
    }

    /// The stream; nil for other contents.
    package var stream: UploadStream? {
        if case .stream(let stream) = content { stream } else { nil }
    }

    /// The body part to send; nil if the file cannot be read, or is a stream that has been read.
    package var part: RequestBody.Part? {
        switch content {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): DiskFile.size(path).map { .file(path: path, length: $0) }
        case .stream(let stream): stream.part
        }
    }
}

extension UploadFile: CustomStringConvertible {
    /// The name, the type and the size.
    public var description: String {
        "\(name) (\(type), \(size.map { "\($0) bytes" } ?? "unreadable"))"
    }
}

extension UploadFile: JSONReadable {
    /// Reads the path of a file on disk.
    public static func read(from json: inout JSONReader) -> UploadFile? {
        json.text(expected: "the path of a file").map { UploadFile(path: $0) }
    }
}
