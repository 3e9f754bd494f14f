import SpecDiagnostics

/// Parses what a method says of its replies.
extension Parser {
    /// Reads `returns`, `template`, `reply-headers` or `login`. Returns whether the key is one of
    /// them.
    mutating func reply(
        _ key: String, at entry: YAMLEntry, into method: inout MethodSyntax
    ) -> Bool {
        switch key {
        case "returns" where isByStatus(entry.value):
            method.replies = entry.value.entries.compactMap { reply($0) }
        case "returns": method.returns = type(entry.value)
        case "template": method.template = templateName(entry.value)
        case "reply-headers": method.replyHeaders = replyHeaders(entry.value)
        case "login": method.login = login(entry)
        default: return false
        }
        return true
    }

    // MARK: Replies by status

    /// Whether a mapping has a key that is meant as a status: `200`, `2xx`, `200..204`.
    private func isByStatus(_ node: YAMLNode) -> Bool {
        node.kind == .mapping
            && node.entries.contains { entry in
                let text = entry.key.text.lowercased()
                return Int(text) != nil || text.hasSuffix("xx") && text.count == 3
                    || statusRange(entry.key) != nil
            }
    }

    private mutating func reply(_ entry: YAMLEntry) -> StatusReplySyntax? {
        let type = type(entry.value)
        guard let status = Int(entry.key.text), 100...599 ~= status else {
            bag.report(
                .badStatus, "`\(entry.key.text.prefix(60))` is not a status", at: entry.key.span,
                help: "list each success by its status, `{ 200: User, 204: nothing }`; the replies "
                    + "of failed calls belong under `errors`")
            return nil
        }
        return StatusReplySyntax(status: Located(status, at: entry.key.span), type: type)
    }

    /// `[application/json]`, `application/json` or `none`
    mutating func mediaTypes(_ node: YAMLNode) -> Located<[String]>? {
        if node.isPlain, node.text == "none" { return Located([], at: node.span) }
        let types = items(node).compactMap { item -> String? in
            guard let text = text(item, expecting: "a media type") else { return nil }
            if Self.isMediaType(text.value) { return text.value }
            bag.report(
                .notAllowed, "`\(text.value.prefix(60))` is not a media type", at: text.span,
                help: "write it without parameters: `application/json`, `image/*` (RFC 9110 §8.3.1)"
            )
            return nil
        }
        return types.isEmpty ? nil : Located(types, at: node.span)
    }

    /// Whether a text is a type and a subtype (RFC 9110 §8.3.1); `*` stands for any.
    static func isMediaType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&^_.+-*".contains($0))
                    }
            } && (parts[0] != "*" || parts[1] == "*")
            && parts.allSatisfy { !$0.contains("*") || $0 == "*" }
    }

    // MARK: Header fields

    /// `{ total: { key: X-Total-Count, type: int }, next: { link: next }, etag: string? }`
    private mutating func replyHeaders(_ node: YAMLNode) -> ReplyHeadersSyntax {
        var headers = ReplyHeadersSyntax(type: TypeSyntax(.invalid, at: node.span))
        let help =
            "write the fields with their types: `{ total: { key: X-Total-Count, type: int } }`"
        let fields = entries(node, of: "`reply-headers`", help: help).map { entry in
            guard let relation = entry.value.value(of: "link"), entry.value.kind == .mapping,
                entry.value.value(of: "type") == nil
            else {
                return ParameterSyntax(
                    key: entry.key.located, type: type(entry.value))
            }
            headers.links[entry.key.text] = text(relation, expecting: "the relation of a link")
            return ParameterSyntax(
                key: entry.key.located, type: link(entry.value))
        }
        headers.type.form = .object(fields)
        return headers
    }

    /// `{ link: next }`: an address, which a last page lacks.
    private mutating func link(_ node: YAMLNode) -> TypeSyntax {
        var type = TypeSyntax(.named("url"), at: node.span)
        type.optional = node.span
        visit(node, as: .link) { parser, key, entry in
            key == "link" || parser.attribute(key, at: entry, into: &type.attributes)
        }
        return type
    }

    // MARK: Login

    /// `login: { token: access_token, expires-in: expires_in_ms, unit: ms, values: [user_id] }`
    private mutating func login(_ entry: YAMLEntry) -> LoginSyntax {
        var login = LoginSyntax(span: entry.key.span)
        let help = "name the token's key: `login: { token: access_token }`"
        visit(entry.value, as: .login, help: help) { parser, key, entry in
            let node = entry.value
            switch key {
            case "token": login.token = parser.keyPath(node, expecting: "a key path")
            case "refresh": login.refreshToken = parser.keyPath(node, expecting: "a key path")
            case "expires-in": login.expiresIn = parser.keyPath(node, expecting: "a key path")
            case "unit":
                let unit = parser.word(node, expecting: "a unit of time", among: ["s", "ms"])
                login.isInMilliseconds = unit?.value == "ms"
            case "values":
                login.values = parser.items(node).compactMap {
                    parser.keyPath($0, expecting: "a key path")
                }
            default: return false
            }
            return true
        }
        if entry.value.kind == .mapping || entry.value.isNull,
            entry.value.value(of: "token") == nil
        {
            bag.report(.missingKey, "`login` has no `token`", at: entry.key.span, help: help)
        }
        return login
    }
}
