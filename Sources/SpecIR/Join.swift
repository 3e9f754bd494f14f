/// A lookup of a model: the values of other lists by what the elements of one list refer to.
public struct Join: Sendable, Equatable {
    /// The Swift name of the function.
    public var name: String
    /// The name of the enumeration of what is found.
    public var typeName: String
    /// The list and the field, as the spec has them: `items.from_id`.
    public var path: String
    /// The type of the field, which is the key of the lookup.
    public var keyType: ValueType
    /// The lists that are searched.
    public var sources: [JoinSource]
    /// The documentation.
    public var documentation: Documentation

    /// Creates a lookup from its parts.
    public init(
        name: String, typeName: String, path: String, keyType: ValueType, sources: [JoinSource],
        documentation: Documentation
    ) {
        self.name = name
        self.typeName = typeName
        self.path = path
        self.keyType = keyType
        self.sources = sources
        self.documentation = documentation
    }
}

/// A list that a lookup searches.
public struct JoinSource: Sendable, Equatable {
    /// The Swift name of the case.
    public var caseName: String
    /// The list.
    public var list: Field
    /// The type of the elements.
    public var element: ValueType
    /// The field that is compared.
    public var key: Field
    /// Whether the field is compared with its sign changed.
    public var isNegated: Bool

    /// Creates a source from its parts.
    public init(caseName: String, list: Field, element: ValueType, key: Field, isNegated: Bool) {
        self.caseName = caseName
        self.list = list
        self.element = element
        self.key = key
        self.isNegated = isNegated
    }
}
