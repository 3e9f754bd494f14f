/// The HTTP methods, as specs write them.
public enum HTTPVerb: String, CaseIterable, Sendable {
    case get, post, put, patch, delete, head, options

    /// The name in a request, for instance `GET`.
    public var name: String { rawValue.uppercased() }

    /// Whether a request only reads, and therefore has no body (RFC 9110 §9.3.1).
    public var isRead: Bool {
        switch self {
        case .get, .head: true
        case .post, .put, .patch, .delete, .options: false
        }
    }

    /// Whether two equal requests have the effect of one (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch self {
        case .post, .patch: false
        case .get, .put, .delete, .head, .options: true
        }
    }
}
