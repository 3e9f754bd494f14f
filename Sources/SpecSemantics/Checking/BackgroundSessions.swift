import SpecDiagnostics
import SpecIR
import SpecSyntax

/// What the system may do without the app.
extension Analyzer {
    /// Checks that the system can carry out a method of a background session, and gives no secret
    /// away when it follows redirects by itself.
    mutating func checkBackground(_ method: Method, _ syntax: MethodSyntax, _ scope: MethodScope) {
        let own = syntax.settings.operation.session
        guard
            let session = own ?? scope.group.settings.operation.session
                ?? scope.api.settings.operation.session,
            let declared = scope.api.sessions.first(where: { $0.name.value == session.value }),
            declared.isBackground,
            let (problem, help) = problem(method, scope.api.auth)
        else { return }
        let place = own?.span ?? syntax.name.span
        var notes = [Diagnostic.Note("`\(session.value)` is declared here", at: declared.name.span)]
        if own == nil {
            notes.insert(Diagnostic.Note("its session is named here", at: session.span), at: 0)
        }
        bag.report(
            .badBackground, "\(problem) a background session", at: place, notes: notes, help: help)
    }

    private func problem(_ method: Method, _ auth: AuthSyntax?) -> (String, help: String)? {
        switch method.operation.kind {
        case .data, .stream:
            return (
                "only uploads and downloads run in",
                "say `kind: download` or `kind: upload`, or use another session"
            )
        case .upload, .download: break
        }
        if method.isAuthenticated, let place = auth?.placement, leaks(place.value, auth?.name) {
            return (
                "a redirect would give the token away in",
                "the system follows redirects by itself: use `token: bearer`, or another session"
            )
        }
        let secret = method.parameters.first {
            $0.isSensitive && leaks($0.location, $0.key)
        }
        return secret.map {
            (
                "a redirect would give `\($0.key)` away in",
                "the system follows redirects by itself: send it elsewhere, or use another session"
            )
        }
    }

    /// Whether a token in that place goes along with a redirect.
    private func leaks(_ place: String, _ name: Located<String>?) -> Bool {
        switch place {
        case "bearer", "query": false
        case "header": leaks(.header, name?.value ?? "")
        default: true
        }
    }

    /// Whether a parameter in that place goes along with a redirect.
    private func leaks(_ location: Parameter.Location, _ key: String) -> Bool {
        switch location {
        case .path, .query: false
        case .header: key.lowercased() != "authorization"
        case .form, .json, .part, .body: true
        }
    }
}
