import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexTransport

/// Makes the records of an exchange without secrets. Known secrets are redacted wherever they
/// occur; in places that usually contain secrets, only values are shown that the API's description
/// declares.
package struct RecordMaker: ExchangeRecording {
    package let template: RequestTemplate
    package var redactor: Redactor
    /// The place of the token and the credential's fields in the request.
    package let placement: AuthRules.Placement?
    package let credential: Credential?
    /// The names of header fields with tokens of other schemes, in lower case.
    package var secretHeaders: Set<String>
    /// Whether an interceptor may have changed the request.
    package let mayBeChanged: Bool
    /// The size of the largest body that any listener receives.
    package let bodyLimit: Int
    /// Returns the names whose values are secret in the body of a reply; `nil` if nothing of the
    /// body may be shown. Called only if a listener asks for bodies.
    package let sensitiveKeys: @Sendable (_ head: HTTPResponse, _ body: [UInt8]) -> Set<String>?

    package init(
        template: RequestTemplate, redactor: Redactor, placement: AuthRules.Placement?,
        credential: Credential?, secretHeaders: Set<String> = [], mayBeChanged: Bool,
        bodyLimit: Int,
        sensitiveKeys: @escaping @Sendable (_ head: HTTPResponse, _ body: [UInt8]) -> Set<String>?
    ) {
        self.template = template
        self.redactor = redactor
        self.placement = placement
        self.credential = credential
        self.secretHeaders = secretHeaders
        self.mayBeChanged = mayBeChanged
        self.bodyLimit = bodyLimit
        self.sensitiveKeys = sensitiveKeys
    }

    package var sampleLimit: Int { bodyLimit }

    // MARK: Requests

    package func record(_ request: TransportRequest) -> RequestRecord {
        let head = request.head
        let authority = head.authority ?? ""
        let user = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        let host = user.map { authority[$0...].dropFirst() } ?? authority[...]
        let origin = "\(head.scheme ?? "")://\(redactor.redact(String(host)))"
        let hidden = hiddenHeaders
        return RequestRecord(
            method: head.method.rawValue, url: origin + target(head.path ?? ""),
            fields: head.headerFields.map { self.field($0, hidden: hidden) },
            body: request.body.map { body($0, type: head.headerFields[.contentType]) })
    }

    /// Returns the path and query without secrets.
    private func target(_ text: String) -> String {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return redactor.redact(text)
        }
        let path = redactor.redact(String(text[..<mark]))
        let query = text[mark...].dropFirst()
        guard !template.isWholeAddress else { return "\(path)?\(Redactor.mark)" }
        return "\(path)?\(items(query, shown: shownParameters))"
    }

    /// Returns `name=value&…`, with the values of all names that are not in `shown` redacted.
    private func items(_ text: Substring, shown: Set<String>) -> String {
        let pieces = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let items = pieces.map(Substring.init).map { item in
            let name = item[..<(item.utf8.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex)]
            guard !item.isEmpty, !shown.contains(PercentEncoding.decode(name)) else {
                return redactor.redact(String(item))
            }
            // A word without `=` may be a token rather than a name.
            guard name.endIndex < item.endIndex else { return Redactor.mark }
            return "\(redactor.redact(String(name)))=\(Redactor.mark)"
        }
        return items.joined(separator: "&")
    }

    /// The query parameters that the API's description declares and does not mark as sensitive.
    private var shownParameters: Set<String> {
        let fields = template.query.filter { !$0.isSecret }
        let path = template.endpoint.path
        let fixed = path.firstIndex(of: "?").map { path[$0...].dropFirst() } ?? ""
        let names = fixed.split(separator: "&").map {
            PercentEncoding.decode($0.prefix { $0 != "=" })
        }
        return Set(fields.flatMap { $0.pairs(credential).map(\.name) } + names)
            .filter { !Redactor.isSuspicious($0) }
    }

    private var hiddenHeaders: Set<String> {
        Set(template.headers.filter(\.isHidden).map { $0.name.lowercased() })
    }

    private func field(_ field: HTTPField, hidden: Set<String> = []) -> RecordField {
        let name = field.name.rawName
        let isHidden =
            Redactor.isSecretHeader(name) || hidden.contains(field.name.canonicalName)
            || secretHeaders.contains(field.name.canonicalName)
        return RecordField(
            redactor.redact(name), isHidden ? Redactor.mark : redactor.redact(field.value))
    }

    // MARK: Replies

    package func record(_ head: HTTPResponse, _ body: BodySample) -> ReplyRecord {
        var maker = self
        maker.redactor.add(cookiesOf: head)
        return ReplyRecord(
            status: head.status.code, fields: head.headerFields.map(maker.replyField),
            size: body.size, isComplete: body.isComplete, text: maker.text(body, of: head))
    }

    package func record(_ error: TransportError) -> TransportError {
        TransportError(error.kind, redactor.redact(error.message))
    }

    /// The header fields that contain addresses, in lower case.
    private static let addresses: Set<String> = [
        "location", "content-location", "referer", "refresh", "link",
    ]

    private func replyField(_ field: HTTPField) -> RecordField {
        var shown = self.field(field)
        if Self.addresses.contains(field.name.canonicalName), shown.value != Redactor.mark {
            shown.value = address(shown.value)
        }
        return shown
    }

    /// Redacts a URL in a header field. The server chose the URL, so all query values, the fragment
    /// and the user information are redacted.
    private func address(_ text: String) -> String {
        var text = text[...]
        if let start = text.firstRange(of: "//")?.upperBound,
            let at = text[start...].prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@")
        {
            text = text[..<start] + Redactor.mark + text[at...]
        }
        let whole = text
        text = text.prefix { $0 != "#" }
        let fragment = text.endIndex == whole.endIndex ? "" : "#\(Redactor.mark)"
        guard let mark = text.firstIndex(of: "?") else { return text + fragment }
        let query = items(text[mark...].dropFirst(), shown: [])
        return "\(text[..<mark])?\(query)\(fragment)"
    }

    private func text(_ body: BodySample, of head: HTTPResponse) -> String? {
        guard let bytes = body.whole, let keys = sensitiveKeys(head, bytes) else { return nil }
        return redactor.text(of: bytes, type: head.headerFields[.contentType], hiding: keys)
    }
}
