/// What was sent, as people may see it: made when the request is handed to the transport, with
/// everything that interceptors have changed, and without its secrets.
public struct RequestRecord: Sendable, Hashable, CustomStringConvertible {
    /// The HTTP method.
    public var method: String
    /// The whole address. Of its query, only the values of parameters are shown that the API's
    /// description knows and does not call sensitive.
    public var url: String
    /// The header fields, in their order.
    public var fields: [RecordField]
    /// The body; nil if there is none.
    public var body: RequestBodyRecord?

    /// Makes a record of what has no secrets.
    public init(
        method: String, url: String, fields: [RecordField] = [], body: RequestBodyRecord? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// The request in the manner of `curl`.
    public var description: String { curl }
}

/// The body of a request, as people may see it.
public struct RequestBodyRecord: Sendable, Hashable {
    /// Its MIME type; nil if none was sent.
    public var type: String?
    /// How many bytes it has; nil for a stream whose length is not known.
    public var size: Int?
    /// The fields of a form or the parts of a multipart body; empty for other bodies.
    public var parts: [BodyPartRecord]
    /// The text of a body that is no form; nil if no listener asked for it, if it is no text, or if
    /// an interceptor made it. See ``APIEventListener/bodyLimit``.
    public var text: String?
    /// Whether ``text`` is the beginning only. `false` by default.
    public var isTextCut: Bool

    /// Makes a record of what has no secrets.
    public init(
        type: String? = nil, size: Int?, parts: [BodyPartRecord] = [], text: String? = nil,
        isTextCut: Bool = false
    ) {
        self.type = type
        self.size = size
        self.parts = parts
        self.text = text
        self.isTextCut = isTextCut
    }
}

/// A field of a form, as people may see it.
public struct BodyPartRecord: Sendable, Hashable {
    /// The field's name.
    public var name: String
    /// Its value; of a long one the first ``longestValue`` bytes and `‹cut›`; `‹redacted›` if it
    /// is secret; nil for a file.
    public var value: String?
    /// What the server is told that the file is called; nil if it is no file.
    public var fileName: String?
    /// The file's MIME type; nil if it is no file.
    public var type: String?

    /// Makes a record of what has no secrets.
    public init(name: String, value: String? = nil, fileName: String? = nil, type: String? = nil) {
        self.name = name
        self.value = value
        self.fileName = fileName
        self.type = type
    }

    /// How many bytes of a value are kept.
    public static let longestValue = 1024
    /// What stands for the rest of a value.
    static let cut = "‹cut›"
}
