import HTTPTypes
import TelexJSON
import TelexTransport
import TelexValues

/// A complete reply.
package struct Reply: Sendable {
    package let head: HTTPResponse
    package let body: [UInt8]
    /// The address that replied, if it is known.
    package let address: Address?
    /// The status code, cached because `head.status` parses it on each access.
    package let status: Int

    package init(head: HTTPResponse, body: [UInt8], address: Address? = nil) {
        self.head = head
        self.body = body
        self.address = address
        status = head.status.code
    }

    /// The body, if it is declared to be plain text; nil if it is empty.
    package var plainText: String? {
        guard head.headerFields.mediaType == "text/plain" else { return nil }
        // Whole: the redactor has to see a secret that crosses the limit of a message.
        let text = (try? text()) ?? String(decoding: body, as: UTF8.self)
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// Returns the body as text in the charset of the reply; UTF-8 if it names none.
    ///
    /// - Throws: A violation if the reply is not text, or not in that charset.
    package func text() throws(Violation) -> String {
        let fields = head.headerFields
        if let type = fields.mediaType, Self.isBinary(type) {
            throw Violation(
                path: "Content-Type", check: .types, rule: "type", expected: "a type of text",
                found: type)
        }
        let label = fields.charset ?? "utf-8"
        guard let charset = Charset(label: label) else {
            throw Violation(
                path: "Content-Type", check: .types, rule: "type", expected: "a known charset",
                found: Violation.quoted(label))
        }
        guard let text = charset.text(body) else {
            throw Violation(
                path: "$", check: .types, rule: "type", expected: "text in \(charset.rawValue)",
                found: "other bytes\(fields.mediaType.map { " of type \($0)" } ?? "")")
        }
        return text
    }

    private static func isBinary(_ type: String) -> Bool {
        let isXML = type.hasSuffix("+xml")
        return !isXML
            && ["image/", "audio/", "video/", "font/", "multipart/"].contains(where: type.hasPrefix)
    }

    /// The media type, if it is that of text or of another document, which cannot be JSON by
    /// mistake: the declared one, or that of HTML if none is declared that tells anything.
    package var documentType: String? {
        let declared = head.headerFields.mediaType
        if let declared, declared != MediaType.unknown {
            let isDocument =
                declared.hasPrefix("text/") || declared.hasSuffix("/xml")
                || declared.hasSuffix("+xml")
            return isDocument ? declared : nil
        }
        return body.beginAsHTML ? "text/html" : nil
    }

    /// The server's identifier of the exchange, for support requests.
    package var requestID: String? {
        for name in Self.requestIDs {
            if let value = head.headerFields[name] { return value }
        }
        return nil
    }

    private static let requestIDs = [
        "X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId",
    ].compactMap { HTTPField.Name($0) }
}
