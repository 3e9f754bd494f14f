import HTTPTypes

/// Makes the records of an exchange, without its secrets: known ones are taken out wherever they
/// are, and what nobody has declared harmless is not shown where secrets use to be.
struct RecordMaker: ExchangeRecording {
    let template: RequestTemplate
    var redactor: Redactor
    /// Where the token is, and what the request shows of the credential.
    let placement: AuthRules.Placement?
    let credential: Credential?
    /// Whether somebody may have changed the request since it was made.
    let mayBeChanged: Bool
    /// How much of a body somebody wants to see.
    let bodyLimit: Int
    /// The names whose values nobody may see in the body of a reply, nil if nothing of it is shown;
    /// asked for only if bodies are wanted.
    let sensitiveKeys: @Sendable (_ body: [UInt8]) -> Set<String>?

    /// Some more than is wanted, so that no secret is cut in two.
    var sampleLimit: Int {
        let (more, overflow) = bodyLimit.addingReportingOverflow(redactor.reach)
        return bodyLimit > 0 ? (overflow ? .max : more) : 0
    }

    // MARK: Requests

    func record(_ request: TransportRequest) -> RequestRecord {
        let head = request.head
        let authority = head.authority ?? ""
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let origin = "\(head.scheme ?? "")://\(redactor.redact(String(host)))"
        let hidden = hiddenHeaders
        return RequestRecord(
            method: head.method.rawValue, url: origin + target(head.path ?? ""),
            fields: head.headerFields.map { self.field($0, hidden: hidden) },
            body: request.body.map { body($0, type: head.headerFields[.contentType]) })
    }

    /// Path and query.
    private func target(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return redactor.redact(text) }
        let path = redactor.redact(String(text[..<mark]))
        let query = text[mark...].dropFirst()
        guard !template.isWholeAddress else { return "\(path)?\(Redactor.mark)" }
        return "\(path)?\(items(query, shown: shownParameters))"
    }

    /// `name=value&…`, the values of other names hidden.
    private func items(_ text: Substring, shown: Set<String>) -> String {
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            guard !item.isEmpty, !shown.contains(PercentEncoding.decode(name)) else {
                return redactor.redact(String(item))
            }
            // A bare word may be a ticket just as well as a name.
            guard name.endIndex < item.endIndex else { return Redactor.mark }
            return "\(redactor.redact(String(name)))=\(Redactor.mark)"
        }
        return items.joined(separator: "&")
    }

    /// The query parameters that the API's description knows and does not call sensitive.
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
        let isHidden = hidden.contains(name.lowercased()) || Redactor.isSecretHeader(name)
        return RecordField(
            redactor.redact(name), isHidden ? Redactor.mark : redactor.redact(field.value))
    }

    // MARK: Replies

    func record(_ head: HTTPResponse, _ body: BodySample) -> ReplyRecord {
        var maker = self
        maker.redactor.add(cookiesOf: head)
        let text = maker.text(body, type: head.headerFields[.contentType])
        return ReplyRecord(
            status: head.status.code, fields: head.headerFields.map(maker.replyField),
            size: body.size, isComplete: body.isComplete, text: text?.text,
            isTextCut: text?.isCut ?? false)
    }

    func record(_ error: TransportError) -> TransportError {
        TransportError(error.kind, redactor.redact(error.message))
    }

    private func replyField(_ field: HTTPField) -> RecordField {
        var shown = self.field(field)
        let addresses: Set<String> = ["location", "content-location", "referer", "refresh", "link"]
        if addresses.contains(field.name.canonicalName), shown.value != Redactor.mark {
            shown.value = address(shown.value)
        }
        return shown
    }

    /// A header field with an address in it: a stranger's, so no value of its query is shown, no
    /// fragment and nobody's name before the host.
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

    private func text(_ body: BodySample, type: String?) -> BodyText? {
        guard bodyLimit > 0, BodyText.isText(type), !body.bytes.isEmpty,
            let keys = sensitiveKeys(body.bytes)
        else { return nil }
        let places = SecretScanner.places(
            of: Set(keys.map { $0.lowercased() }), orUsual: true, in: body.bytes)
        return BodyText(
            body.bytes, redactor, hiding: places, upTo: bodyLimit, of: body.size)
    }
}
