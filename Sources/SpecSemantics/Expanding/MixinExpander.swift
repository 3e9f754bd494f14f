import SpecDiagnostics
import SpecSyntax

/// Copies the fields of mixins (`with`), and the rules between them, into the objects that name them.
struct MixinExpander {
    private var models: [String: ModelSyntax] = [:]
    private let isComplete: Bool
    /// Models on a cycle of mixins, which has been reported.
    private var endless: Set<String> = []
    private var copies = 0
    private var bag = DiagnosticBag()

    /// The largest number of fields that all mixins of a spec copy.
    private static let maximumCopies = 30_000

    static func expand(_ spec: inout Spec, into bag: inout DiagnosticBag) {
        var expander = MixinExpander(spec)
        expander.expandModels(&spec)
        spec.transformUses { expander.expand(&$0) }
        bag.report(contentsOf: expander.bag)
    }

    private init(_ spec: Spec) {
        isComplete = spec.isComplete
        for model in spec.groups.flatMap(\.models) where models[model.name.value] == nil {
            models[model.name.value] = model
        }
    }

    /// Expands each model after those that it mixes in.
    private mutating func expandModels(_ spec: inout Spec) {
        let mixins = models.mapValues { $0.type.withParts.flatMap(\.mixins) }
        let names = spec.groups.flatMap(\.models).map(\.name.value)
        let order = DependencyOrder(names) { mixins[$0]?.compactMap(\.name) ?? [] }
        for cycle in order.cycles { report(cycle: cycle) }
        for name in order.sorted where mixins[name]?.isEmpty == false {
            guard var type = models[name]?.type else { continue }
            expand(&type)
            models[name]?.type = type
        }
        for group in spec.groups.indices {
            spec.groups[group].models = spec.groups[group].models.map { model in
                // A second declaration of the name stays as it is; it is an error.
                let expanded = models[model.name.value]
                return expanded?.name.span == model.name.span ? expanded ?? model : model
            }
        }
    }

    private mutating func report(cycle: [String]) {
        endless.formUnion(cycle)
        guard let first = cycle.first, let model = models[first] else { return }
        bag.report(
            .badMixin, "model `\(first)` mixes itself in", at: model.name.span,
            label: DependencyOrder.shown(cycle: cycle), help: "remove one `with` of the cycle")
    }

    // MARK: Objects

    private mutating func expand(_ type: inout TypeSyntax) {
        type.transformParts { expand(&$0) }
        guard let own = type.fields, let place = type.mixins.first?.span else { return }
        var keys: [[String]] = []
        var bases: [[String]: [ParameterSyntax]] = [:]
        for field in type.mixins.flatMap({ fields(of: $0) }) {
            let key = field.fieldKey
            if bases[key] == nil { keys.append(key) }
            // The same field may come through several mixins.
            let isKnown = bases[key, default: []].contains { $0.key.span == field.key.span }
            if !isKnown { bases[key, default: []].append(field) }
        }
        let narrowed = Dictionary(
            own.map { ($0.fieldKey, $0) }, uniquingKeysWith: { one, _ in one })
        let mixed = keys.map { key in
            combined(bases[key] ?? [], own: narrowed[key], place)
        }
        type.form = .object(mixed.flatMap(\.self) + own.filter { bases[$0.fieldKey] == nil })
        let shared = type.mixins.compactMap { $0.name.flatMap { models[$0]?.type.rules } }
        for rule in shared.flatMap(\.self)
        where !type.rules.contains(where: { $0.kind.span == rule.kind.span }) {
            type.rules.append(rule)
        }
    }

    /// The fields of a mixin; none after an error.
    private mutating func fields(of mixin: TypeSyntax) -> [ParameterSyntax] {
        guard let name = mixin.name, mixin.optional == nil, mixin.nullable == nil else {
            if case .invalid = mixin.form { return [] }
            bag.report(
                .badMixin, "a mixin is the name of a model", at: mixin.span,
                help: "write `with: User`, or `with: [User, Timestamps]`")
            return []
        }
        guard let model = models[name] else {
            reportUnknown(name, at: mixin.span)
            return []
        }
        guard let fields = model.type.fields else {
            bag.report(
                .badMixin, "`\(name)` has no fields to mix in", at: mixin.span,
                notes: [Diagnostic.Note("it is declared here", at: model.name.span)],
                help: "name a model with fields")
            return []
        }
        if endless.contains(name) { return [] }
        copies += fields.count
        guard copies <= Self.maximumCopies else {
            bag.report(
                .nestingTooDeep, "the mixins of the folder copy too many fields", at: mixin.span,
                label: "more than \(Self.maximumCopies) in all",
                help: "make the shared model a field instead of a mixin")
            return []
        }
        return fields
    }

    private mutating func reportUnknown(_ name: String, at span: Span) {
        if TypeNames.scalars.contains(name) {
            bag.report(
                .badMixin, "`\(name)` has no fields to mix in", at: span,
                help: "for a field called `with`, write `{ fields: { with: \(name) } }`")
        } else if isComplete {
            bag.report(
                .unknownType, "unknown model `\(name)`", at: span,
                help: didYouMean(name, among: models.keys)
                    ?? "declare it under `models` of any file in the folder")
        }
    }

    // MARK: Fields of one name

    /// The strictest of several declarations of a field; nothing after an error.
    private mutating func combined(
        _ bases: [ParameterSyntax], own: ParameterSyntax?, _ place: Span
    ) -> [ParameterSyntax] {
        guard var result = own ?? bases.first else { return [] }
        let narrowing = FieldNarrowing(models)
        for base in own == nil ? bases.dropFirst() : bases[...] {
            do {
                result = try narrowing.narrowed(result, from: base)
            } catch let widening {
                if own == nil, let other = try? narrowing.narrowed(base, from: result) {
                    result = other
                } else {
                    report(widening, field: result, base: base, own: own, place: place)
                    return [result]
                }
            }
        }
        return [result]
    }

    private mutating func report(
        _ widening: FieldNarrowing.Widening, field: ParameterSyntax, base: ParameterSyntax,
        own: ParameterSyntax?, place: Span
    ) {
        let name = "`\(field.key.value)`"
        if own != nil {
            bag.report(
                .widerField, "field \(name) allows more than that of the mixin",
                at: field.key.span, label: widening.reason,
                notes: [Diagnostic.Note("the mixin declares it here", at: base.key.span)],
                help: "a field of a mixin may only get stricter: fewer values, more rules, "
                    + "required instead of optional")
        } else {
            bag.report(
                .widerField, "the mixins declare field \(name) differently", at: place,
                label: widening.reason,
                notes: [field, base].map { Diagnostic.Note("declared here", at: $0.key.span) },
                help: "declare \(name) here, with a type that fits both")
        }
    }
}

extension ParameterSyntax {
    /// What tells a field from the others of its object.
    fileprivate var fieldKey: [String] { isAdditional ? [] : [key.value] }
}
