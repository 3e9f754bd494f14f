/// Schemas that are made of others. One that is made of the same others again is the same one, so that
/// a schema inside itself is met again.
struct MadeSchemas {
    private struct Key: Hashable {
        let purpose: String
        let parts: [ObjectIdentifier]
    }

    // The parts are kept alive, so that no other schema gets their identity.
    private var known: [Key: (parts: [SchemaDescription], made: SchemaDescription)] = [:]

    /// The schema that is made of these for a purpose.
    mutating func schema(
        of parts: [SchemaDescription], for purpose: String, make: () -> SchemaDescription
    ) -> SchemaDescription {
        let key = Key(purpose: purpose, parts: parts.map { ObjectIdentifier($0) })
        if let known = known[key] { return known.made }
        let made = make()
        known[key] = (parts, made)
        return made
    }
}

/// What has been told about schemas. Descriptions share schemas so often that telling it again may take
/// a time that is exponential in their size.
struct SchemaMemo<Value> {
    // The schema is kept alive, so that no other one gets its identity.
    private var known: [ObjectIdentifier: (schema: SchemaDescription, value: Value)] = [:]

    /// The number of schemas.
    var count: Int { known.count }

    subscript(schema: SchemaDescription) -> Value? {
        get { known[ObjectIdentifier(schema)]?.value }
        set { known[ObjectIdentifier(schema)] = newValue.map { (schema, $0) } }
    }
}
