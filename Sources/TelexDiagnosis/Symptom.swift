import TelexTransport

/// A failure for which the network may be at fault.
package enum Symptom: Sendable {
    /// The transport failed, or the call timed out.
    case failure(TransportError.Kind)
    /// The reply probably does not come from the server: HTML arrived where a value is promised, or
    /// a redirect cannot be followed.
    case suspectReply
    /// The network requires its user to log in: status 511 (RFC 6585, section 6).
    case loginRequired

    /// The aspect of the network to examine.
    enum Aspect: Sendable, Hashable {
        /// The highest level that works.
        case levels
        /// Whether a captive portal replies in place of a host whose TLS handshake fails. Other
        /// levels are not examined.
        case trust
        /// Whether a captive portal replies in place of a host with an unexpected reply.
        case reply
    }

    /// The aspect to examine; `nil` if the network is not at fault, or if the cause is certain.
    var aspect: Aspect? {
        switch self {
        case .failure(.tls): .trust
        case .failure(let kind): kind.mayBeOfNetwork ? .levels : nil
        case .suspectReply: .reply
        case .loginRequired: nil
        }
    }
}

extension TransportError.Kind {
    /// Whether the network may be at fault.
    var mayBeOfNetwork: Bool {
        switch self {
        case .offline, .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .tls, .truncated,
            .other:
            true
        case .cancelled, .tooLarge, .invalidRequest, .unsupported: false
        }
    }
}
