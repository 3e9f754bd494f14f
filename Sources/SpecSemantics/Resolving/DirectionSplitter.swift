import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Gives each direction its fields. A model that only replies or only requests contain loses the
/// fields of the other direction. One that both contain gets a nested type `Input` for requests if
/// its fields, or those of models in it, differ.
struct DirectionSplitter {
    /// The models, nested ones included, by qualified name.
    private let models: [String: Model]
    private var received: Set<String> = []
    private var sent: Set<String> = []
    /// The models that have a type of their own for requests.
    private var split: Set<String> = []
    private var places: TypePlaces
    private var bag = DiagnosticBag()

    /// The name of the type for requests, inside the model.
    private static let input = "Input"

    static func split(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        var splitter = DirectionSplitter(spec)
        // Nearly all specs have no fields of one direction.
        guard splitter.models.values.contains(where: \.hasDirections) else { return }
        splitter.classify(spec)
        for index in spec.baseParameters.indices {
            splitter.adapt(&spec.baseParameters[index].value, to: .request)
        }
        spec.changeModels { $0 = splitter.divided($0) }
        spec.changeMethods { splitter.adapt(&$0) }
        spec.places = splitter.places
        bag.report(contentsOf: splitter.bag)
    }

    private init(_ spec: ResolvedSpec) {
        places = spec.places
        models = spec.models.byName
    }

    // MARK: Directions

    private mutating func classify(_ spec: ResolvedSpec) {
        let replies =
            spec.methods.flatMap(\.output.values)
            + spec.methods.flatMap(\.extractions).map(\.value)
        let arguments = spec.baseParameters + spec.methods.flatMap(\.parameters)
        received = reachable(
            replies.flatMap(\.type.models) + spec.methods.compactMap(\.replyHeaders?.model)
                + spec.errorCases.compactMap(\.model)
                + spec.errorModels.values, .reply)
        sent = reachable(arguments.flatMap(\.value.type.models), .request)
        var users: [String: [String]] = [:]
        for model in models.values {
            for target in model.values.flatMap(\.type.models) {
                users[target, default: []].append(model.qualifiedName)
            }
        }
        var open = models.values.filter(\.hasDirections).map(\.qualifiedName)
        var differing: Set<String> = []
        while let name = open.popLast() {
            if differing.insert(name).inserted { open += users[name] ?? [] }
        }
        split = differing.intersection(received).intersection(sent)
    }

    /// The models that values of one direction contain.
    private func reachable(_ roots: [String], _ direction: Field.Direction) -> Set<String> {
        var seen: Set<String> = []
        var open = roots
        while let name = open.popLast() {
            guard seen.insert(name).inserted, let model = models[name] else { continue }
            let fields = model.fields(in: direction).map(\.value)
            open += (fields + model.alternatives.map(\.value)).flatMap(\.type.models)
        }
        return seen
    }

    // MARK: Models

    private mutating func divided(_ model: Model) -> Model {
        let name = model.qualifiedName
        var result = model
        result.nested = model.nested.map { divided($0) }
        if received.contains(name) {
            result.kind = kind(of: model, in: .reply)
        } else if sent.contains(name) {
            result.kind = kind(of: model, in: .request)
        }
        result.dropRules()
        if split.contains(name), let input = input(of: model) { result.nested.append(input) }
        return result
    }

    /// The type for requests, nested in the model; nil after an error. Other nested types are shared
    /// by both.
    private mutating func input(of model: Model) -> Model? {
        var input = model
        input.name = Self.input
        input.qualifiedName = Self.inputName(model.qualifiedName)
        input.documentation.text = "What a request sends of ``\(model.name)``."
        input.inlinePlace = nil
        input.nested = []
        input.joins = []
        input.kind = kind(of: model, in: .request)
        input.dropRules()
        let fields = places.fields[model.qualifiedName] ?? [:]
        let place = fields.values.min()
        if let place, let taken = places.inlineTypes[input.qualifiedName] {
            bag.report(
                .nameCollision, "an inline type of `\(model.apiName)` is called `Input`", at: taken,
                notes: [
                    Diagnostic.Note("`only` makes requests send a type of that name", at: place)
                ],
                help: "name the inline type: `swift: { type: … }`")
            return nil
        }
        places.fields[input.qualifiedName] = fields
        places.inlineTypes[input.qualifiedName] = place
        return input
    }

    /// The content of a model in one direction.
    private mutating func kind(of model: Model, in direction: Field.Direction) -> Model.Kind {
        switch model.kind {
        case .enumeration: return model.kind
        case .object where direction == .reply:
            return .object(adapted(model.fields(in: .reply), to: .reply))
        case .object: return .object(sentFields(of: model))
        case .union(var union):
            for index in union.cases.indices {
                adapt(&union.cases[index].value, to: direction)
                // Without the field, the union writes the tag itself.
                let only = union.cases[index].tagField?.only ?? direction
                if only != direction { union.cases[index].tagField = nil }
            }
            return .union(union)
        }
    }

    private mutating func sentFields(of model: Model) -> [Field] {
        let fields = model.fields(in: .request)
        let places = places.fields[model.qualifiedName] ?? [:]
        if fields.isEmpty, let first = model.fields.compactMap({ places[$0.name] }).first {
            bag.report(
                .attributeDoesNotApply, "no field of `\(model.apiName)` is left to send", at: first,
                help: "a request sends this model: make a field that is not `only: reply`")
        }
        return adapted(fields, to: .request)
    }

    private func adapted(_ fields: [Field], to direction: Field.Direction) -> [Field] {
        fields.map { field in
            var field = field
            adapt(&field.value, to: direction)
            return field
        }
    }

    // MARK: Values

    private func adapt(_ method: inout ResolvedMethod) {
        for index in method.parameters.indices {
            adapt(&method.parameters[index].value, to: .request)
        }
        method.output.changeValues { adapt(&$0, to: .reply) }
    }

    /// Refers to the types of a direction.
    private func adapt(_ value: inout Value, to direction: Field.Direction) {
        // The app checks only what it receives.
        if direction == .request {
            value.rules.removeAll { $0.name == .own }
            value.keyRules.removeAll { $0.name == .own }
        }
        switch value.type {
        case .object(let name) where direction == .request && split.contains(name):
            value.type = .object(Self.inputName(name))
        case .union(let name) where direction == .request && split.contains(name):
            value.type = .union(Self.inputName(name))
        case .list(var element):
            // A rule about a field of the other direction has nothing to check.
            if case .object(let name) = element.type, let model = models[name] {
                let names = Set(model.fields(in: direction).map(\.name))
                value.rules.removeAll { rule in
                    guard case .field(let field) = rule.argument else { return false }
                    return !names.contains(field)
                }
            }
            adapt(&element, to: direction)
            value.type = .list(element)
        case .map(let key, var element):
            adapt(&element, to: direction)
            value.type = .map(key, element)
        default: break
        }
    }

    /// The name of a model's type for requests, if the model is split.
    static func inputName(_ name: String) -> String { name + "." + input }
}

extension Model {
    fileprivate var fields: [Field] {
        if case .object(let fields) = kind { fields } else { [] }
    }

    fileprivate var alternatives: [UnionCase] {
        if case .union(let union) = kind { union.cases } else { [] }
    }

    /// The fields of one direction.
    fileprivate func fields(in direction: Field.Direction) -> [Field] {
        fields.filter { $0.only == nil || $0.only == direction }
    }

    /// Removes the rules about fields that the model does not have in its direction.
    fileprivate mutating func dropRules() {
        let names = Set(fields.map(\.name))
        rules.removeAll { !names.isSuperset(of: $0.fields) }
    }

    fileprivate var hasDirections: Bool { fields.contains { $0.only != nil } }
}
