/// What has been told about schemas. Descriptions share schemas so often that telling it again may take
/// a time that is exponential in their size.
struct SchemaMemo<Value> {
    // The schema is kept alive, so that no other one gets its identity.
    private var known: [ObjectIdentifier: (schema: SchemaDescription, value: Value)] = [:]

    subscript(schema: SchemaDescription) -> Value? {
        get { known[ObjectIdentifier(schema)]?.value }
        set { known[ObjectIdentifier(schema)] = newValue.map { (schema, $0) } }
    }
}
