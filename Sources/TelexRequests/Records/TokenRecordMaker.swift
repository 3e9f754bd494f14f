import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTransport

/// Makes the records of a token request and its reply: the names of their fields, and the values of
/// the harmless ones.
package struct TokenRecordMaker: ExchangeRecording {
    /// The request, which contains its own redactor.
    package let request: TokenRequest
    /// The size of the largest body that any listener receives.
    package let bodyLimit: Int

    package init(request: TokenRequest, bodyLimit: Int) {
        self.request = request
        self.bodyLimit = bodyLimit
    }

    /// The whole body: its secrets are known only after parsing it, and the reply head may repeat
    /// them.
    package var sampleLimit: Int { TokenReply.maximumBytes }

    package func record(_ sent: TransportRequest) -> RequestRecord {
        RecordMaker(
            template: request.template, redactor: request.redactor, placement: nil,
            credential: nil, mayBeChanged: false, bodyLimit: bodyLimit,
            sensitiveKeys: { _, _ in nil }
        ).record(sent)
    }

    package func record(_ head: HTTPResponse, _ body: BodySample) -> ReplyRecord {
        let members = TokenReply.members(of: body.bytes)
        let secrets = ReplySecrets(in: members ?? [], to: request)
        let redactor = secrets.redactor(of: request, head)
        // A body that is not an object is not shown, because its secrets cannot be determined.
        let shown =
            secrets.exceedsLimit ? nil : members.flatMap { text($0, of: body.size, redactor) }
        return ReplyRecord(
            status: head.status.code, fields: head.headerFields.map { field($0, redactor) },
            size: body.size, isComplete: body.isComplete, text: shown)
    }

    package func record(_ error: TransportError) -> TransportError {
        TransportError(error.kind, request.redactor.redact(error.message))
    }

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
