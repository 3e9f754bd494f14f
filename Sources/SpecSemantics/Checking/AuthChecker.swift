import SpecDiagnostics
import SpecSyntax

/// Checks the authentication scheme: where the token goes, and how it is refreshed.
struct AuthChecker {
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = AuthChecker()
        for auth in spec.api.schemes {
            guard let place = auth.placement else { continue }
            checker.checkPlacement(auth, place)
            if case .request(let request)? = auth.refresh, let url = request.url {
                checker.check(request, to: url)
            }
            checker.checkSource(of: auth, in: spec)
            checker.checkGrant(of: auth)
        }
        checker.checkSingleGrant(spec.api.schemes)
        for method in spec.methods { checker.checkPlaces(method) }
        bag.report(contentsOf: checker.bag)
    }

    // MARK: The token

    private mutating func checkPlacement(
        _ auth: AuthSyntax, _ place: Located<AuthSyntax.Placement>
    ) {
        if let prefix = auth.prefix, place.value != .header {
            bag.report(
                .badToken, "`prefix` only applies to a token in a header", at: prefix.span,
                help: "remove it, or write `in: header`")
        }
        if let name = auth.name, place.value == .bearer || place.value == .basic {
            let rfc = place.value == .bearer ? "RFC 6750 §2.1" : "RFC 7617 §2"
            bag.report(
                .badToken, "a \(place.value.rawValue) token has no `name`", at: name.span,
                help: "remove it: the token goes into `Authorization` (\(rfc))")
        }
        checkName(auth, place.value)
        if let prefix = auth.prefix { checkPrefix(prefix) }
    }

    private mutating func checkName(_ auth: AuthSyntax, _ place: AuthSyntax.Placement) {
        guard let name = auth.name else { return }
        if place == .header { HeaderChecker.checkName(name, .badToken, into: &bag) }
        if place == .cookie, !HeaderChecker.isToken(name.value) {
            bag.report(
                .badToken, "`\(name.value)` cannot name a cookie", at: name.span,
                help: "use letters, digits and `-` (RFC 6265 §4.1.1)")
        }
    }

    private mutating func checkPrefix(_ prefix: Located<String>) {
        HeaderChecker.checkNoControls(prefix, .badToken, into: &bag)
        guard prefix.value.hasPrefix(" ") else { return }
        bag.report(
            .badToken, "a header's value does not begin with a space", at: prefix.span,
            help: "remove the space (RFC 9110 §5.5)")
    }

    // MARK: Refresh

    private mutating func check(_ request: RefreshRequestSyntax, to url: Located<String>) {
        checkRefreshURL(url)
        if request.bodyKey != nil { for member in request.members { check(member) } }
        let path = request.token
        if let path, path.value.isEmpty {
            bag.report(
                .badKeyPath, "the reply of a token server needs a token", at: path.span,
                label: "expected the key that holds the token")
        }
    }

    private mutating func check(_ syntax: RefreshMemberSyntax) {
        let text = syntax.value.value
        if text == "$token." {
            bag.report(
                .badCredentialDefault, "`$token.` names no value of the credential",
                at: syntax.value.span, help: "write `$token.refresh_token`")
        } else if text == CredentialReference.secret {
            bag.report(
                .badCredentialDefault, "`$secret.` names no secret", at: syntax.value.span,
                help: "write `$secret.API_KEY`")
        } else if let reference = CredentialReference(text), reference.place.lowerBound > 0 {
            bag.report(
                .badCredentialDefault,
                "`\(reference.text)` is not a credential reference here",
                at: syntax.value.place(of: reference.place),
                help: "a credential reference must be the whole text of a member")
        }
        if let reference = CallReference.all(in: text).first {
            bag.report(
                .badCallValue, "`\(reference.text)` is not a value of a call here",
                at: syntax.value.place(of: reference.place),
                help:
                    "a refresh belongs to no call and no method of the spec: write the text itself"
            )
        }
        if let meant = CredentialReference.misspelt(text) {
            bag.report(
                .badCredentialDefault, "`\(text)` is not a value of the credential",
                at: syntax.value.span,
                help: "did you mean `\(meant)`? A text that begins like this cannot be sent")
        }
    }

    /// Checks that the refresh token is sent over TLS (RFC 6749 §10.4).
    private mutating func checkRefreshURL(_ url: Located<String>) {
        let text = url.value
        if WebAddress.isPath(text) { return }
        checkWebAddress(url)
    }

    mutating func checkWebAddress(_ url: Located<String>) {
        let text = url.value
        let address = WebAddress(text)
        guard let address, !text.contains("#"), !text.contains(where: { "{}".contains($0) }) else {
            bag.report(
                .badRefreshURL, "`\(text)` is not the URL of a token server", at: url.span,
                help: "write `https://host/path`, without user, fragment and variables, or a path "
                    + "behind the API's server, such as `oauth/token`")
            return
        }
        if !address.isSecure, !address.isLocal {
            bag.report(
                .badRefreshURL, "the refresh token would be sent over plain HTTP", at: url.span,
                help: "write `https://`")
        }
    }
}
