import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTransport

/// Makes the records of a token request and its reply: the names of their fields, and the values of
/// the harmless ones.
struct TokenRecordMaker: ExchangeRecording {
    private let request: TokenRequest
    private let address: Address
    /// The size of the largest body that any listener receives.
    private let bodyLimit: Int

    /// - Parameters:
    ///   - request: The request, which contains its own redactor.
    ///   - address: The address of the request.
    init(_ request: TokenRequest, to address: Address, bodyLimit: Int) {
        self.request = request
        self.address = address
        self.bodyLimit = bodyLimit
    }

    /// The whole body: its secrets are known only after parsing it, and the reply head may repeat
    /// them.
    var sampleLimit: Int { TokenEndpoint.maximumReplyBytes }

    // MARK: Requests

    func record(_ sent: TransportRequest) -> RequestRecord {
        let redactor = request.redactor
        let host = redactor.redact(address.authority)
        let query = address.query == nil ? "" : "?\(Redactor.mark)"
        return RequestRecord(
            method: sent.head.method.rawValue,
            url: "\(address.scheme)://\(host)\(redactor.redact(address.path))\(query)",
            fields: sent.head.headerFields.map { field($0, redactor) },
            body: body(size: sent.body?.length, sent.head.headerFields[.contentType]))
    }

    private func body(size: Int?, _ type: String?) -> RequestBodyRecord {
        switch request.format {
        case .form:
            return RequestBodyRecord(type: type, size: size, parts: request.fields.map(part))
        case .json:
            let members = request.fields.map {
                JSONObject.Member(key: $0.name, value: .string($0.value))
            }
            return RequestBodyRecord(
                type: type, size: size, text: text(members, of: size, request.redactor))
        }
    }

    private func part(_ name: String, _ value: String) -> BodyPartRecord {
        TokenField.isHarmless(name)
            ? BodyPartRecord(name: name, value: value, redactedBy: request.redactor)
            : BodyPartRecord(name: request.redactor.redact(name), value: Redactor.mark)
    }

    // MARK: Replies

    func record(_ head: HTTPResponse, _ body: BodySample) -> ReplyRecord {
        let members = TokenReply.members(of: body.bytes)
        let secrets = ReplySecrets(in: members ?? [], to: request)
        let redactor = request.redactor(with: secrets, of: head)
        // A body that is not an object is not shown, because its secrets cannot be determined.
        let shown =
            secrets.exceedsLimit ? nil : members.flatMap { text($0, of: body.size, redactor) }
        return ReplyRecord(
            status: head.status.code, fields: head.headerFields.map { field($0, redactor) },
            size: body.size, isComplete: body.isComplete, text: shown)
    }

    func record(_ error: TransportError) -> TransportError {
        TransportError(error.kind, request.redactor.redact(error.message))
    }

    // MARK: Both

    private func text(
        _ members: [JSONObject.Member], of size: Int?, _ redactor: Redactor
    ) -> String? {
        guard let size, size <= bodyLimit else { return nil }
        var json = JSONWriter()
        json.value(JSONValue.object(JSONObject(TokenField.shown(members))))
        return String(validUTF8: redactor.redact(json.bytes)[...])
    }

    private func field(_ field: HTTPField, _ redactor: Redactor) -> RecordField {
        let name = field.name.rawName
        let value =
            switch name.lowercased() {
            case "location": origin(of: field.value, redactor)
            case let name where TokenField.isHarmlessHeader(name): redactor.redact(field.value)
            default: Redactor.mark
            }
        return RecordField(redactor.redact(name), value)
    }

    /// Returns only the origin of a redirect's target: its path and query may contain a code or a
    /// token, and the body is not read.
    private func origin(of location: String, _ redactor: Redactor) -> String {
        guard let start = location.firstRange(of: "://")?.upperBound else { return Redactor.mark }
        let end = location[start...].firstIndex { "/?#".contains($0) } ?? location.endIndex
        let origin = location[..<end]
        guard !origin.contains("@") else { return Redactor.mark }
        let rest = end < location.endIndex ? "/\(Redactor.mark)" : ""
        return redactor.redact(String(origin)) + rest
    }
}
