/// Flags of properties, which may stand at what they refer to.
extension SchemaReader {
    /// Whether a property is only in replies: by its own key, behind its reference, or in `allOf`.
    func isReadOnly(_ schema: SchemaDescription) -> Bool { has(\.isReadOnly, schema) }

    /// Whether a property is only in requests.
    func isWriteOnly(_ schema: SchemaDescription) -> Bool { has(\.isWriteOnly, schema) }

    private func has(_ flag: KeyPath<SchemaParts, Bool>, _ schema: SchemaDescription) -> Bool {
        var seen: Set<ObjectIdentifier> = []
        var open = [schema]
        while let next = open.popLast() {
            guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
            if next.parts[keyPath: flag] { return true }
            open += next.parts.all
            if let reference = next.reference { open.append(self.schema(reference)) }
        }
        return false
    }
}
