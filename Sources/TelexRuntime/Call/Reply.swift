import HTTPTypes

/// A complete reply.
struct Reply: Sendable {
    let head: HTTPResponse
    let body: [UInt8]
    /// The status of the head, which would be read from its text each time.
    let status: Int

    init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
        status = head.status.code
    }

    /// What servers call an exchange, so that people can ask about it.
    var requestID: String? {
        for name in ["X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId"] {
            if let name = HTTPField.Name(name), let value = head.headerFields[name] { return value }
        }
        return nil
    }
}
