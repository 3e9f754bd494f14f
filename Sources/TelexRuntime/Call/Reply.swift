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

    /// The body, if it is declared to be plain text; nil if it is empty.
    var plainText: String? {
        guard head.headerFields.mediaType == "text/plain" else { return nil }
        // Whole: the redactor has to see a secret that crosses the limit of a message.
        let text = String(decoding: body, as: UTF8.self)
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// The media type, if it cannot be JSON by mistake: the declared one, or that of its first bytes
    /// if none is declared that tells anything.
    var documentType: String? {
        let fields = head.headerFields
        guard [nil, MediaType.unknown.name].contains(fields.mediaType) else {
            return fields.documentType
        }
        let type = MediaType.sniff(body)
        return [.unknown, .json, .plainText].contains(type) ? nil : type.name
    }

    /// The server's identifier of the exchange, for support requests.
    var requestID: String? {
        for name in ["X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId"] {
            if let name = HTTPField.Name(name), let value = head.headerFields[name] { return value }
        }
        return nil
    }
}
