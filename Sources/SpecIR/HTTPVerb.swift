/// An HTTP method, as specs write it.
public struct HTTPVerb: RawRepresentable, Hashable, Sendable {
    /// The key of a spec, such as `get`, or the name of another method, such as `PROPFIND`.
    public let rawValue: String

    /// Creates a method by the word of a spec.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `get`
    public static let get = HTTPVerb(rawValue: "get")
    /// `head`
    public static let head = HTTPVerb(rawValue: "head")
    /// `post`
    public static let post = HTTPVerb(rawValue: "post")

    /// The methods that are keys of a spec.
    public static let keys = ["get", "post", "put", "patch", "delete", "head", "options"]

    /// The methods that no client sends for an app: a proxy handles them (RFC 9110 §9.3.6, §9.3.8).
    public static let unsendable = ["CONNECT", "TRACE"]

    /// Whether it is a key of a spec.
    public var isKey: Bool { Self.keys.contains(rawValue) }

    /// The name in a request, for instance `GET`.
    public var name: String { rawValue.uppercased() }

    /// Whether a request only reads, and therefore has no body (RFC 9110 §9.3.1).
    public var isRead: Bool { self == .get || self == .head }

    /// Whether two equal requests have the effect of one (RFC 9110 §9.2.2, and for other methods
    /// the IANA registry of HTTP methods).
    public var isIdempotent: Bool { Self.idempotent.contains(name) }

    private static let idempotent: Set = [
        "GET", "PUT", "DELETE", "HEAD", "OPTIONS", "COPY", "MKCOL", "MOVE", "PROPFIND", "PROPPATCH",
        "QUERY", "REPORT", "SEARCH", "UNLOCK",
    ]
}
