import SpecDiagnostics

/// Parses the authentication of groups and methods, and the signs of an expired token.
extension Parser {
    /// Words in `auth` of a method that cannot name a scheme.
    static let authWords = ["none", "required", "optional"]

    /// `auth: none`, `required`, `optional`, the name of a scheme, a list of names, or
    /// `{ all, expired }`
    mutating func authentication(_ node: YAMLNode, into settings: inout SettingsSyntax) {
        switch node.kind {
        case .scalar where node.boolean != nil || node.isNull:
            _ = word(
                node, expecting: "a word for `auth` here", among: Self.authWords,
                or: "{ expired: … }")
        case .scalar, .sequence:
            trace?.add(Self.authWords, at: node.span)
            guard let names = texts(node, expecting: "the name of a scheme") else { return }
            settings.auth = Located(authUse(names.value), at: node.span)
        default: authMapping(node, into: &settings)
        }
    }

    private func authUse(_ names: [Located<String>]) -> AuthUseSyntax {
        guard names.count == 1 else { return .anyOf(names) }
        return switch names[0].value {
        case "none": .none
        case "required": .required
        case "optional": .optional
        default: .anyOf(names)
        }
    }

    private mutating func authMapping(_ node: YAMLNode, into settings: inout SettingsSyntax) {
        var use = AuthUseSyntax.required
        var expired: ExpirySyntax?
        visit(node, as: .methodAuth) { parser, key, entry in
            switch key {
            case "all":
                let names = parser.texts(entry.value, expecting: "the name of a scheme")
                use = .allOf(names?.value ?? [])
            case "expired": expired = parser.expired(entry.value)
            default: return false
            }
            return true
        }
        settings.auth = Located(use, at: node.span)
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
