import SpecDiagnostics
import SpecSyntax

/// Checks which attributes are allowed where.
enum AttributeChecker {
    private typealias Keys = Set<AttributesSyntax.Key>

    private static let spelling: Keys = [.from, .spelling]
    private static let declaration: Keys = [.doc, .link, .deprecated, .swift, .conforms]
    private static let field: Keys = [
        .from, .spelling, .doc, .link, .deprecated, .swift, .key, .defaultValue, .constant,
        .sensitive, .only, .at, .example, .examples,
    ]

    /// Reports attributes that do not apply.
    static func check(
        _ syntax: TypeSyntax, context: TypeContext, sensitivity: Sensitivity,
        into bag: inout DiagnosticBag
    ) {
        DocumentationChecker.check(syntax.attributes.documentation, into: &bag)
        switch context.place {
        case _ where context.isElement:
            let received: Keys = context.place.isReceived ? [.invalid] : []
            reject(
                syntax, besides: Self.spelling.union(received), place: "an element", into: &bag)
        case .alias:
            reject(
                syntax, besides: Self.spelling.union([.doc, .link, .sensitive, .invalid]),
                place: "an alias", into: &bag)
        case .alternative:
            reject(
                syntax, besides: Self.spelling.union([.doc, .link, .deprecated, .swift]),
                place: "an alternative", into: &bag)
        case .reply:
            reject(syntax, besides: Self.spelling.union([.invalid]), place: "a reply", into: &bag)
        case .field:
            checkConstant(syntax, into: &bag)
            reject(syntax, besides: Self.field.union([.invalid]), place: "a field", into: &bag)
        default:
            checkConstant(syntax, into: &bag)
            // The location of a parameter is checked with the parameter.
            reject(
                syntax,
                besides: Self.field.union([
                    .location, .join, .style, .defaultUnless, .empty, .clamp, .serverDefault,
                ]).subtracting([.only, .at]),
                place: "a parameter", into: &bag)
        }
        checkNames(syntax, context, into: &bag)
        checkOverruled(syntax, sensitivity, into: &bag)
    }

    /// Reports `sensitive: false` on a type with a sensitive alias, which is sensitive in all its
    /// uses.
    private static func checkOverruled(
        _ syntax: TypeSyntax, _ sensitivity: Sensitivity, into bag: inout DiagnosticBag
    ) {
        guard syntax.attributes.isSensitive == false,
            let alias = sensitivity.sensitiveAlias(in: syntax),
            let entry = sensitivity.symbols.models[alias],
            let place = syntax.attributes.place(of: .sensitive)
        else { return }
        bag.reportNoEffect(
            "every use of `\(alias)` is sensitive, so this has no effect", at: place,
            because: "`\(alias)`", at: entry.syntax.name.span)
    }

    /// Reports `swift` names without a declaration: `name` without a property, `type` without a
    /// type.
    private static func checkNames(
        _ syntax: TypeSyntax, _ context: TypeContext, into bag: inout DiagnosticBag
    ) {
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
    static func checkDeclaration(_ syntax: TypeSyntax, into bag: inout DiagnosticBag) {
        DocumentationChecker.check(syntax.attributes.documentation, into: &bag)
        let form: Keys = syntax.fields == nil ? [] : [.spelling]
        reject(
            syntax, besides: Self.declaration.union([.isPublic, .example, .examples]).union(form),
            place: "a model", into: &bag)
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

    private static func reject(
        _ syntax: TypeSyntax, besides allowed: Keys, place: String,
        into bag: inout DiagnosticBag
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
        case .empty, .clamp, .serverDefault: "it applies to the parameters of methods"
        case .defaultUnless: "it belongs to the `default` of a parameter"
        case .key, .defaultValue, .constant, .sensitive:
            "set it for the field or the parameter as a whole"
        case .swift, .conforms, .deprecated: "set it where a type or a field is declared"
        case .at: "it applies to a field of a model, and leads through nested objects"
        case .only: "it applies to a field of a model that replies and requests have"
        case .invalid: "it applies to lists and maps in replies"
        case .isPublic: "it applies to models that are declared under `models`, besides aliases"
        case .example, .examples: "it belongs to a field, a parameter or a model"
        case .doc, .link, .from, .spelling: "remove it"
        }
    }

    /// Reports `sensitive: false` on a token.
    static func checkSensitive(
        _ attributes: AttributesSyntax, _ defaultValue: YAMLNode, into bag: inout DiagnosticBag
    ) {
        guard attributes.isSensitive == false, CredentialReference.isToken(defaultValue.text),
            let place = attributes.place(of: .sensitive)
        else { return }
        bag.reportNoEffect(
            "a token is always sensitive, so this has no effect", at: place,
            because: "the `default`", at: defaultValue.span)
    }

    /// Reports a `default` in addition to `const`.
    private static func checkConstant(_ syntax: TypeSyntax, into bag: inout DiagnosticBag) {
        let attributes = syntax.attributes
        if let constant = attributes.place(of: .constant),
            let other = attributes.place(of: .defaultValue)
        {
            bag.report(
                .conflict, "`default` cannot be combined with `const`", at: other,
                notes: [Diagnostic.Note("`const` is here", at: constant)],
                help: "keep one of them")
        }
    }
}

extension TypeSyntax {
    /// Whether it declares a type.
    fileprivate var isDeclaration: Bool {
        switch form {
        case .object, .enumeration, .union: true
        case .named, .list, .map, .invalid: false
        }
    }
}
