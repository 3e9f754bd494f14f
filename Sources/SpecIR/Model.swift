/// A named type of the API, declared under `models` or inline in a field.
public struct Model: Sendable, Equatable {
    /// The kind of the type.
    public enum Kind: Sendable, Equatable {
        /// A JSON object with fields.
        case object([Field])
        /// An open enumeration: unknown received values are kept.
        case enumeration(Enumeration)
        /// Alternatives of which a value is one.
        case union(Union)
    }

    /// The name the spec gives, for instance `UserProfile`.
    public var apiName: String
    /// The Swift name without its parents, for instance `LastSeen`.
    public var name: String
    /// The Swift name from the module's scope, for instance `UserProfile.LastSeen`.
    public var qualifiedName: String
    /// The part of a method that declares it inline, such as `users.list.returns`: its Swift name
    /// follows from that place. Nil for all others.
    public var inlinePlace: String?
    /// Where it is declared: the part of a method, or the API's name.
    public var place: String { inlinePlace ?? apiName }
    /// Its documentation.
    public var documentation: Documentation
    /// The kind of the type.
    public var kind: Kind
    /// Types declared inside it, in spec order.
    public var nested: [Model]
    /// Whether a reply or an argument is decoded into it: it needs a reader.
    public var isRead: Bool
    /// Whether a request encodes it: it needs a writer.
    public var isWritten: Bool
    /// The protocols that the spec requires in addition to `Sendable`.
    public var conformances: [Conformance]
    /// Its lookups.
    public var joins: [Join] = []
    /// The rules between its fields.
    public var rules: [CrossRule]
    /// Whether a received key without a field is a violation; otherwise it is ignored or kept.
    public var isClosed: Bool

    /// Whether JSON has an object as an array: its fields are places, in their order.
    public var isArray: Bool

    /// The structure that Swift has it from, if it is an instance of a generic model.
    public var generic: GenericUse?
    /// The type parameter of a generic structure.
    public var parameter: String?

    /// Creates a model from its parts.
    public init(
        apiName: String, name: String, qualifiedName: String, documentation: Documentation,
        kind: Kind, nested: [Model], isRead: Bool, isWritten: Bool, conformances: [Conformance],
        isClosed: Bool = false, isArray: Bool = false, rules: [CrossRule] = []
    ) {
        self.apiName = apiName
        self.name = name
        self.qualifiedName = qualifiedName
        self.documentation = documentation
        self.kind = kind
        self.nested = nested
        self.isRead = isRead
        self.isWritten = isWritten
        self.conformances = conformances
        self.isClosed = isClosed
        self.isArray = isArray
        self.rules = rules
    }
}

/// How Swift has an instance of a generic model: as another name of `structure<argument>`.
public struct GenericUse: Sendable, Equatable {
    /// The name of the generic structure.
    public var structure: String
    /// The Swift name of the argument.
    public var argument: String
    /// The generic structure, in the first of its instances; otherwise none.
    public var declaration: [Model]

    /// Creates a use.
    public init(structure: String, argument: String, declaration: [Model] = []) {
        self.structure = structure
        self.argument = argument
        self.declaration = declaration
    }
}

/// One field of an object.
public struct Field: Sendable, Equatable {
    /// The key in JSON.
    public var key: String
    /// The keys of the nested objects that lead to the one with the key; usually empty.
    public var steps: [String]
    /// The Swift property.
    public var name: String
    /// Its type, rules included. `value.isNullable` and `isOptional` are independent.
    public var value: Value
    /// Whether the key may be missing.
    public var isOptional: Bool
    /// The value when the key is missing; the Swift property is then not optional.
    public var defaultValue: Literal?
    /// Whether it is boxed, because the model would otherwise contain itself or a large model.
    public var isIndirect: Bool
    /// Whether its value is redacted in descriptions and logs.
    public var isSensitive: Bool
    /// Whether it holds the members whose keys have no field: a map of text to their values.
    public var isAdditional: Bool
    /// The only direction in which its model has it; nil for both. A lowered model has the fields of
    /// its own direction.
    public var only: Direction?
    /// Its documentation.
    public var documentation: Documentation

    /// A direction of models.
    public enum Direction: String, CaseIterable, Sendable {
        /// From the server.
        case reply
        /// To the server.
        case request
    }

    /// Creates a field from its parts.
    public init(
        key: String, steps: [String] = [], name: String, value: Value, isOptional: Bool,
        defaultValue: Literal? = nil,
        isIndirect: Bool = false, isSensitive: Bool = false, isAdditional: Bool = false,
        only: Direction? = nil,
        documentation: Documentation = Documentation()
    ) {
        self.key = key
        self.steps = steps
        self.name = name
        self.value = value
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.isIndirect = isIndirect
        self.isSensitive = isSensitive
        self.isAdditional = isAdditional
        self.only = only
        self.documentation = documentation
    }
}

extension Field {
    /// The keys that lead to its value in JSON.
    public var path: [String] { steps + [key] }

    /// Whether an object without the key is a violation.
    public var isRequired: Bool { !isOptional && defaultValue == nil }
}

/// The values of an enumeration.
public struct Enumeration: Sendable, Equatable {
    /// Whether the values are integers; otherwise they are text.
    public var isInteger: Bool
    /// The known values, in spec order.
    public var cases: [EnumerationCase]

    /// Creates an enumeration from its parts.
    public init(isInteger: Bool, cases: [EnumerationCase]) {
        self.isInteger = isInteger
        self.cases = cases
    }
}

/// A known value of an enumeration.
public struct EnumerationCase: Sendable, Equatable {
    /// The Swift name.
    public var name: String
    /// The value as the API sends it; digits when values are integers.
    public var value: String
    /// Its documentation.
    public var documentation: Documentation

    /// Creates a case from its parts.
    public init(name: String, value: String, documentation: Documentation = Documentation()) {
        self.name = name
        self.value = value
        self.documentation = documentation
    }
}

/// A protocol that models can be given.
public enum Conformance: String, CaseIterable, Sendable {
    case equatable = "Equatable"
    case hashable = "Hashable"
    case identifiable = "Identifiable"
    case codable = "Codable"
}
