import HTTPTypes
import TelexTransport

/// What authentication by an interceptor of another module needs of requests and replies.
extension TransportRequest {
    /// The scheme, the host and the port.
    package var origin: String { "\(head.scheme ?? "")://\(head.authority ?? "")" }

    /// Returns the request with a value of `Authorization`.
    package func authorized(by text: String) -> TransportRequest {
        var request = self
        request.head.headerFields[.authorization] = text
        return request
    }
}

extension TransportReply {
    /// The challenges of a reply that asks for authentication: the values of `WWW-Authenticate`
    /// (RFC 9110, section 11.6.1). Empty for every other reply.
    package var challenges: [String] {
        head.status == .unauthorized ? head.headerFields[values: .wwwAuthenticate] : []
    }
}
