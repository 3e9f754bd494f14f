/// A request, without secrets. The record is made when the request is handed to the transport, so
/// it includes the changes of interceptors.
public struct RequestRecord: Sendable, Hashable, CustomStringConvertible {
    /// The HTTP method.
    public var method: String
    /// The whole URL. Of its query, only the values of parameters are shown that the API's
    /// description declares and does not mark as sensitive.
    public var url: String
    /// The header fields, in the order sent.
    public var fields: [RecordField]
    /// The body; `nil` if there is none.
    public var body: RequestBodyRecord?

    /// Makes a record. Values are not redacted, so they must not contain secrets.
    public init(
        method: String, url: String, fields: [RecordField] = [], body: RequestBodyRecord? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// The request as a `curl` command line.
    public var description: String { curl }
}

/// The body of a request, without secrets.
public struct RequestBodyRecord: Sendable, Hashable {
    /// The MIME type; `nil` if none was sent.
    public var type: String?
    /// The number of bytes; `nil` for a stream of unknown length.
    public var size: Int?
    /// The fields of a form or the parts of a multipart body; empty for other bodies.
    public var parts: [BodyPartRecord]
    /// The text of a body that is JSON or plain text. `nil` if no listener asked for it, if it is
    /// longer than the largest limit of any listener, or if an interceptor replaced it. See
    /// ``APIEventListener/bodyLimit``.
    public var text: String?

    /// Makes a record. Values are not redacted, so they must not contain secrets.
    public init(
        type: String? = nil, size: Int?, parts: [BodyPartRecord] = [], text: String? = nil
    ) {
        self.type = type
        self.size = size
        self.parts = parts
        self.text = text
    }
}

/// A field of a form or a part of a multipart body, without secrets.
public struct BodyPartRecord: Sendable, Hashable {
    /// The field's name.
    public var name: String
    /// The value: `‹redacted›` if it is secret; `nil` for a file. Of a long value, the first
    /// ``longestValue`` bytes, followed by `‹cut›`.
    public var value: String?
    /// The file name sent to the server; `nil` if the field is not a file.
    public var fileName: String?
    /// The file's MIME type; `nil` if the field is not a file.
    public var type: String?

    /// Makes a record. Values are not redacted, so they must not contain secrets.
    public init(name: String, value: String? = nil, fileName: String? = nil, type: String? = nil) {
        self.name = name
        self.value = value
        self.fileName = fileName
        self.type = type
    }

    /// The maximum number of bytes that are kept of a value.
    public static let longestValue = 1024
    /// The mark that replaces the rest of a truncated value.
    package static let cut = "‹cut›"
}
