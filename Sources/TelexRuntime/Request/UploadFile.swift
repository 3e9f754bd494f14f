import TelexJSON

/// A file to be uploaded: bytes in memory, a file on disk that is streamed, never loaded whole, or
/// bytes that are made while they are sent.
public struct UploadFile: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case file(path: String)
        case stream(UploadStream)
    }

    let content: Content
    /// The name that the server is told.
    public var name: String
    /// The MIME type (RFC 2045).
    public var type: String

    /// A file made of bytes; `application/octet-stream` by default.
    public init(bytes: [UInt8], name: String, type: String = "application/octet-stream") {
        content = .bytes(bytes)
        self.name = name
        self.type = type
    }

    /// A file on disk. It is opened when the request is sent; if it cannot be read, the call fails.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: The name that the server is told; by default the last component of the path.
    ///   - type: The MIME type; `application/octet-stream` by default.
    public init(path: String, name: String? = nil, type: String = "application/octet-stream") {
        content = .file(path: path)
        self.name = name ?? DiskFile.name(of: path) ?? "file"
        self.type = type
    }

    /// A file of bytes that are made while they are sent, such as those of a pipe. Of it no more is in
    /// memory than `next` hands out at once.
    ///
    /// It is sent once only. If an attempt fails before it has asked for bytes, and it is certain that
    /// the server did nothing, the call is sent again as its retries say. After that it fails with the
    /// error of the attempt, whatever its method and its retries, and is not sent again with a new
    /// token either, though one is asked for; a redirect that wants the body again is refused. To
    /// repeat the call, make it again with a new stream.
    ///
    /// - Parameters:
    ///   - length: How many bytes there will be; 0 or more. With more or fewer the transport
    ///     fails with `.invalidRequest`, and never sends more.
    ///   - name: The name that the server is told.
    ///   - type: The MIME type; `application/octet-stream` by default.
    ///   - next: Makes the next bytes, nil at the end. It is called by one request at a time. What it
    ///     throws is what the call fails with.
    public init(
        streaming length: Int, name: String, type: String = "application/octet-stream",
        next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?
    ) {
        content = .stream(UploadStream(length: length, next: next))
        self.name = name
        self.type = type
    }

    /// A file made of bytes, whose MIME type is what they look like: see ``MediaType/sniff(_:)``.
    public init(sniffing bytes: [UInt8], name: String) {
        self.init(bytes: bytes, name: name, type: MediaType.sniff(bytes).name)
    }

    /// A file on disk, whose MIME type is what it looks like now: see ``MediaType/sniff(_:)``. Its
    /// beginning is read at once. If it cannot be read, the type is `application/octet-stream`, and
    /// the call fails when the file is opened again.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: The name that the server is told; by default the last component of the path.
    public init(sniffing path: String, name: String? = nil) {
        let start = DiskFile.start(of: path, count: MediaType.window + 1)
        self.init(path: path, name: name, type: MediaType.sniff(start).name)
    }

    /// How many bytes there are now; nil if the file cannot be read.
    public var size: Int? {
        switch content {
        case .bytes(let bytes): bytes.count
        case .file(let path): DiskFile.size(path)
        case .stream(let stream): stream.length
        }
    }

    /// Why there is nothing to send, in words; nil if there is.
    var problem: String? {
        guard case .file(let path) = content, let why = DiskFile.problem(path) else { return nil }
        return "\(why): `\(path.escaped)`"
    }

    /// The stream, if it is one.
    var stream: UploadStream? {
        if case .stream(let stream) = content { stream } else { nil }
    }

    /// What is sent; nil if the file cannot be read, or is a stream that has been.
    var part: RequestBody.Part? {
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
    /// Reads the path of a file on disk, whose MIME type is what it looks like now.
    public static func read(from json: inout JSONReader) -> UploadFile? {
        json.text(expected: "the path of a file").map { UploadFile(sniffing: $0) }
    }
}
