import SecretNames
import SpecDiagnostics
import SpecSyntax

/// Checks which attributes are allowed where.
extension Analyzer {
    private typealias Keys = Set<AttributesSyntax.Key>

    private static let spelling: Keys = [.from, .spelling]
    private static let declaration: Keys = [.doc, .link, .deprecated, .swift, .conforms]
    private static let field: Keys = [
        .from, .spelling, .doc, .link, .deprecated, .swift, .key, .defaultValue, .constant,
        .sensitive,
    ]

    /// Reports attributes that do not apply.
    mutating func checkAttributes(_ syntax: TypeSyntax, _ context: TypeContext) {
        switch context.place {
        case _ where context.isElement:
            reject(syntax, besides: Self.spelling, place: "an element")
        case .alias:
            reject(
                syntax, besides: Self.spelling.union([.doc, .link, .sensitive]),
                place: "an alias")
        case .reply: reject(syntax, besides: Self.spelling, place: "a reply")
        case .field: reject(syntax, besides: Self.field, place: "a field")
        default:
            // The location of a parameter is checked with the parameter.
            reject(
                syntax, besides: Self.field.union([.location, .join, .style]), place: "a parameter")
        }
        checkNames(syntax, context)
        checkOverruled(syntax)
    }

    /// Reports `sensitive: false` on a type with a sensitive alias, which is sensitive in all its
    /// uses.
    private mutating func checkOverruled(_ syntax: TypeSyntax) {
        guard syntax.attributes.isSensitive == false, let alias = sensitiveAlias(in: syntax),
            let entry = symbols.models[alias],
            let place = syntax.attributes.keys.first(where: { $0.value == .sensitive })
        else { return }
        bag.reportNoEffect(
            "every use of `\(alias)` is sensitive, so this has no effect", at: place.span,
            because: "`\(alias)`", at: entry.syntax.name.span)
    }

    /// Reports `swift` names without a declaration: `name` without a property, `type` without a
    /// type.
    private mutating func checkNames(_ syntax: TypeSyntax, _ context: TypeContext) {
        let names = syntax.attributes.swift
        if let type = names.type, !syntax.isDeclaration, context.place != .alias {
            bag.report(
                .attributeDoesNotApply, "no type is declared here",
                at: type.span, help: "a model has `swift: { name: … }` where it is declared")
        }
        if let name = names.name, syntax.isDeclaration, context.isElement || context.place == .reply
        {
            bag.report(
                .attributeDoesNotApply, "no property is declared here",
                at: name.span, help: "name the type: `swift: { type: \(name.value) }`")
        }
    }

    /// Reports attributes and rules that do not apply to the declaration of a model.
    mutating func checkDeclaration(_ syntax: TypeSyntax) {
        reject(syntax, besides: Self.declaration, place: "a model")
        if let type = syntax.attributes.swift.type {
            bag.report(
                .attributeDoesNotApply, "`type` is for types that are declared inline",
                at: type.span, help: "write `swift: { name: \(type.value) }`")
        }
        for rule in syntax.attributes.rules {
            bag.report(
                .ruleDoesNotApply, "rule `\(rule.name.value.rawValue)` does not apply to a model",
                at: rule.name.span, help: "write it where the model is used, or in its fields")
        }
        let places = [("optional", syntax.optional), ("nullable", syntax.nullable)]
        for case (let name, let place?) in places {
            bag.report(
                .optionalNotAllowed, "a model cannot be \(name)", at: place,
                help: "set it where the model is used")
        }
    }

    private mutating func reject(
        _ syntax: TypeSyntax, besides allowed: Keys, place: String
    ) {
        for key in syntax.attributes.keys where !allowed.contains(key.value) {
            if syntax.isDeclaration, Self.declaration.contains(key.value) { continue }
            bag.report(
                .attributeDoesNotApply, "`\(key.value.rawValue)` does not apply to \(place)",
                at: key.span,
                help: Self.advice(for: key.value))
        }
    }

    private static func advice(for key: AttributesSyntax.Key) -> String {
        switch key {
        case .location: "it sets the location of a parameter of every request"
        case .join, .style: "it sets how a list is encoded in a query, a header or a form"
        case .key, .defaultValue, .constant, .sensitive:
            "set it for the field or the parameter as a whole"
        case .swift, .conforms, .deprecated: "set it where a type or a field is declared"
        case .doc, .link, .from, .spelling: "remove it"
        }
    }

    /// Whether a field or a parameter is sensitive: by its attribute, by an alias, as a token, or
    /// by a suspicious name without `sensitive: false`.
    func isSensitive(_ syntax: ParameterSyntax) -> Bool {
        if isSensitive(syntax.type) { return true }
        guard syntax.type.attributes.isSensitive == nil, mayBeSecret(syntax.type) else {
            return false
        }
        let key = syntax.sentKey.value
        return syntax.location == .header
            ? SecretName.isSecretHeader(key) : SecretName.isSuspicious(key)
    }

    /// Whether values of a type are sensitive, regardless of their name.
    func isSensitive(_ syntax: TypeSyntax) -> Bool {
        if syntax.attributes.isSensitive == true || syntax.attributes.isToken { return true }
        return sensitiveAlias(in: syntax) != nil
    }

    /// The sensitive alias that a type refers to.
    private func sensitiveAlias(in syntax: TypeSyntax) -> String? {
        switch syntax.form {
        case .named(let name): sensitiveAliases.contains(name) ? name : nil
        case .list(let element), .map(_, let element): sensitiveAlias(in: element)
        case .object, .enumeration, .invalid: nil
        }
    }

    /// Whether a value of a type may be a secret. Objects are checked by field, and the values of
    /// an enumeration are public.
    func mayBeSecret(_ syntax: TypeSyntax) -> Bool {
        switch syntax.form {
        case .named(let name):
            return symbols.models[name] == nil
                ? !Self.neverSecret.contains(name) : plainAliases.contains(name)
        case .list(let element), .map(_, let element): return mayBeSecret(element)
        case .object, .enumeration, .invalid: return false
        }
    }

    /// Scalars that are never secrets: `password: Date` is the time of a change.
    private static let neverSecret: Set<String> = ["bool", "bool01", "Date", "Duration"]

    /// Reports `sensitive: false` on a token.
    mutating func checkSensitive(_ attributes: AttributesSyntax, _ defaultValue: YAMLNode) {
        guard attributes.isSensitive == false, CredentialReference.isToken(defaultValue.text),
            let place = attributes.keys.first(where: { $0.value == .sensitive })
        else { return }
        bag.reportNoEffect(
            "a token is always sensitive, so this has no effect", at: place.span,
            because: "the `default`", at: defaultValue.span)
    }

    /// Reports a `default` in addition to `const`.
    mutating func checkConstant(_ syntax: TypeSyntax) {
        let attributes = syntax.attributes
        if let constant = attributes.keys.first(where: { $0.value == .constant }),
            let other = attributes.keys.first(where: { $0.value == .defaultValue })
        {
            bag.report(
                .conflict, "`default` cannot be combined with `const`", at: other.span,
                notes: [Diagnostic.Note("`const` is here", at: constant.span)],
                help: "keep one of them")
        }
    }
}

extension TypeSyntax {
    /// Whether it declares a type.
    fileprivate var isDeclaration: Bool {
        switch form {
        case .object, .enumeration: true
        case .named, .list, .map, .invalid: false
        }
    }
}

extension AttributesSyntax {
    /// Whether the default is the access token or the refresh token.
    fileprivate var isToken: Bool {
        guard let node = defaultValue, node.kind == .scalar else { return false }
        return CredentialReference.isToken(node.text)
    }
}
