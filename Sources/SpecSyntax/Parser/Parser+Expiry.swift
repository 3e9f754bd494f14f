import SpecDiagnostics

/// Parses the authentication of groups and methods, and the signs of an expired token.
extension Parser {
    /// `auth: none`, `auth: required`, or `auth: { expired: … }`
    mutating func authentication(_ node: YAMLNode, into settings: inout SettingsSyntax) {
        guard node.kind == .mapping else {
            settings.isAuthenticated = word(
                node, expecting: "a word for `auth` here", among: ["none", "required"],
                or: "{ expired: … }"
            ).map { Located($0.value == "required", at: $0.span) }
            return
        }
        settings.isAuthenticated = Located(true, at: node.span)
        var expired: ExpirySyntax?
        visit(node, as: .methodAuth) { parser, key, entry in
            if key == "expired" { expired = parser.expired(entry.value) }
            return key == "expired"
        }
        settings.expired = expired
        guard node.entries.isEmpty else { return }
        bag.report(
            .missingKey, "`auth` is empty", at: node.span,
            help: "write `auth: required`, or `auth: { expired: … }`")
    }

    /// `expired: 401`, `{ status: …, error: … }`, a list of both, or `none`
    mutating func expired(_ node: YAMLNode) -> ExpirySyntax {
        var expired = ExpirySyntax(span: node.span)
        if node.isPlain, node.text == "none" { return expired }
        for item in items(node) { expiry(item, into: &expired) }
        return expired
    }

    private mutating func expiry(_ node: YAMLNode, into expired: inout ExpirySyntax) {
        if node.kind == .scalar {
            status(node, expecting: "a status, or `error:` with a code").map {
                expired.statuses.append($0)
            }
            return
        }
        visit(node, as: .expired) { parser, key, entry in
            let items = parser.items(entry.value)
            switch key {
            case "status":
                expired.statuses += items.compactMap { parser.status($0, expecting: "a status") }
            case "error":
                expired.codes += items.compactMap { parser.text($0, expecting: "an error code") }
            default: return false
            }
            return true
        }
    }
}
