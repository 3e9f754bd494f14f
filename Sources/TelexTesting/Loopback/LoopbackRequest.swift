import HTTPTypes

/// A request as it arrived at a `LoopbackServer`.
public struct LoopbackRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The request target as it was sent: path and query.
    public let target: String
    /// All header fields in their original order.
    public let fields: HTTPFields
    /// The body, with any chunked coding removed.
    public let body: [UInt8]
    /// The number of the connection: 1 for the first that the server accepted, 0 without a network.
    public let connection: Int

    package init(
        method: String, target: String, fields: HTTPFields, body: [UInt8], connection: Int
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.connection = connection
    }

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
    /// The host and port in the request's `Host` field.
    public var authority: String? { fields[.hostName] }
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A request that a `LoopbackServer` did not pass to its handler, because it is incomplete or
/// invalid.
public struct BrokenRequest: Sendable {
    /// The request line, such as `POST /pay HTTP/1.1`; empty if it did not arrive completely.
    public let line: String
    /// The header fields that were read.
    public let fields: HTTPFields
    /// The status code of the refusal: 400 for invalid HTTP, 413 for a too large body, 431 for a
    /// too large head, 501 for a transfer coding other than `chunked`. Nil if the client left
    /// before the end of its request.
    public let status: Int?
    /// The number of the connection, as in ``LoopbackRequest/connection``.
    public let connection: Int
}

extension HTTPField.Name {
    /// The `Host` field, which the HTTPTypes library does not define as a field name.
    static let hostName = HTTPField.Name("Host")!
}
