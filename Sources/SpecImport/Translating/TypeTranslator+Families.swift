import SpecSyntax

extension TypeTranslator {
    /// The union of the schemas that extend a schema with a tag (OpenAPI 3.1, 4.8.25; 2.0: by their
    /// names); nil if nothing tells them apart. Values of other tags are kept as JSON.
    func family(_ schema: SchemaDescription) -> DraftType? {
        guard let tag = schemas.families.tag(of: schema) else { return nil }
        let base = schemas.flat(schema)
        guard mayBeTagged(base, by: tag.key) else { return nil }
        let known = base[tag.key].flatMap { schemas.target($0)?.parts.values }.map {
            Set($0.map(\.text))
        }
        var members: [(tag: String, type: DraftType)] = []
        for reference in schemas.families.descendants(of: schema) {
            let child = SchemaDescription(reference.node, reference: reference)
            let object = schemas.flat(child)
            let own = schemas.constants(of: tag.key, in: object).map(\.texts) ?? []
            let tags = own.count == 1 ? own : schemas.values(of: tag, for: child)
            let possible = tags.filter { known?.contains($0) ?? true }
            if possible.isEmpty {
                lose(.subtype, reference.name, at: reference.node.span)
                continue
            }
            let name = mixinName(of: reference)
            if !isAlways(tag.key, in: object, at: child) { requiredTags.append((name, tag.key)) }
            members += possible.map { ($0, .named(name)) }
        }
        let itself = own(of: schema, by: tag, isAlone: members.count == 1)
        members += itself.filter { known?.contains($0.tag) ?? true }
        guard !members.isEmpty, Set(members.map(\.tag)).count == members.count else { return nil }
        return DraftType(
            .union(
                DraftUnion(
                    alternatives: members.map { .init(name: $0.tag, type: $0.type) }, tag: tag.key))
        )
    }

    /// The schema itself among those that extend it: if the mapping names it, it inherits the tag, or
    /// only one schema extends it and no mapping says that it is the only one.
    private func own(
        of schema: SchemaDescription, by tag: SchemaTag, isAlone: Bool
    ) -> [(tag: String, type: DraftType)] {
        guard let reference = schemas.families.reference(to: schema) else { return [] }
        let itself = SchemaDescription(reference.node, reference: reference)
        let isMapped = schemas.isMapped(itself, in: tag)
        let isLikely = isAlone && tag.mapping.isEmpty
        guard isMapped || isLikely || schema.parts.tag == nil else { return [] }
        let type = DraftType.named(mixinName(of: reference))
        return schemas.values(of: tag, for: itself).map { ($0, type) }
    }
}
