import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers authentication.
extension Analyzer {
    mutating func auth(_ syntax: APISyntax) -> AuthRules? {
        guard let auth = syntax.auth, let placement = placement(auth) else { return nil }
        if let expired = auth.expired {
            let rules = spec.groups.flatMap { Self.allSuccessRules(of: $0, syntax) }
            let own = Self.successRules(SettingsCascade(syntax))
            checkExpired(expired, api: syntax, rules: [own] + rules)
        }
        return AuthRules(
            placement: placement, expiry: auth.expired.map { Self.expiry($0, syntax) } ?? [],
            refresh: refresh(auth.refresh))
    }

    // MARK: The token

    private mutating func placement(_ auth: AuthSyntax) -> AuthRules.Placement? {
        guard let place = auth.placement else { return nil }
        if let prefix = auth.prefix, place.value != .header {
            bag.report(
                .badToken, "`prefix` only applies to a token in a header", at: prefix.span,
                help: "remove it, or write `in: header`")
        }
        if let name = auth.name, place.value == .bearer {
            bag.report(
                .badToken, "a bearer token has no `name`", at: name.span,
                help: "remove it: the token goes into `Authorization` (RFC 6750 §2.1)")
        }
        checkName(auth, place.value)
        if let prefix = auth.prefix { checkPrefix(prefix) }
        let name = auth.name?.value ?? ""
        switch place.value {
        case .query: return .query(name)
        case .header: return .header(name, prefix: auth.prefix?.value ?? "")
        case .bearer: return .bearer
        case .cookie: return .cookie(name)
        case .body: return .body(name)
        }
    }

    private mutating func checkName(_ auth: AuthSyntax, _ place: AuthSyntax.Placement) {
        guard let name = auth.name else { return }
        if place == .header { checkHeader(name, .badToken) }
        if place == .cookie, !Self.isToken(name.value) {
            bag.report(
                .badToken, "`\(name.value)` cannot name a cookie", at: name.span,
                help: "use letters, digits and `-` (RFC 6265 §4.1.1)")
        }
    }

    private mutating func checkPrefix(_ prefix: Located<String>) {
        checkNoControls(prefix, .badToken)
        guard prefix.value.hasPrefix(" ") else { return }
        bag.report(
            .badToken, "a header's value does not begin with a space", at: prefix.span,
            help: "remove the space (RFC 9110 §5.5)")
    }
}
