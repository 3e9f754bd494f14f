import HTTPTypes

/// A request as it arrived at a `LoopbackServer`.
public struct LoopbackRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The request target as it was sent: path and query.
    public let target: String
    /// All header fields in the order in which they came.
    public let fields: HTTPFields
    /// The body, with any chunked coding removed.
    public let body: [UInt8]
    /// Which connection brought it: 1 for the first that the server accepted, 0 if there was no
    /// network.
    public let connection: Int

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
    /// The host and port that the client asked for.
    public var authority: String? { fields[.hostName] }
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

extension HTTPField.Name {
    /// `Host`, which the library of HTTP types offers only as a part of the request.
    static let hostName = HTTPField.Name("Host")!
}
