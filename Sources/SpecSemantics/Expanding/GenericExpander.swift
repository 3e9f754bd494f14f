import SpecDiagnostics
import SpecSyntax

/// Replaces generic models by one model for each use: `Page<User>` becomes a model with the Swift
/// name `PageUser`, or with the name of an alias of it. How a value is read depends on the argument
/// (its rules, its form of dates, its secrets). `GenericStructures` finds the uses that differ in
/// nothing but the name of a model.
struct GenericExpander {
    /// An instance of a generic model.
    private struct Instance {
        /// How it is written, as `Page<User>`.
        let key: String
        let template: ModelSyntax
        let arguments: [TypeSyntax]
        /// The index of the instance that contains the first use of it.
        let parent: Int?
        var model: ModelSyntax
    }

    private var templates: [String: ModelSyntax] = [:]
    /// Aliases that name an instance.
    private var aliases: [String: ModelSyntax] = [:]
    private var instances: [Instance] = []
    private var indices: [String: Int] = [:]
    /// The generic models that are used, also wrongly.
    private var used: Set<String> = []
    /// The instance whose content is being expanded.
    private var current: Int?
    private let namer: SwiftNamer
    private var bag = DiagnosticBag()

    /// How often an instance may lead to another one of the same model.
    private static let maximumDepth = 8
    /// The largest number of instances.
    private static let maximumCount = 2_000
    /// The largest length of an instance as written.
    private static let maximumLength = 500

    static func expand(_ spec: inout Spec, namer: SwiftNamer, into bag: inout DiagnosticBag) {
        var expander = GenericExpander(spec, namer: namer)
        spec.transformUses { expander.expand(&$0) }
        for group in spec.groups.indices {
            for index in spec.groups[group].models.indices {
                expander.expand(&spec.groups[group].models[index])
            }
        }
        expander.expandInstances()
        for group in spec.groups.indices {
            spec.groups[group].models = spec.groups[group].models.flatMap(expander.replaced)
        }
        expander.reportUnused(spec)
        bag.report(contentsOf: expander.bag)
    }

    private init(_ spec: Spec, namer: SwiftNamer) {
        self.namer = namer
        let models = spec.groups.flatMap(\.models)
        for model in models where !model.parameters.isEmpty {
            if templates[model.name.value] == nil { templates[model.name.value] = model }
        }
        var checker = GenericChecker(models)
        for model in models { checker.check(model, isComplete: spec.isComplete) }
        bag = checker.bag
        for model in models where model.parameters.isEmpty && isName(model.type) {
            let key = model.type.key
            if aliases[key] == nil { aliases[key] = model }
        }
    }

    /// Whether an alias is nothing but another name of an instance.
    private func isName(_ type: TypeSyntax) -> Bool {
        type.name.map { templates[$0] != nil } == true && type.optional == nil
            && type.nullable == nil && type.attributes.keys.isEmpty && type.attributes.rules.isEmpty
    }

    // MARK: Uses

    private mutating func expand(_ model: inout ModelSyntax) {
        guard model.parameters.isEmpty else { return }
        // An alias that names an instance becomes it, and keeps its type until then.
        var type = model.type
        expand(&type)
        if aliases[model.type.key]?.name.span != model.name.span { model.type = type }
    }

    private mutating func expand(_ type: inout TypeSyntax) {
        guard let name = type.name, templates[name] != nil || !type.arguments.isEmpty else {
            return type.transformParts { expand(&$0) }
        }
        type.form = instance(of: name, type).map { .named($0) } ?? .invalid
        type.arguments = []
    }

    /// The name of the model for a use; nil after an error.
    private mutating func instance(of name: String, _ use: TypeSyntax) -> String? {
        guard let template = templates[name] else {
            report(
                "`\(name)` has no type parameters", use,
                help: NearMisses.help(forTypeText: use.key) ?? "write `\(name)` alone")
            return nil
        }
        used.insert(name)
        guard template.parameters.count == use.arguments.count else {
            reportCount(template, use)
            return nil
        }
        if let argument = use.arguments.first(where: { $0.optional != nil }) {
            report(
                "an argument cannot be optional", argument,
                help: "write `?` in the generic model, or `T | null` for a value that may be null")
            return nil
        }
        let key = use.key
        if let known = indices[key] { return instances[known].model.name.value }
        guard isFinite(template, use: use, key: key) else { return nil }
        let alias = aliases[key]
        var model = alias ?? template
        model.parameters = []
        if alias == nil {
            model.name.value = key
            let name = template.type.attributes.swift.name ?? template.name
            model.type.attributes.swift.name = Located(
                ([name.value] + use.arguments.map(\.word)).compactMap(namer.typeName).joined(),
                at: name.span)
        }
        indices[key] = instances.count
        instances.append(
            Instance(
                key: key, template: template, arguments: use.arguments, parent: current,
                model: model))
        return model.name.value
    }

    /// Whether an instance may be added; reports models that contain ever more instances.
    private mutating func isFinite(
        _ template: ModelSyntax, use: TypeSyntax, key: String
    ) -> Bool {
        var chain = [key]
        var index = current
        while let ancestor = index.map({ instances[$0] }) {
            if ancestor.template.name.span == template.name.span { chain.append(ancestor.key) }
            index = ancestor.parent
        }
        if chain.count > Self.maximumDepth {
            let label = chain.reversed().prefix(3).joined(separator: " → ") + " → …"
            bag.report(
                .badGeneric, "`\(template.name.value)` contains ever more models", at: use.span,
                label: label, help: "use it here with the same arguments: its own parameters")
            return false
        }
        if instances.count >= Self.maximumCount || key.utf8.count > Self.maximumLength {
            bag.report(
                .nestingTooDeep, "the uses of generic models are too many or too long",
                at: use.span,
                label: "more than \(Self.maximumCount), or \(Self.maximumLength) characters",
                help: "declare a model without type parameters")
            return false
        }
        return true
    }

    private mutating func report(_ message: String, _ type: TypeSyntax, help: String) {
        bag.report(.badGeneric, message, at: type.span, help: help)
    }

    private mutating func reportCount(_ template: ModelSyntax, _ use: TypeSyntax) {
        let name = template.name.value
        let parameters = template.parameters.map(\.value).joined(separator: ", ")
        let counts = (template.parameters.count, use.arguments.count)
        bag.report(
            .badGeneric,
            "`\(name)` takes \(counts.0) type\(counts.0 == 1 ? "" : "s"), found \(counts.1)",
            at: use.span,
            notes: [Diagnostic.Note("it is declared here", at: template.name.span)],
            help: "write a type for each parameter: `\(name)<\(parameters)>`")
    }

    // MARK: Instances

    /// Expands the content of instances, which may add further ones.
    private mutating func expandInstances() {
        var next = 0
        while next < instances.count {
            current = next
            let instance = instances[next]
            let names = instance.template.parameters.map(\.value)
            var type = instance.template.type
            type.substitute(
                Dictionary(zip(names, instance.arguments), uniquingKeysWith: { first, _ in first }))
            let isNamed = aliases[instance.key] != nil
            type.attributes.swift.name = isNamed ? nil : instance.model.type.attributes.swift.name
            expand(&type)
            instances[next].model.type = type
            instances[next].model.instance = origin(of: instance)
            next += 1
        }
    }

    /// What an instance is made of; nil if that is not one model.
    private mutating func origin(
        of instance: Instance
    ) -> (model: String, parameter: String, argument: String)? {
        let template = instance.template
        guard template.parameters.count == 1, var argument = instance.arguments.first else {
            return nil
        }
        expand(&argument)
        guard let model = argument.name, let parameter = template.parameters.first,
            let name = namer.typeName((template.type.attributes.swift.name ?? template.name).value)
        else { return nil }
        return (name, parameter.value, model)
    }

    /// The models that a declaration becomes.
    private func replaced(_ model: ModelSyntax) -> [ModelSyntax] {
        if model.parameters.isEmpty {
            let named = indices[model.type.key].map { instances[$0].model }
            return [named?.name.span == model.name.span ? named ?? model : model]
        }
        return instances.filter {
            $0.template.name.span == model.name.span && aliases[$0.key] == nil
        }.map(\.model)
    }

    private mutating func reportUnused(_ spec: Spec) {
        for (name, model) in templates where spec.isComplete && !used.contains(name) {
            bag.report(
                .unusedModel, "model `\(name)` is not used", at: model.name.span,
                help: "remove it, or use it in a method or another model")
        }
    }
}

extension TypeSyntax {
    /// Replaces type parameters by arguments.
    fileprivate mutating func substitute(_ arguments: [String: TypeSyntax]) {
        guard let argument = name.flatMap({ arguments[$0] }) else {
            return transformParts { $0.substitute(arguments) }
        }
        form = argument.form
        span = argument.span
        self.arguments = argument.arguments
        nullable = nullable ?? argument.nullable
    }

    /// The type as text, without `?` and `| null`: the same for uses of one instance.
    fileprivate var key: String {
        let list = arguments.map(\.written).joined(separator: ", ")
        return switch form {
        case .named(let name): list.isEmpty ? name : "\(name)<\(list)>"
        case .list(let element): "[\(element.written)]"
        case .map(let key, let value): "{\(key.written): \(value.written)}"
        case .union(let union):
            union.alternatives.map(\.type.written).joined(separator: " | ")
        case .object, .enumeration, .invalid: "…"
        }
    }

    private var written: String {
        key + (optional == nil ? "" : "?") + (nullable == nil ? "" : " | null")
    }

    /// The words for the type in the name of an instance.
    fileprivate var word: String {
        let base =
            switch form {
            case .named(let name): ([name] + arguments.map(\.word)).joined(separator: " ")
            case .list(let element): element.word + " List"
            case .map(let key, let value): value.word + " By " + key.word
            case .union(let union):
                union.alternatives.map(\.type.word).joined(separator: " Or ")
            case .object, .enumeration, .invalid: ""
            }
        return nullable == nil ? base : "Optional " + base
    }
}
