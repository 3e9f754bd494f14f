import TelexJSON

/// The secrets in a reply, which its own words might repeat: what has the name of a secret, however
/// deep, and what stands where tokens are expected.
struct ReplySecrets {
    /// How many are looked for, which costs time: no reply has so many.
    static let most = 64

    /// The secrets.
    private(set) var texts: [String] = []

    /// Whether there are more than are looked for.
    private(set) var areTooMany = false

    /// Finds the secrets.
    init(in members: [JSONObject.Member], _ rules: TokenReplyRules) {
        add(members, isSecret: false, at: [rules.token[...], rules.refreshToken[...]])
        areTooMany = texts.count > Self.most
        guard areTooMany else { return }
        // Who sends so many is not trusted with any word.
        texts = members.compactMap { $0.key.hasPrefix("error") ? $0.value.asString : nil }
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
        case .string(let text): if isSecret { add(text) }
        case .array(let elements):
            for element in elements { add(element, isSecret: isSecret, at: []) }
        case .object(let object): add(object.members, isSecret: isSecret, at: paths)
        case .null, .bool, .int, .number: break
        }
    }

    private mutating func add(_ text: String) {
        if texts.count <= Self.most, !texts.contains(text) { texts.append(text) }
    }
}

extension TokenRequest {
    /// The same, which takes care that these appear in no text.
    func hiding(_ secrets: ReplySecrets) -> TokenRequest {
        var request = self
        for secret in secrets.texts { request.hide(secret) }
        return request
    }
}
