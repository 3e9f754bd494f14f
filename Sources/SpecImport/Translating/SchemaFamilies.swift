import SpecDiagnostics
import SpecSyntax

/// The schemas that extend others by `allOf`. They are found in the description's text, since reading a
/// schema that nothing uses would report its losses.
struct SchemaFamilies {
    private unowned let schemas: SchemaReader
    /// The named schemas that extend the schema at a place.
    private var children: [Span: [Reference]] = [:]
    /// The named schemas by their places.
    private var names: [Span: Reference] = [:]

    init(_ schemas: SchemaReader) {
        self.schemas = schemas
        for child in schemas.files.namedSchemas where child.node.kind == .mapping {
            names[child.node.span] = child
            let members = child.node.value(of: "allOf")?.items ?? []
            for member in schemas.readsSiblings ? members + [child.node] : members {
                guard let base = end(of: member), base.span != child.node.span else { continue }
                children[base.span, default: []].append(child)
            }
        }
    }

    /// The node that a reference leads to, through references to references.
    private func end(of node: YAMLNode) -> YAMLNode? {
        var end: YAMLNode?
        var next = node.value(of: "$ref")
        for _ in 0..<20 {
            guard let text = next, text.kind == .scalar,
                let reference = schemas.files.target(of: text.text, from: text.span.file)
            else { return end }
            end = reference.node
            next = reference.node.value(of: "$ref")
        }
        return nil
    }

    /// A reference to a named schema.
    func reference(to schema: SchemaDescription) -> Reference? { names[schema.span] }

    /// The named schemas that extend a schema, directly or through others.
    func descendants(of schema: SchemaDescription) -> [Reference] {
        var found: [Reference] = []
        var seen: Set<Span> = [schema.span]
        var open = [schema.span]
        while let span = open.popLast() {
            for child in children[span] ?? [] where seen.insert(child.node.span).inserted {
                found.append(child)
                open.append(child.node.span)
            }
        }
        return found.sorted { $0.node.span < $1.node.span }
    }

    /// The tag that tells the schemas of a family apart: its own, or that of what it extends.
    func tag(of schema: SchemaDescription) -> SchemaTag? {
        var seen: Set<Span> = []
        var open = [schema]
        while let next = open.popLast() {
            if let tag = next.parts.tag { return tag }
            let bases = next.parts.all.reversed().compactMap { schemas.end(of: $0) }
            open += bases.filter { !$0.hasChoice && seen.insert($0.span).inserted }
        }
        return nil
    }

    /// Whether its values may be those of schemas that extend it, told apart by a tag.
    func isBase(_ schema: SchemaDescription) -> Bool {
        !schema.hasChoice && children[schema.span] != nil && tag(of: schema) != nil
    }

    /// Whether its alternatives extend it. What they inherit then is the schema without them.
    func isInherited(_ schema: SchemaDescription) -> Bool {
        guard children[schema.span] != nil else { return false }
        let descendants = Set(descendants(of: schema).map(\.node.span))
        return schema.parts.alternatives?.contains { alternative in
            alternative.reference != nil
                && schemas.end(of: alternative).map { descendants.contains($0.span) } == true
        } == true
    }
}

extension SchemaReader {
    /// The values of a tag that stand for a schema: those of the mapping, or else its name.
    func values(of tag: SchemaTag, for schema: SchemaDescription) -> [String] {
        let mapped = tag.mapping.filter { leads($0.target, to: schema) }.map(\.value)
        if !mapped.isEmpty { return mapped }
        let own = schema.reference.map { self.schema($0).parts.tagValue } ?? schema.parts.tagValue
        return [own ?? schema.reference?.name].compactMap(\.self)
    }

    /// Whether a mapping names a schema.
    func isMapped(_ schema: SchemaDescription, in tag: SchemaTag) -> Bool {
        tag.mapping.contains { leads($0.target, to: schema) }
    }

    /// Whether the target of a mapping, a reference or a name, is a schema.
    private func leads(_ target: YAMLNode, to schema: SchemaDescription) -> Bool {
        guard let reference = schema.reference else { return false }
        if target.text == reference.name || target.text.hasSuffix("/" + reference.name) {
            return true
        }
        return files.target(of: target.text, from: target.span.file)?.node.span
            == reference.node.span
    }
}
