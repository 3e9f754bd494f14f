import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON

/// The secrets in a reply of a token server, which other parts of the reply may repeat: values with
/// the name of a secret at any depth, values at the paths of tokens, and values not known to be
/// harmless.
struct ReplySecrets {
    /// The maximum number of secrets of each kind, because searching for each takes time. No
    /// legitimate reply exceeds it.
    static let most = 64

    /// The certain secrets.
    private(set) var texts: [String] = []
    /// Possible secrets, which are redacted unless they are short.
    private(set) var parts: [String] = []
    /// Whether the reply has more secrets than the maximum.
    private(set) var exceedsLimit = false

    /// Collects the secrets of a reply.
    init(in members: [JSONObject.Member], to request: TokenRequest) {
        let rules = request.rules
        let shown = request.refusals?.shown ?? []
        add(members, isSecret: false, at: [rules.token[...], rules.refreshToken[...]])
        for text in TokenField.hidden(members, besides: shown.map { $0[...] }) {
            Self.add(text, to: &parts)
        }
        exceedsLimit = max(texts.count, parts.count) > Self.most
        // No text of such a reply is shown.
        guard exceedsLimit else { return }
        texts += members.compactMap { $0.key.hasPrefix("error") ? $0.value.asString : nil }
        let reply = JSONValue.object(JSONObject(members))
        texts += shown.compactMap { $0.reduce(reply) { $0?[$1] }?.codeText }
    }

    private mutating func add(
        _ members: [JSONObject.Member], isSecret: Bool, at paths: [ArraySlice<String>]
    ) {
        for member in members {
            let rest = paths.filter { $0.first == member.key }.map { $0.dropFirst() }
            let isNamed = Redactor.isSuspicious(member.key) || rest.contains(where: \.isEmpty)
            add(member.value, isSecret: isSecret || isNamed, at: rest)
        }
    }

    private mutating func add(_ value: JSONValue, isSecret: Bool, at paths: [ArraySlice<String>]) {
        switch value {
        case .string(let text): if isSecret { Self.add(text, to: &texts) }
        // A short number would match everywhere.
        case .int, .number:
            if isSecret, let text = value.numberText { Self.add(text, to: &parts) }
        case .array(let elements):
            for element in elements { add(element, isSecret: isSecret, at: []) }
        case .object(let object): add(object.members, isSecret: isSecret, at: paths)
        case .null, .bool: break
        }
    }

    private static func add(_ text: String, to list: inout [String]) {
        if list.count <= most, !list.contains(text) { list.append(text) }
    }
}

extension TokenRequest {
    /// Returns a redactor of the secrets of the request and of its reply.
    func redactor(with secrets: ReplySecrets, of reply: HTTPResponse) -> Redactor {
        var request = self
        for secret in secrets.texts { request.hide(secret) }
        for part in secrets.parts { request.hide(part: part) }
        var redactor = request.redactor
        redactor.add(cookiesOf: reply)
        return redactor
    }
}
