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
    }

    /// Objects inside each other that are read.
    private static let deepest = 20
    private let schemas: SchemaReader

    init(_ node: YAMLNode, _ schemas: SchemaReader, areEvents: Bool) {
        self.schemas = schemas
        let found = areEvents ? Self.events(node, schemas, depth: 0) : []
        guard !found.isEmpty else {
            schema = schemas.schema(node)
            return
        }
        let (known, texts) = (found.filter { $0.data != nil }, found.filter { !$0.isJSON })
        areTexts = !texts.isEmpty
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

    private static func events(_ node: YAMLNode, _ schemas: SchemaReader, depth: Int) -> [Event] {
        guard depth < deepest else { return [] }
        let node = schemas.files.resolved(node)
        let inner = ["oneOf", "anyOf", "allOf"].flatMap { key in
            (node.value(of: key)?.items ?? []).flatMap { events($0, schemas, depth: depth + 1) }
        }
        // What alternatives say of the data is more than what is common to them.
        if !inner.isEmpty { return inner }
        guard let properties = node.value(of: "properties"), let data = properties.value(of: "data")
        else { return [] }
        let name = properties.value(of: "event").map(schemas.files.resolved)
        var event = Event(name: name?.text(of: "const") ?? name?.value(of: "enum")?.items.first?.text)
        let value = schemas.files.resolved(data)
        let shapes = schemas.facts(schemas.schema(data)).shapes
        if let schema = value.value(of: "contentSchema") {
            event.data = schema
        } else if !shapes.isEmpty, shapes.isSubset(of: [.object, .array]) {
            event.data = data
        }
        event.isJSON = event.data != nil || value.text(of: "contentMediaType")?.isJSON == true
        return [event]
    }
}
