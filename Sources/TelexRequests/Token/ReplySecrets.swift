import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON

/// The values in a reply of a token server that no text shows, because other parts of the reply may
/// repeat them: those with the name of a secret at any depth, those at the paths of tokens, and all
/// that are not known to be harmless.
struct ReplySecrets {
    /// The maximum number of secrets of each kind, because searching for each takes time. No
    /// legitimate reply exceeds it.
    private static let most = 64

    /// The certain secrets.
    private var texts: [String] = []
    /// Possible secrets, which are redacted unless they are short.
    private var parts: [String] = []

    /// Whether the reply has more secrets than the maximum, so that no text of it is shown.
    var exceedsLimit: Bool { max(texts.count, parts.count) > Self.most }

    private typealias Paths = [ArraySlice<String>]

    /// Collects the secrets of a reply.
    package init(in members: [JSONObject.Member], to request: TokenRequest) {
        let shown = (request.refusals?.shown ?? []).map { $0[...] }
        add(
            members, isSecret: false,
            tokens: [request.rules.token[...], request.rules.refreshToken[...]], shown: shown)
        guard exceedsLimit else { return }
        texts += members.compactMap { $0.key.hasPrefix("error") ? $0.value.asString : nil }
        let reply = JSONValue.object(JSONObject(members))
        texts += shown.compactMap { $0.reduce(reply) { $0?[$1] }?.codeText }
    }

    /// - Parameters:
    ///   - tokens: The paths of tokens below these members.
    ///   - shown: The paths of values that are shown.
    private mutating func add(
        _ members: [JSONObject.Member], isSecret: Bool, tokens: Paths, shown: Paths
    ) {
        for member in members {
            func below(_ paths: Paths) -> Paths {
                paths.filter { $0.first == member.key }.map { $0.dropFirst() }
            }
            let isNamed =
                Redactor.isSuspicious(member.key) || below(tokens).contains(where: \.isEmpty)
            add(
                member.value, of: member.key, isSecret: isSecret || isNamed,
                tokens: below(tokens), shown: below(shown))
        }
    }

    private mutating func add(
        _ value: JSONValue, of name: String, isSecret: Bool, tokens: Paths, shown: Paths
    ) {
        switch value {
        case .object(let object):
            add(object.members, isSecret: isSecret, tokens: tokens, shown: shown)
        case .array(let elements):
            for element in elements {
                add(element, of: name, isSecret: isSecret, tokens: [], shown: [])
            }
        case .string(let text) where isSecret: Self.add(text, to: &texts)
        // A short number would match everywhere.
        case .string, .int, .number:
            guard let text = value.asString ?? value.numberText else { return }
            let isNumber = value.asString == nil
            let isShown =
                TokenField.isHarmless(name) || isNumber && name.hasPrefix("error")
                || shown.contains(where: \.isEmpty) || OAuthErrorCode(rawValue: text).isKnown
            if isSecret || !isShown { Self.add(text, to: &parts) }
        case .null, .bool: break
        }
    }

    private static func add(_ text: String, to list: inout [String]) {
        if list.count <= most, !list.contains(text) { list.append(text) }
    }

    /// Returns a redactor of these secrets and of those of the request and of the reply's head.
    package func redactor(of request: TokenRequest, _ head: HTTPResponse) -> Redactor {
        var request = request
        for secret in texts { request.hide(secret) }
        for part in parts { request.hide(part: part) }
        var redactor = request.redactor
        redactor.add(cookiesOf: head)
        return redactor
    }
}
