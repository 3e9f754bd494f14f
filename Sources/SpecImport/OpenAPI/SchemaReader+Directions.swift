extension SchemaReader {
    /// Whether a value is only received: as the schema says, what it refers to, or a member of `allOf`.
    func isReadOnly(_ schema: SchemaDescription) -> Bool { says(schema, \.isReadOnly) }

    /// Whether a value is only sent; as ``isReadOnly(_:)``.
    func isWriteOnly(_ schema: SchemaDescription) -> Bool { says(schema, \.isWriteOnly) }

    private func says(
        _ schema: SchemaDescription, _ flag: KeyPath<SchemaParts, Bool>, depth: Int = 0
    ) -> Bool {
        guard depth < 20 else { return false }
        if schema.parts[keyPath: flag] { return true }
        let inner = schema.reference.map { [self.schema($0)] } ?? schema.parts.all
        return inner.contains { says($0, flag, depth: depth + 1) }
    }
}
