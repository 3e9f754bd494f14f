extension SchemaReader {
    /// Whether a value is only received: as the schema says, what it refers to, or a member of `allOf`.
    func isReadOnly(_ schema: SchemaDescription) -> Bool { directions(of: schema).isReadOnly }

    /// Whether a value is only sent; as ``isReadOnly(_:)``.
    func isWriteOnly(_ schema: SchemaDescription) -> Bool { directions(of: schema).isWriteOnly }

    private func directions(
        of schema: SchemaDescription
    ) -> (isReadOnly: Bool, isWriteOnly: Bool) {
        var found = (schema.parts.isReadOnly, schema.parts.isWriteOnly)
        let inner = schema.reference.map { [self.schema($0)] } ?? schema.parts.all
        if inner.isEmpty { return found }
        if let known = directions[schema] { return known }
        directions[schema] = found
        for one in inner.map(directions) { found = (found.0 || one.0, found.1 || one.1) }
        directions[schema] = found
        return found
    }
}
