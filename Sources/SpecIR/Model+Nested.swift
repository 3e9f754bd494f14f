extension Model {
    /// The model and its nested models.
    public var withNested: [Model] { [self] + nested.flatMap(\.withNested) }
}

extension [Model] {
    /// The models and their nested models.
    public var withNested: [Model] { flatMap(\.withNested) }

    /// The models and their nested models by qualified name. Of two with one name, which is an error,
    /// the first.
    public var byName: [String: Model] {
        Dictionary(withNested.map { ($0.qualifiedName, $0) }) { first, _ in first }
    }
}
