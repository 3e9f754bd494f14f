import HTTPTypes

/// A complete reply.
struct Reply: Sendable {
    let head: HTTPResponse
    let body: [UInt8]
    /// The status code, cached because `head.status` parses it on each access.
    let status: Int

    init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
        status = head.status.code
    }

    /// The server's identifier of the exchange, for support requests.
    var requestID: String? {
        for name in ["X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId"] {
            if let name = HTTPField.Name(name), let value = head.headerFields[name] { return value }
        }
        return nil
    }
}
