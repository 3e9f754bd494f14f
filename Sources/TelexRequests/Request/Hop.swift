import HTTPTypes
import TelexTransport

/// One request in a chain of redirects.
package final class Hop: Sendable {
    package let method: HTTPRequest.Method
    package let address: Address
    package let sendsBody: Bool
    /// Whether a redirect has left the first origin.
    package let wasRedirectedAway: Bool
    /// The redacted host, if it is not one of the API's. A redirect may have put a secret into
    /// it.
    package let redactedHost: String?
    /// Whether a redirect led to it.
    package let isRedirected: Bool

    package init(
        _ method: HTTPRequest.Method, to address: Address, sendsBody: Bool,
        wasRedirectedAway: Bool, redactedHost: String? = nil, isRedirected: Bool = false
    ) {
        self.method = method
        self.address = address
        self.sendsBody = sendsBody
        self.wasRedirectedAway = wasRedirectedAway
        self.redactedHost = redactedHost
        self.isRedirected = isRedirected
    }
}
