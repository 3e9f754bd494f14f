import SpecDiagnostics

/// Parses `refresh`.
extension Parser {
    /// `refresh: app`, or `{ post, form | json, token, refresh-token, expires-in }`
    mutating func refresh(_ node: YAMLNode) -> RefreshSyntax? {
        if node.kind == .scalar {
            let way = word(
                node, expecting: "a kind of refresh", among: ["app"], or: "{ post: https://… }")
            return way.map { .app($0.span) }
        }
        var refresh = RefreshRequestSyntax(span: node.span)
        visit(node, as: .refresh) { parser, key, entry in
            let value = entry.value
            switch key {
            case "post": refresh.url = parser.text(value, expecting: "the URL of the token server")
            case "form": parser.refreshBody(.form, at: entry, into: &refresh)
            case "json": parser.refreshBody(.json, at: entry, into: &refresh)
            case "token": refresh.token = parser.keyPath(value, expecting: "a key path")
            case "refresh-token":
                refresh.refreshToken = parser.keyPath(value, expecting: "a key path")
            case "expires-in": refresh.expiresIn = parser.keyPath(value, expecting: "a key path")
            default: return false
            }
            return true
        }
        guard node.kind == .mapping else { return nil }
        if node.value(of: "post") == nil {
            bag.report(
                .missingKey, "`refresh` has no `post`", at: node.span,
                help: "add `post:` with a URL or a path behind the API's server, or write "
                    + "`refresh: app` if the app asks the user")
        }
        return .request(refresh)
    }

    private mutating func refreshBody(
        _ key: BodyKey, at entry: YAMLEntry, into refresh: inout RefreshRequestSyntax
    ) {
        if let first = refresh.bodyKey {
            reportConflict(entry.key.located, with: first.word)
            return
        }
        refresh.bodyKey = Located(key, at: entry.key.span)
        refresh.members = entries(entry.value, of: "`\(entry.key.text)`").compactMap { member($0) }
    }

    /// A text, or `{ const, sensitive }`.
    private mutating func member(_ entry: YAMLEntry) -> RefreshMemberSyntax? {
        var value: Located<String>?
        var isSensitive: Bool?
        if entry.value.kind != .mapping {
            value = text(entry.value, expecting: "a text to send")
        } else {
            visit(entry.value, as: .refreshMember) { parser, key, entry in
                switch key {
                case "const": value = parser.text(entry.value, expecting: "a text to send")
                case "sensitive":
                    isSensitive = parser.flag(entry.value, for: "`sensitive`")
                default: return false
                }
                return true
            }
            if entry.value.value(of: "const") == nil {
                bag.report(
                    .missingKey, "`\(entry.key.text)` has no value to send", at: entry.key.span,
                    help: "add `const:` with a text")
            }
        }
        return value.map {
            RefreshMemberSyntax(name: entry.key.located, value: $0, isSensitive: isSensitive)
        }
    }
}
