import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks that the requests of methods can carry the token, and that no parameter takes its place.
struct TokenPlaceChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = TokenPlaceChecker(spec: spec)
        for method in spec.methods {
            for auth in method.cascade.schemes {
                if let place = auth.placement {
                    checker.check(method, auth: auth, place: place.value)
                }
            }
        }
        bag.report(contentsOf: checker.bag)
    }

    private mutating func check(
        _ method: ResolvedMethod, auth: AuthSyntax, place: AuthSyntax.Placement
    ) {
        let syntax = method.syntax
        let body = method.parameters.first { $0.location == .body }?.value.type
        if place == .path { checkTokenPath(method, auth) }
        if place == .body { checkTokenBody(syntax, body: body, auth: auth) }
        // The token overrides a header of all methods, which may be meant for methods without
        // authentication.
        let others = (method.group.parameters + spec.api.parameters).filter {
            $0.location != .header
        }
        let sent = syntax.parameters + others
        for parameter in sent + fields(of: body, syntax) where auth.takes(parameter) {
            bag.report(
                .duplicateParameter, "`\(parameter.sentKey.value)` takes the place of the token",
                at: parameter.key.span, notes: auth.notes,
                help:
                    "remove it: the token is sent automatically; a method that sends its own needs "
                    + "`auth: none`")
        }
    }

    private mutating func checkTokenPath(_ method: ResolvedMethod, _ auth: AuthSyntax) {
        guard let name = auth.name, let path = method.syntax.path,
            !PathSyntax.placeholders(of: method.path).contains(name.value)
        else { return }
        bag.report(
            .badToken, "the path has no `{\(name.value)}` for the token", at: path.span,
            notes: auth.notes,
            help: "add it, or write `auth: none` if the method needs no token")
    }

    private mutating func checkTokenBody(
        _ syntax: MethodSyntax, body: ValueType?, auth: AuthSyntax
    ) {
        let help = "write `auth: none` if the method needs no token"
        if let verb = syntax.verb, verb.value.isRead {
            // A body of such a request has already been reported.
            guard syntax.bodyKey == nil else { return }
            bag.report(
                .badToken, "a `\(verb.value.rawValue)` request has no body for the token",
                at: verb.span, notes: auth.notes, help: "\(help), or use another verb")
        }
        guard let body, let key = syntax.bodyKey, !body.canHaveMembers else { return }
        bag.report(
            .badToken, "the token is a field of the body, and this body has no fields",
            at: key.span,
            notes: auth.notes, help: "\(help), or send an object: `json: { … }`")
    }

    /// The fields of the model of a whole body.
    private func fields(of body: ValueType?, _ syntax: MethodSyntax) -> [ParameterSyntax] {
        guard case .object(let name)? = body else { return [] }
        if case .object(let fields)? = syntax.body?.form { return fields }
        // What a request sends of a model is nested in the model.
        let model = String(name.prefix { $0 != "." })
        return spec.symbols.model(swiftName: model)?.syntax.type.fields ?? []
    }
}

extension AuthSyntax {
    /// Whether a parameter has the same location and name as the token.
    func takes(_ parameter: ParameterSyntax) -> Bool {
        let key = parameter.sentKey.value
        let name = name?.value
        let location = parameter.location
        return switch placement?.value {
        case .query: location == .query && key == name
        case .header: location == .header && key.lowercased() == name?.lowercased()
        case .bearer, .basic: location == .header && key.lowercased() == "authorization"
        case .body: [.form, .json, .part, nil].contains(location) && key == name
        case .path: location == .path && key == name
        case .cookie, nil: false
        }
    }

    /// Where the token goes.
    var notes: [Diagnostic.Note] {
        (name?.span ?? placement?.span).map { [Diagnostic.Note("the token goes here", at: $0)] }
            ?? []
    }
}

extension ValueType {
    /// Whether a value of this type can be a JSON object.
    fileprivate var canHaveMembers: Bool {
        switch self {
        case .object, .union, .map, .json: true
        default: false
        }
    }
}
