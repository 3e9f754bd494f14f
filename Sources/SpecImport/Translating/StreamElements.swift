import SpecSyntax

/// What `itemSchema` says of the elements of a stream (OpenAPI 3.2).
///
/// The elements of server-sent events are their data, which is a text with JSON in it: the schema is
/// the `contentSchema` of `data`.
struct StreamElements {
    /// The schema of an element; nil: any JSON.
    private(set) var schema: SchemaDescription?
    /// The kinds of events that have an element; empty: all of them.
    private(set) var events: [String] = []
    /// Whether there are events whose data is a text.
    private(set) var areTexts = false

    /// One kind of event, and the schema of its data, unless that is a text.
    private struct Event {
        var name: String?
        var data: YAMLNode?
        var isJSON = false
        /// Whether the schema is that of an event, which has a key `data`.
        var isEvent = false
    }

    /// Objects inside each other that are read.
    private static let deepest = 20
    private let schemas: SchemaReader

    init(_ node: YAMLNode, _ schemas: SchemaReader, areEvents: Bool) {
        self.schemas = schemas
        let found = areEvents ? events(node, Event(), depth: 0) : []
        guard found.contains(where: \.isEvent) else {
            schema = schemas.schema(node)
            return
        }
        let known = found.filter { $0.data != nil }
        areTexts = found.contains { !$0.isJSON }
        let names = known.compactMap(\.name)
        if areTexts, names.count == known.count { events = names }
        let members = known.compactMap(\.data).map(schemas.schema)
        guard members.count > 1 else {
            schema = members.first
            return
        }
        var parts = SchemaParts()
        parts.alternatives = members
        schema = SchemaDescription(node, parts)
    }

    /// The events of a schema: one, or those of its alternatives, which say more than it does.
    private func events(_ node: YAMLNode, _ outer: Event, depth: Int) -> [Event] {
        guard depth < Self.deepest else { return [] }
        let node = schemas.files.resolved(node)
        var event = outer
        for member in node.value(of: "allOf")?.items ?? [] {
            event = events(member, event, depth: depth + 1).first ?? event
        }
        if let properties = node.value(of: "properties") { add(properties, to: &event) }
        let alternatives = ["oneOf", "anyOf"].flatMap { node.value(of: $0)?.items ?? [] }
        if alternatives.isEmpty { return [event] }
        return alternatives.flatMap { events($0, event, depth: depth + 1) }
    }

    private func add(_ properties: YAMLNode, to event: inout Event) {
        if let name = properties.value(of: "event").map(schemas.files.resolved) {
            event.name =
                name.text(of: "const") ?? name.value(of: "enum")?.items.first?.text ?? event.name
        }
        guard let data = properties.value(of: "data") else { return }
        event.isEvent = true
        let value = schemas.files.resolved(data)
        if let schema = value.value(of: "contentSchema") {
            event.data = schema
        } else {
            let shapes = schemas.facts(schemas.schema(data)).shapes
            let isWhole = !shapes.isEmpty && shapes.isSubset(of: [.object, .array])
            event.data = isWhole ? data : nil
        }
        event.isJSON = event.data != nil || value.text(of: "contentMediaType")?.isJSON == true
    }
}
