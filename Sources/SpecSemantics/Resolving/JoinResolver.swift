import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves the lookups of models, when all models are known.
struct JoinResolver {
    private let models: [String: Model]
    private let declarations: [String: TypeSyntax]
    private let namer: SwiftNamer
    private var bag = DiagnosticBag()

    static func resolve(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        let declarations = spec.declarations.filter { !$0.value.joins.isEmpty }
        if declarations.isEmpty { return }
        var resolver = JoinResolver(
            models: spec.models.byName, declarations: declarations, namer: spec.symbols.namer)
        spec.changeModels { resolver.resolve(&$0) }
        bag.report(contentsOf: resolver.bag)
    }

    private mutating func resolve(_ model: inout Model) {
        for index in model.nested.indices { resolve(&model.nested[index]) }
        let joins = declarations[model.qualifiedName]?.joins ?? []
        guard !joins.isEmpty, case .object(let fields) = model.kind else { return }
        var scope = NameScope("model `\(model.apiName)`")
        for join in joins {
            DocumentationChecker.check(join.documentation, into: &bag)
            guard let resolved = self.join(join, of: model, fields) else { continue }
            let what = "lookup `\(join.name.value)`"
            scope.declare(resolved.name, for: what, at: join.name.span, into: &bag)
            checkNames(resolved, syntax: join, of: model, fields: fields)
            model.joins.append(resolved)
        }
    }

    private mutating func checkNames(
        _ join: Join, syntax: JoinSyntax, of model: Model, fields: [Field]
    ) {
        let isTaken =
            fields.contains { $0.name == join.name }
            || model.nested.contains { $0.name == join.typeName }
            || ReservedNames.insideModels.contains(join.typeName)
        guard isTaken else { return }
        bag.report(
            .nameCollision, "the name of lookup `\(syntax.name.value)` is taken in this model",
            at: syntax.name.span, help: "give the lookup another name")
    }

    private mutating func join(
        _ join: JoinSyntax, of model: Model, _ fields: [Field]
    ) -> Join? {
        let path = join.path
        guard let name = namer.lowerCamel(join.name.value),
            let typeName = namer.upperCamel(singular(join.name.value))
        else {
            bag.report(
                .noSwiftName, "`\(join.name.value)` cannot become a Swift name",
                at: join.name.span, help: "give the lookup a name with letters")
            return nil
        }
        guard path.value.count == 2,
            let (_, element) = list(Located(path.value[0], at: path.span), fields),
            let key = field(Located(path.value[1], at: path.span), of: element),
            let keyType = keyType(key, at: path.span)
        else {
            if path.value.count != 2 {
                bag.report(
                    .badJoin, "`join` needs a list and a field of its elements", at: path.span,
                    help: "write `join: items.from_id`")
            }
            return nil
        }
        var names = NameScope("lookup `\(join.name.value)`")
        let sources = join.sources.compactMap { source -> JoinSource? in
            guard let (list, element) = list(source.list, fields),
                let key = field(source.key, of: element),
                let type = self.keyType(key, at: source.key.span)
            else { return nil }
            let isNumber = if case .integer = type { true } else { false }
            guard type == keyType, isNumber || !source.isNegated else {
                bag.report(
                    .badJoin, "`\(source.key.value)` cannot equal `\(path.value[1])`",
                    at: source.key.span,
                    help: "both have the type `string`, `int` or `uuid`; only an `int` has a sign")
                return nil
            }
            let caseName = namer.lowerCamel(singular(source.list.value)) ?? list.name
            names.declare(
                caseName, for: "`\(source.list.value)`", at: source.list.span, into: &bag,
                help: "name another list")
            return JoinSource(
                caseName: caseName, list: list, element: element, key: key,
                isNegated: source.isNegated)
        }
        return Join(
            name: name, typeName: typeName, path: path.value.joined(separator: "."),
            keyType: keyType, sources: sources,
            documentation: Documentation(join.documentation))
    }

    /// A field that is a list of objects, and the type of its elements.
    private mutating func list(
        _ name: Located<String>, _ fields: [Field]
    ) -> (Field, ValueType)? {
        guard let field = fields.first(where: { $0.key == name.value }) else {
            bag.report(
                .badJoin, "the model has no field `\(name.value)`", at: name.span,
                help: didYouMean(name.value, among: fields.map(\.key))
                    ?? "name a list of the same model")
            return nil
        }
        guard case .list(let element) = field.value.type, !element.isNullable,
            case .object = element.type
        else {
            bag.report(
                .badJoin, "`\(name.value)` is no list of objects", at: name.span,
                help: "name a list whose elements have fields")
            return nil
        }
        return (field, element.type)
    }

    private mutating func field(_ name: Located<String>, of type: ValueType) -> Field? {
        guard case .object(let model) = type, case .object(let fields)? = models[model]?.kind else {
            return nil
        }
        if let field = fields.first(where: { $0.key == name.value }) { return field }
        bag.report(
            .badJoin, "the elements have no field `\(name.value)`", at: name.span,
            help: didYouMean(name.value, among: fields.map(\.key))
                ?? "name a field of the elements")
        return nil
    }

    private mutating func keyType(_ field: Field, at span: Span) -> ValueType? {
        switch field.value.type {
        case .string: return .string(from: .native)
        case .integer(.int, _): return .integer(.int, from: .native)
        case .uuid: return .uuid
        default:
            bag.report(
                .badJoin, "`\(field.key)` is no `string`, `int` or `uuid`", at: span,
                help: "name a field that identifies an object")
            return nil
        }
    }
}
