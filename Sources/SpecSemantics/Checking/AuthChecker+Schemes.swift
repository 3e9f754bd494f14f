import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks schemes whose tokens come from elsewhere than a log-in, and several schemes of a method.
extension AuthChecker {
    mutating func checkSource(of auth: AuthSyntax, in spec: ResolvedSpec) {
        if let secret = auth.secret, auth.refresh != nil || auth.expired?.isEmpty == false {
            bag.report(
                .conflict, "a secret of the app is not refreshed", at: auth.span,
                notes: [Diagnostic.Note("`secret` is here", at: secret.span)],
                help: "remove `expired` and `refresh`, or `secret`")
        }
        switch auth.refresh {
        case .app(let span) where auth.span != spec.api.auth?.span:
            bag.report(
                .notAllowed, "the app is only asked for tokens of the first scheme", at: span,
                notes: spec.api.auth.map { [Diagnostic.Note("it is here", at: $0.span)] } ?? [],
                help: "put this scheme first, or remove `refresh`: the app saves such a token in "
                    + "the store of `APIManager(…) { $0.schemes = … }`")
        case .method(let syntax): check(syntax, in: spec)
        case .handedOut(let syntax):
            if let header = syntax.header { HeaderChecker.checkName(header, .badToken, into: &bag) }
            guard let expired = auth.expired else { break }
            bag.report(
                .conflict, "`expired` has no meaning for a token that a refusal hands out",
                at: expired.span, notes: [Diagnostic.Note("the refusal", at: syntax.span)],
                help: "remove it: the status after `on` says that there is a new token")
        case .app, .request, nil: break
        }
    }

    /// Checks that the method exists and can be called without arguments and without the token.
    private mutating func check(_ syntax: TokenMethodSyntax, in spec: ResolvedSpec) {
        if let header = syntax.header { HeaderChecker.checkName(header, .badToken, into: &bag) }
        if let token = syntax.token, token.value.isEmpty {
            bag.report(
                .badKeyPath, "the reply needs a token", at: token.span,
                label: "expected the key that holds the token")
        }
        let name = syntax.method
        guard let method = spec.methods.first(where: { $0.apiName == name.value }) else {
            let known = spec.methods.map(\.apiName)
            bag.report(
                .unknownMethod, "no method has the name `\(name.value)`", at: name.span,
                help: didYouMean(name.value, among: known)
                    ?? "write the whole name, as under `methods`")
            return
        }
        func refuse(_ why: String, at span: Span, help: String) {
            bag.report(
                .badToken, "`\(name.value)` cannot return the token: \(why)", at: name.span,
                notes: [Diagnostic.Note("it is declared here", at: span)], help: help)
        }
        if let parameter = method.parameters.first(where: { $0.presence != .optional }) {
            refuse(
                "it sends `\(parameter.key)`", at: method.syntax.name.span,
                help: "declare a method without parameters for it, or write the request here: "
                    + "`refresh: { post: …, json: { … } }`, with texts and `$secret.NAME`")
        }
        if method.kind != .data {
            refuse(
                "it is no plain call", at: method.syntax.name.span,
                help: "declare a method of `kind: data` for it")
        }
        if method.cascade.schemes.contains(where: \.comesFromMethod) {
            refuse(
                "it needs such a token itself", at: method.syntax.name.span,
                help: "write `auth: none` or another scheme for it")
        }
    }

    /// Checks that no two schemes of a method take the same place in its request.
    mutating func checkPlaces(_ method: ResolvedMethod) {
        guard let auth = method.cascade.own.auth, case .allOf(let names) = auth.value else {
            return
        }
        if names.isEmpty {
            bag.report(
                .missingKey, "`all` names no scheme", at: auth.span,
                help: "name the schemes, or write `auth: none`")
        }
        var taken: [String: Located<String>] = [:]
        for name in names {
            let scheme = method.cascade.api.schemes.first { $0.scheme.value == name.value }
            guard let place = scheme?.place else { continue }
            guard let first = taken.updateValue(name, forKey: place) else { continue }
            bag.report(
                .badToken, "the token of `\(name.value)` takes the place of another one",
                at: name.span,
                notes: [Diagnostic.Note("it is that of this scheme", at: first.span)],
                help: "give one of them another place, or write a list, of which one is sent: "
                    + "`auth: [\(first.value), \(name.value)]`")
        }
    }
}

extension AuthSyntax {
    /// The place of the token in a request, as a text; nil if it is invalid.
    fileprivate var place: String? {
        let name = name?.value ?? ""
        return switch placement?.value {
        case .bearer, .basic: "header authorization"
        case .header: "header \(name.lowercased())"
        case .query, .cookie, .body, .path: "\(placement?.value.rawValue ?? "") \(name)"
        case nil: nil
        }
    }

    fileprivate var comesFromMethod: Bool { if case .method = refresh { true } else { false } }
}

extension ExpirySyntax {
    fileprivate var isEmpty: Bool { statuses.isEmpty && codes.isEmpty }
}

extension AuthUseSyntax {
    /// The setting as it is written.
    var shown: String {
        func list(_ names: [Located<String>]) -> String {
            names.map(\.value).joined(separator: ", ")
        }
        return switch self {
        case .none: "none"
        case .required: "required"
        case .optional: "optional"
        case .anyOf(let names): names.count == 1 ? names[0].value : "[\(list(names))]"
        case .allOf(let names): "{ all: [\(list(names))] }"
        }
    }
}
