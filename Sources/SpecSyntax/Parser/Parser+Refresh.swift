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
        if let method = node.value(of: "method") { return tokenMethod(node, method) }
        if node.value(of: "on") != nil || node.value(of: "take") != nil { return handedOut(node) }
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

    /// `refresh: { method: session.csrf, token: token }`, or with `header`
    private mutating func tokenMethod(_ node: YAMLNode, _ method: YAMLNode) -> RefreshSyntax? {
        guard let name = text(method, expecting: "the name of a method") else { return nil }
        var syntax = TokenMethodSyntax(method: name)
        visit(node, as: .tokenMethod) { parser, key, entry in
            switch key {
            case "method": break
            case "token":
                syntax.token = parser.keyPath(entry.value, expecting: "a key path")
            case "header":
                syntax.header = parser.text(entry.value, expecting: "the name of a header")
            default: return false
            }
            return true
        }
        if let token = syntax.token, let header = syntax.header {
            reportConflict(header, with: Located("token", at: token.span))
        } else if syntax.token == nil, syntax.header == nil {
            bag.report(
                .missingKey, "`refresh` does not say where the reply has the token",
                at: method.span, help: "add `token:` with a key path, or `header:` with a name")
        }
        return .method(syntax)
    }

    /// `refresh: { on: 409, take: { header: X-Session-Id } }`
    private mutating func handedOut(_ node: YAMLNode) -> RefreshSyntax {
        var syntax = HandedOutSyntax(span: node.span)
        visit(node, as: .handedOut) { parser, key, entry in
            switch key {
            case "on": syntax.status = parser.status(entry.value, expecting: "a status")
            case "take":
                parser.visit(entry.value, as: .take) { parser, key, entry in
                    guard key == "header" else { return false }
                    syntax.header = parser.text(entry.value, expecting: "the name of a header")
                    return true
                }
            default: return false
            }
            return true
        }
        for (key, example) in [("on", "on: 409"), ("take", "take: { header: X-Session-Id }")]
        where node.value(of: key) == nil {
            bag.report(
                .missingKey, "`refresh` has no `\(key)`", at: node.span, help: "add `\(example)`")
        }
        if let take = node.value(of: "take"), take.kind == .mapping, syntax.header == nil,
            take.value(of: "header") == nil
        {
            bag.report(
                .missingKey, "`take` has no `header`", at: take.span,
                help: "add `header:` with the name of a header field of the reply")
        }
        return .handedOut(syntax)
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
