import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks the methods of background sessions, when all models are known.
struct BackgroundChecker {
    /// A method of a background session.
    private struct Call {
        let method: ResolvedMethod
        /// The name of the session, and the span of its declaration.
        let session: Located<String>
        let declaration: Span

        /// Returns nil for a method of another session.
        init?(_ method: ResolvedMethod) {
            let cascade = method.cascade
            guard let session = cascade.session, case .named(let name) = session.value,
                let declared = cascade.api.sessions.first(where: { $0.name.value == name }),
                declared.isBackground
            else { return nil }
            self.method = method
            self.session = Located(name, at: session.span)
            declaration = declared.name.span
        }
    }

    private let spec: ResolvedSpec
    private let secrets: SecretFinder

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        let secrets = SecretFinder(spec.models, spec.places.fields)
        BackgroundChecker(spec: spec, secrets: secrets).checkMethods(into: &bag)
    }

    /// Checks that the system can run the methods of background sessions, and that a redirect leaks
    /// no secret. The system follows redirects itself.
    private func checkMethods(into bag: inout DiagnosticBag) {
        for call in spec.methods.compactMap(Call.init) {
            guard let problem = problem(call) else { continue }
            let own = call.method.syntax.settings.operation.session
            var notes = [
                Diagnostic.Note(
                    "`\(call.session.value)` is declared here", at: call.declaration)
            ]
            if own == nil {
                notes.insert(
                    Diagnostic.Note("its session is named here", at: call.session.span), at: 0)
            }
            bag.report(
                .badBackground, "\(problem.text) a background session",
                at: own?.span ?? call.method.syntax.name.span,
                notes: notes + [problem.note].compactMap(\.self), help: problem.help)
        }
    }

    private struct Problem {
        let text: String
        let help: String
        var note: Diagnostic.Note?
    }

    private func problem(
        _ call: Call
    ) -> Problem? {
        switch call.method.kind {
        case .data, .stream:
            return Problem(
                text: "only uploads and downloads run in",
                help: "set `kind: download` or `kind: upload`, or use another session")
        case .upload, .download: break
        }
        let follows = "the system follows redirects by itself"
        if call.method.cascade.schemes.contains(where: leaks) {
            return Problem(
                text: "a redirect would leak the token in",
                help: "\(follows): use `token: bearer`, or another session")
        }
        guard let secret = secret(call) else { return nil }
        return Problem(
            text: "a redirect would leak `\(secret.shown)` in",
            help: "\(follows): send it elsewhere, or use another session", note: secret.note)
    }

    /// The first secret that a redirect would leak: of the method's parameters, then of the base
    /// parameters.
    private func secret(
        _ call: Call
    ) -> SecretFinder.Secret? {
        for parameter in call.method.parameters
        where leaks(parameter.location, parameter.key) {
            if let secret = secrets.first(in: parameter) { return secret }
        }
        for parameter in call.method.sent(of: spec.baseParameters)
        where leaks(parameter.location, parameter.key) {
            guard var secret = secrets.first(in: parameter) else { continue }
            secret.note = Diagnostic.Note("it is sent with every request", at: parameter.span)
            return secret
        }
        return nil
    }

    /// Whether a redirect sends the token of a scheme.
    private func leaks(_ auth: AuthSyntax) -> Bool {
        switch auth.placement?.value {
        case .bearer, .basic, .query, .path, nil: false
        case .header: leaks(.header, auth.name?.value ?? "")
        case .cookie, .body: true
        }
    }

    /// Whether a redirect sends a parameter with that location.
    private func leaks(_ location: Parameter.Location, _ key: String) -> Bool {
        switch location {
        case .path, .query: false
        case .header: key.lowercased() != "authorization"
        case .form, .json, .part, .body: true
        }
    }
}

extension ResolvedMethod {
    /// The base parameters of this method. A whole URL gets none in the background.
    fileprivate func sent(of base: [ResolvedParameter]) -> [ResolvedParameter] {
        isWholeAddress ? [] : base
    }
}
