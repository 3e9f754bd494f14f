import HTTPTypes

/// A complete reply.
struct Reply: Sendable {
    var head: HTTPResponse
    var body: [UInt8]

    var status: Int { head.status.code }

    /// What servers call an exchange, so that people can ask about it.
    var requestID: String? {
        for name in ["X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId"] {
            if let name = HTTPField.Name(name), let value = head.headerFields[name] { return value }
        }
        return nil
    }
}
