import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves inline types and declared models.
extension Resolver {
    mutating func inline(
        _ syntax: TypeSyntax, in context: TypeContext, nested: inout [Model]
    ) -> Value? {
        let given = syntax.attributes.swift.type?.value
        guard context.place != .alias else {
            bag.report(
                .typeNotAllowed, "an alias cannot declare a type inside a list or a map",
                at: syntax.span, help: "declare the element as a model of its own")
            return nil
        }
        guard let name = given ?? Self.derivedName(context, symbols.namer) else {
            bag.report(
                .noSwiftName, "`\(context.key)` cannot become a type name", at: syntax.span,
                help: "declare the type under `models`")
            return nil
        }
        literals.typeNames.declare(name, at: context)
        var model = model(
            named: name, apiName: context.key, syntax: syntax, parent: context.parent,
            dates: context.dates)
        model.inlinePlace = context.part
        let isInline = places.inlineTypes[model.qualifiedName] != nil
        if !isInline || !nested.contains(where: { $0.isSameType(as: model) }) {
            declare(model, context)
            nested.append(model)
        }
        switch model.kind {
        case .object: return Value(.object(model.qualifiedName))
        case .union: return Value(.union(model.qualifiedName))
        case .enumeration(let values):
            return Value(.enumeration(model.qualifiedName, isInteger: values.isInteger))
        }
    }

    private mutating func declare(_ model: Model, _ context: TypeContext) {
        let owner = literals.typeNames.name(of: context.parent)
        names.declare(inline: model, in: context, of: owner, into: &bag)
        if places.inlineTypes[model.qualifiedName] == nil {
            places.inlineTypes[model.qualifiedName] = context.span
        }
    }

    /// The name of an inline type, from its key. A reserved name, and one that would hide a model
    /// in its scope, gets the model's name as a prefix: `User.UserType`, not `User.Type`.
    private static func derivedName(_ context: TypeContext, _ namer: SwiftNamer) -> String? {
        guard let name = namer.upperCamel(context.key) else { return nil }
        let full = context.prefix + name
        let owner = context.parent.split(separator: ".").last ?? ""
        let isTaken =
            ReservedNames.types(in: context.parent).contains(full)
            || context.mentioned.contains(full)
        return isTaken ? owner + full : full
    }

    /// Resolves an object, an enumeration or a union.
    mutating func model(
        named name: String, apiName: String, syntax: TypeSyntax, parent: String,
        dates: DateForm
    ) -> Model {
        let qualified = parent.isEmpty ? name : parent + "." + name
        declarations[qualified] = syntax
        references[currentModel, default: []].formUnion(syntax.mixins.compactMap(\.name))
        var nested: [Model] = []
        let kind: Model.Kind
        switch syntax.form {
        case .enumeration(let values):
            let enumeration = literals.enumeration(values, name: apiName, into: &bag)
            literals.enumerations[qualified] = enumeration
            kind = .enumeration(enumeration)
        case .object(let fields):
            checkOpen(syntax)
            kind = .object(
                self.fields(fields, of: qualified, apiName: apiName, dates: dates, nested: &nested))
        case .union(let union):
            kind = .union(
                self.union(union, of: qualified, apiName: apiName, dates: dates, nested: &nested))
        default:
            kind = .object([])
        }
        return Model(
            apiName: apiName, name: name, qualifiedName: qualified,
            documentation: Documentation(syntax.attributes.documentation), kind: kind,
            nested: nested, isRead: false, isWritten: false,
            conformances: Conformance.allCases.filter { name in
                (api.conforms + syntax.attributes.conforms).contains { $0.value == name }
            }, isClosed: syntax.closed != nil, isArray: isArray(syntax),
            rules: rules(of: syntax, kind, qualified))
    }

    /// Whether an object is an array in JSON. Reports what has no place in one.
    private mutating func isArray(_ syntax: TypeSyntax) -> Bool {
        guard let spelling = syntax.attributes.spelling, let fields = syntax.fields else {
            return false
        }
        guard spelling.value == "array" else {
            bag.report(
                .notAllowed, "`\(spelling.value.prefix(60))` is not a form of an object",
                at: spelling.span, label: "expected `array`")
            return false
        }
        var problems = syntax.mixins.map {
            ($0.span, "`with`", "write its fields, so that all places are in their order")
        }
        let behind = "only the last places may be missing: write `| null` for one that may be empty"
        for (index, field) in fields.enumerated() {
            problems += field.type.attributes.keys.compactMap { key in
                Self.withoutPlace[key.value].map { (key.span, "`\(key.value.rawValue)`", $0) }
            }
            let span = field.key.span
            if field.isAdditional {
                let help = "further elements are ignored; `closed: true` refuses them"
                problems.append((span, "`additional`", help))
            } else if index > 0, field.isRequiredPlace, !fields[index - 1].isRequiredPlace {
                problems.append((span, "a required field behind an optional one", behind))
            }
        }
        for (span, problem, help) in problems {
            bag.report(
                .conflict, "\(problem) cannot be combined with `as: array`", at: span, help: help)
        }
        return true
    }

    /// The attributes of fields that places do not have.
    private static let withoutPlace: [AttributesSyntax.Key: String] = [
        .key: "a place has no key: its entry is the name in Swift",
        .at: "a place is read by its position: declare the element as a model",
        .only: "requests and replies have the same places: declare a model for each",
    ]

    /// Resolves the rules between the fields of an object.
    private mutating func rules(
        of syntax: TypeSyntax, _ kind: Model.Kind, _ qualified: String
    ) -> [CrossRule] {
        guard !syntax.rules.isEmpty, let fields = syntax.fields, case .object(let all) = kind
        else { return [] }
        let places = places.fields[qualified] ?? [:]
        let operands = fields.compactMap { syntax in
            all.first { places[$0.name] == syntax.key.span }.map {
                RuleOperand(syntax.key.value, $0)
            }
        }
        return CrossRuleResolver.rules(
            syntax.rules, of: operands, named: "field", &literals, into: &bag)
    }

    // MARK: Fields

    private mutating func fields(
        _ syntax: [ParameterSyntax], of qualified: String, apiName: String, dates: DateForm,
        nested: inout [Model]
    ) -> [Field] {
        var scope = NameScope("model `\(apiName)`")
        var paths = FieldPaths()
        var result: [Field] = []
        let mentioned = MentionedTypes(symbols, aliases).heads(
            of: syntax.map(\.type), in: qualified)
        for field in syntax {
            var context = TypeContext(
                place: .field, key: field.key.value, span: field.key.span, parent: qualified,
                dates: dates)
            context.mentioned = mentioned
            paths.add(field, into: &bag)
            let resolved = self.field(field, in: context, nested: &nested)
            guard var resolved else { continue }
            if field.isAdditional { resolved.becomeAdditional() }
            places.fields[qualified, default: [:]][resolved.name] = field.key.span
            scope.declare(
                resolved.name, for: "field `\(field.key.value)`", at: field.key.span, into: &bag)
            result.append(resolved)
        }
        paths.checkSteps(into: &bag)
        return result.filter { !$0.isAdditional } + result.filter(\.isAdditional)
    }

    /// Reports a closed object that keeps further keys, its own or those of a mixin.
    private mutating func checkOpen(_ syntax: TypeSyntax) {
        guard let closed = syntax.closed,
            let additional = syntax.fields?.first(where: \.isAdditional)
        else { return }
        bag.report(
            .conflict, "`closed` cannot be combined with `additional`", at: closed,
            notes: [Diagnostic.Note("`additional` is here", at: additional.key.span)],
            help: "keep one of them")
    }

    private mutating func field(
        _ syntax: ParameterSyntax, in context: TypeContext, nested: inout [Model]
    ) -> Field? {
        let attributes = syntax.type.attributes
        let name = namer.valueName(
            syntax.key, given: attributes.swift.name, reserved: ReservedNames.fields, into: &bag)
        guard var value = value(syntax.type, in: context, nested: &nested), let name else {
            return nil
        }
        addConstant(syntax.type, to: &value)
        keepExamples(attributes.documentation, value: value, at: syntax.key.span, direction: nil)
        if let node = attributes.credentialDefault, node.text.hasPrefix("$token.") {
            bag.report(
                .badCredentialDefault, "a field's default cannot come from the credential",
                at: node.span, help: "give a parameter this default")
            return nil
        }
        let defaultValue = checkedDefault(syntax.type, value)
        let path = syntax.path
        return Field(
            key: path[path.count - 1], steps: path.dropLast(), name: name, value: value,
            isOptional: syntax.type.optional != nil && attributes.defaultValue == nil,
            defaultValue: defaultValue, isSensitive: sensitivity.isSensitive(syntax),
            only: attributes.only?.value,
            documentation: Documentation(attributes.documentation))
    }

    /// Adds the rule of `const`. A function of its own keeps the frames of the recursion small.
    private mutating func addConstant(_ syntax: TypeSyntax, to value: inout Value) {
        guard let constant = syntax.attributes.constant, !isCallValue(constant),
            let literal = checkedLiteral(constant, named: "constant", of: syntax, value)
        else { return }
        value.rules.append(Rule(.constant, .literal(literal)))
    }

    /// The default of a field or a parameter, checked against its type and rules.
    mutating func checkedDefault(_ syntax: TypeSyntax, _ value: Value) -> Literal? {
        guard let node = syntax.attributes.defaultValue else { return nil }
        if let place = syntax.optional {
            bag.report(
                .optionalWithDefault, "`?` has no effect with `default`", at: place,
                help: "with a default, the value may be left out anyway")
        }
        return checkedLiteral(node, named: "default", of: syntax, value)
    }

    /// A literal of a field or a parameter, checked against its type and rules.
    mutating func checkedLiteral(
        _ node: YAMLNode, named name: String, of syntax: TypeSyntax, _ value: Value
    ) -> Literal? {
        guard let literal = literals.literal(node, for: value, into: &bag) else { return nil }
        RuleValidator.check(
            literal, as: value, named: name, at: node.span, rules: syntax.attributes.rules,
            into: &bag)
        return literal
    }
}

extension ParameterSyntax {
    fileprivate var isRequiredPlace: Bool {
        type.optional == nil && type.attributes.defaultValue == nil
    }
}

extension Model {
    /// Whether two inline types of one scope have the same name and content, so that one
    /// declaration is enough.
    fileprivate func isSameType(as other: Model) -> Bool {
        qualifiedName == other.qualifiedName && kind == other.kind && nested == other.nested
            && conformances == other.conformances && rules == other.rules
            && isArray == other.isArray
    }
}

extension Field {
    /// Makes the map that holds the members without a field of their own.
    fileprivate mutating func becomeAdditional() {
        isAdditional = true
        defaultValue = .map([])
        documentation.text = documentation.text ?? "The members without a field of their own."
    }
}
