import SpecDiagnostics
import SpecIR
import SpecSyntax

/// How requests carry the credential.
extension Analyzer {
    mutating func auth(_ syntax: APISyntax) -> AuthRules? {
        guard let auth = syntax.auth, let placement = placement(auth) else { return nil }
        checkExpiredCodes(auth, syntax)
        checkExpiredStatuses(auth, syntax)
        return AuthRules(
            placement: placement,
            expiry: auth.expiredStatuses.map { .status($0.value) }
                + auth.expiredCodes.map { .code(Self.code($0.value, of: syntax.errors)) },
            refresh: refresh(auth.refresh))
    }

    /// The code that a spec means, which may give the name of its case, as `retry.on` does.
    static func code(_ text: String, of errors: ErrorsSyntax?) -> String {
        let cases = errors?.cases ?? []
        if cases.contains(where: { $0.code?.value == text }) { return text }
        return cases.first { $0.name.value == text }?.code?.value ?? text
    }

    private mutating func checkExpiredCodes(_ auth: AuthSyntax, _ syntax: APISyntax) {
        let cases = syntax.errors?.cases ?? []
        let names = cases.map(\.name.value)
        let known = Set(cases.compactMap { $0.code?.value } + names)
        for code in auth.expiredCodes {
            if syntax.errors == nil {
                bag.report(
                    .unknownErrorCode, "the API has no `errors`, so no code is ever seen",
                    at: code.span, help: "say where replies hold their error code: `errors:`")
            } else if !known.contains(code.value) {
                bag.report(
                    .unknownErrorCode, "no error case has the code or the name `\(code.value)`",
                    at: code.span,
                    help: didYouMean(code.value, among: names).map { "did you mean `\($0)`?" }
                        ?? "add a case with this code to `errors.cases`")
            }
        }
    }

    /// A status tells that a token has expired only where a reply that has it can be a failure.
    private mutating func checkExpiredStatuses(_ auth: AuthSyntax, _ syntax: APISyntax) {
        let layers = spec.groups.flatMap { group in
            [group.settings] + group.methods.map { $0.settings.filled(from: group.settings) }
        }
        let rules = ([SettingsSyntax()] + layers).map {
            Self.replyRules($0.filled(from: syntax.settings))
        }
        for status in auth.expiredStatuses where rules.allSatisfy({ $0.accept(status.value) }) {
            bag.report(
                .badStatus, "a reply with the status \(status.value) is a success",
                at: status.span, label: "no token would ever count as expired",
                help: "take the status out of `success`, or remove it here")
        }
    }

    // MARK: The token

    private mutating func placement(_ auth: AuthSyntax) -> AuthRules.Placement? {
        guard let place = auth.placement else { return nil }
        if let prefix = auth.prefix, place.value != "header" {
            bag.report(
                .badToken, "`prefix` only applies to a token in a header", at: prefix.span,
                help: "remove it, or write `in: header`")
        }
        if let name = auth.name, place.value == "bearer" {
            bag.report(
                .badToken, "a bearer token has no `name`", at: name.span,
                help: "remove it: the token goes into `Authorization` (RFC 6750 §2.1)")
        }
        checkName(auth, place)
        if let prefix = auth.prefix { checkPrefix(prefix) }
        let name = auth.name?.value ?? ""
        switch place.value {
        case "query": return .query(name)
        case "header": return .header(name, prefix: auth.prefix?.value ?? "")
        case "bearer": return .bearer
        case "cookie": return .cookie(name)
        default: return .body(name)
        }
    }

    private mutating func checkName(_ auth: AuthSyntax, _ place: Located<String>) {
        guard let name = auth.name else { return }
        if place.value == "header" { checkHeader(name, .badToken) }
        if place.value == "cookie", !Self.isToken(name.value) {
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

extension ReplyRules {
    /// Whether a reply with this status is a success, whatever its body says.
    fileprivate func accept(_ status: Int) -> Bool {
        absent.isEmpty && present.isEmpty && conditions.isEmpty
            && statuses.contains { $0.contains(status) }
    }
}
