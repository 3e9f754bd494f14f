import SpecDiagnostics
import SpecSyntax

/// Checks `grant`, `authorize` and `scopes`.
extension AuthChecker {
    mutating func checkGrant(of auth: AuthSyntax) {
        guard let grant = auth.grant else {
            for span in [auth.authorize?.span, auth.scopes?.span].compactMap({ $0 }) {
                bag.report(
                    .missingKey, "`authorize` and `scopes` belong to a `grant`", at: span,
                    help: "add `grant: authorization-code`, `device` or `client-credentials`")
            }
            return
        }
        if let authorize = auth.authorize {
            if grant.value == .clientCredentials {
                bag.report(
                    .conflict, "client credentials need no log-in", at: authorize.span,
                    notes: [Diagnostic.Note("the grant is here", at: grant.span)],
                    help: "remove `authorize`")
            } else {
                checkWebAddress(authorize)
            }
        } else if grant.value != .clientCredentials {
            let what = grant.value == .device ? "device authorization" : "log-in page"
            bag.report(
                .missingKey, "the grant has no `authorize`", at: grant.span,
                help: "add `authorize:` with the `https://` URL of the \(what)")
        }
        for scope in auth.scopes?.value ?? []
        where scope.value.contains(where: { " \"\\".contains($0) }) {
            bag.report(
                .notAllowed, "`\(scope.value)` is not one scope", at: scope.span,
                help: "write a list, `scopes: [read, write]`; a scope has no spaces and quotes "
                    + "(RFC 6749 §3.3)")
        }
        checkTokenServer(of: auth, grant.span)
    }

    /// Checks that the request for new tokens names the token server and the client.
    private mutating func checkTokenServer(of auth: AuthSyntax, _ span: Span) {
        let example = "`refresh: { post: https://…, form: { client_id: … } }`"
        guard case .request(let request) = auth.refresh, let url = request.url else {
            if auth.refresh == nil {
                bag.report(
                    .missingKey, "a grant needs the address of the token server", at: span,
                    help: "add \(example)")
            } else {
                bag.report(
                    .conflict, "a grant needs the address of the token server", at: span,
                    help: "write \(example) in place of this `refresh`")
            }
            return
        }
        if WebAddress.isPath(url.value) {
            bag.report(
                .badRefreshURL, "a grant needs the whole URL of the token server", at: url.span,
                help: "write `https://host/\(url.value)`")
        }
        if request.client == nil {
            bag.report(
                .missingKey, "a grant needs the id of the client", at: request.span,
                help: "add `client_id` to `form`: \(example)")
        }
    }

    mutating func checkSingleGrant(_ schemes: [AuthSyntax]) {
        let grants = schemes.compactMap(\.grant)
        for grant in grants.dropFirst() {
            bag.report(
                .conflict, "an API has one `grant`", at: grant.span,
                notes: grants.first.map { [Diagnostic.Note("the first is here", at: $0.span)] }
                    ?? [],
                help: "remove one; an `OAuthClient` for it can be made in Swift")
        }
    }
}
