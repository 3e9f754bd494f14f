import SpecIR

/// The facts of the types of a spec.
final class SpecFacts: FactReader {
    typealias Facts = ValueFacts<Value>

    private struct Key: Hashable {
        let model: String
        let direction: Field.Direction
    }

    private let models: [String: Model]
    private var known: [Key: Facts] = [:]

    init(_ api: API) {
        models = api.groups.flatMap(\.models).byName
    }

    func facts(of value: Value, _ direction: Field.Direction) -> Facts {
        var facts = facts(of: value.type, direction)
        if value.from == .string {
            facts = Facts()
            facts.kinds = .string
        }
        if facts.kinds != .any || !facts.isOpen {
            facts.null = value.isNullable || facts.null == .yes ? .yes : .no
        }
        return facts
    }

    /// The fields of a body that consists of parameters.
    func facts(of parameters: [Parameter]) -> Facts {
        var facts = Facts()
        facts.kinds = .object
        facts.null = .no
        for parameter in parameters {
            if case .constant = parameter.presence {
                facts.fields[parameter.key] = FieldFacts(place: nil, presence: .mixed)
                continue
            }
            facts.fields[parameter.key] = FieldFacts(
                place: .one(parameter.value),
                presence: parameter.isRequired ? .required : .optional)
        }
        return facts
    }

    /// The names of the models of a place; empty if it has other types.
    static func models(of place: FactPlace<Value>) -> [String] {
        place.nodes.compactMap { value in
            switch value.type {
            case .object(let name), .union(let name): name
            default: nil
            }
        }
    }

    private func facts(of type: ValueType, _ direction: Field.Direction) -> Facts {
        var facts = Facts()
        switch type {
        case .string(.either) where direction == .request: facts.kinds = .string
        case .integer(_, .native), .enumeration(_, true): facts.kinds = .integer
        case .json: facts.isOpen = true
        case .list(let element):
            facts.kinds = .array
            facts.items = .one(element)
        case .map(_, let value):
            facts.kinds = .object
            facts.further = .one(value)
        case .object(let name), .union(let name): return modelFacts(name, direction)
        case .file, .bytes(.base64): (facts.kinds, facts.isBinary) = (.string, true)
        default:
            facts.kinds = type.shapes.reduce([]) { $0.union(Self.kinds(of: $1)) }
            if case .double = type {} else { facts.isNumberUnclear = true }
        }
        return facts
    }

    private static func kinds(of shape: JSONShape) -> JSONKinds {
        switch shape {
        case .string: .string
        case .number: .number
        case .bool: .boolean
        case .array: .array
        case .object: .object
        }
    }

    private func modelFacts(_ name: String, _ direction: Field.Direction) -> Facts {
        let key = Key(model: name, direction: direction)
        if let facts = known[key] { return facts }
        known[key] = Facts()
        let facts = models[name].map { read($0, direction) } ?? Facts()
        known[key] = facts
        return facts
    }

    private func read(_ model: Model, _ direction: Field.Direction) -> Facts {
        var facts = Facts()
        switch model.kind {
        case .enumeration: facts.kinds = .string
        case .object(let fields):
            facts.kinds = model.isArray ? .array : .object
            for field in fields where !model.isArray { add(field, direction, to: &facts) }
        case .union(let union):
            facts = .union(union.cases.map { self.facts(of: $0.value, direction) })
            switch union.discriminator {
            case .key(let key), .kind(.key(let key)):
                // The union sends and receives the tag, also if no alternative declares it.
                facts.fields[key] = FieldFacts(place: nil, presence: .mixed)
            default: break
            }
        }
        return facts
    }

    private func add(_ field: Field, _ direction: Field.Direction, to facts: inout Facts) {
        if direction == .request, field.value.rules.contains(where: { $0.name == .constant }) {
            // A request always has it, whatever else the server takes.
            facts.fields[field.key] = FieldFacts(place: nil, presence: .mixed)
        } else if field.isAdditional {
            if case .map(_, let value) = field.value.type { facts.further = .one(value) }
        } else if field.steps.isEmpty {
            facts.fields[field.key] = FieldFacts(
                place: .one(field.value), presence: field.isRequired ? .required : .optional)
        }
    }
}

extension Parameter {
    /// Whether a value is always sent.
    var isRequired: Bool {
        switch presence {
        case .required, .constant, .callID: true
        case .optional, .defaulted, .credential: false
        }
    }
}
