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

/// A request that a `LoopbackServer` did not hand to anybody, since it did not arrive whole or cannot
/// be read.
public struct BrokenRequest: Sendable {
    /// The first line as it came, such as `POST /pay HTTP/1.1`; empty if it is not there completely.
    public let line: String
    /// The header fields that could be read.
    public let fields: HTTPFields
    /// The status with which the server refused it: 400 for what is no HTTP, 413 for a body and 431 for
    /// a head that is too large, 501 for a transfer coding other than `chunked`. Nil if the client left
    /// before the end of its request.
    public let status: Int?
    /// Which connection brought it, as in ``LoopbackRequest/connection``.
    public let connection: Int
}

extension HTTPField.Name {
    /// `Host`, which the library of HTTP types offers only as a part of the request.
    static let hostName = HTTPField.Name("Host")!
}
