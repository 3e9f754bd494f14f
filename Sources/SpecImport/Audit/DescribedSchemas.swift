import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The facts of the schemas of a description, each read once in each direction.
final class DescribedSchemas: FactReader {
    /// A schema.
    struct Node {
        let yaml: YAMLNode
        /// Whether it lends its fields to another schema, so that its own subtypes do not count.
        var isMember = false
    }

    typealias Facts = ValueFacts<Node>

    private struct Key: Hashable {
        let span: Span
        let isMember: Bool
        let direction: Field.Direction
    }

    /// The deepest chain of schemas that is followed, so that a small stack suffices.
    private static let deepest = 40
    private let references: DescribedReferences
    private let roots: [YAMLNode]
    private var known: [Key: Facts] = [:]
    private var depth = 0
    /// The schemas that name another one in `allOf`, by its place.
    private lazy var children = childrenByBase()

    init(_ references: DescribedReferences, _ roots: [YAMLNode]) {
        self.references = references
        self.roots = roots
    }

    func facts(of node: Node, _ direction: Field.Direction) -> Facts {
        let key = Key(span: node.yaml.span, isMember: node.isMember, direction: direction)
        if let facts = known[key] { return facts }
        guard depth < Self.deepest else { return Facts() }
        // Until it is known, a schema that refers to itself says nothing.
        known[key] = Facts()
        depth += 1
        let facts = read(node, direction)
        depth -= 1
        known[key] = facts
        return facts
    }

    // MARK: One schema

    /// The keys of a schema that lead to others, or say something only together.
    private struct Keys {
        var reference: YAMLNode?
        var types: JSONKinds?
        /// Whether a string by its type is a number as well.
        var isTextOrNumber = false
        var values: [YAMLNode]?
        var implied = JSONKinds.any
        var isNullable = false
        var hasNullType = false
        var members: [YAMLNode] = []
        var alternatives: [[YAMLNode]] = []
        var isTagged = false
        var required: [YAMLNode] = []
        var items: [YAMLNode] = []
    }

    private func read(_ node: Node, _ direction: Field.Direction) -> Facts {
        guard node.yaml.kind == .mapping else { return Facts() }
        var (facts, keys) = (Facts(), Keys())
        for entry in node.yaml.entries {
            read(entry, into: &facts, keys: &keys, direction: direction)
        }
        if keys.types == nil, keys.items.count > 1 {
            // Old drafts have alternatives in this form.
            keys.alternatives.append(keys.items)
            keys.implied = .any
        } else if !keys.items.isEmpty {
            facts.items = .any(keys.items.map { .one(Node(yaml: $0)) })
        }
        for name in keys.required { facts.fields[name.text, default: .init()].presence = .required }
        setKinds(of: &facts, keys)
        if let target = keys.reference.flatMap(references.target) {
            facts.formIntersection(
                self.facts(of: Node(yaml: target, isMember: node.isMember), direction))
        }
        for member in keys.members {
            facts.formIntersection(self.facts(of: Node(yaml: member, isMember: true), direction))
        }
        if keys.isTagged, node.isMember { return facts }
        for group in keys.alternatives where !group.isEmpty {
            facts.formIntersection(
                .union(group.map { self.facts(of: Node(yaml: $0), direction) }))
        }
        if keys.isTagged, keys.alternatives.isEmpty {
            let subtypes = subtypes(of: node.yaml).map { self.facts(of: Node(yaml: $0), direction) }
            if !subtypes.isEmpty { facts = .union([facts] + subtypes) }
        }
        return facts
    }

    /// Keys whose values are no schemas, and may be references nevertheless.
    private static let containers: Set<String> = [
        "properties", "patternProperties", "required", "enum", "allOf", "oneOf", "anyOf",
    ]

    private func read(
        _ entry: YAMLEntry, into facts: inout Facts, keys: inout Keys, direction: Field.Direction
    ) {
        var node = entry.value
        let place = { (node: YAMLNode) in FactPlace.one(Node(yaml: node)) }
        if Self.containers.contains(entry.key.text) { node = references.resolved(node) }
        switch entry.key.text {
        case "$ref": keys.reference = node
        case "type": readTypes(node, into: &facts, &keys)
        case "nullable", "x-nullable": keys.isNullable = keys.isNullable || node.boolean == true
        case "enum": keys.values = node.items
        case "const": keys.values = [node]
        case "allOf": keys.members = node.items
        case "oneOf", "anyOf": keys.alternatives.append(node.items)
        case "discriminator": keys.isTagged = true
        case "required":
            keys.required = node.items
            if !node.items.isEmpty { keys.implied = .object }
        case "properties":
            keys.implied = .object
            for property in node.entries {
                var field = FieldFacts(
                    place: place(property.value),
                    presence: facts.fields[property.key.text]?.presence ?? .optional)
                if property.value.value(of: "required")?.boolean == true {
                    field.presence = .required
                }
                field.isHidden = isHidden(property.value, direction)
                facts.fields[property.key.text] = field
            }
        case "additionalProperties":
            keys.implied = .object
            if node.kind == .mapping, !node.entries.isEmpty {
                facts.further = place(node)
            } else if node.boolean != false {
                facts.isOpen = true
            }
        case "patternProperties" where !node.entries.isEmpty:
            keys.implied = .object
            facts.further = .any(node.entries.map { place($0.value) })
        case "items", "prefixItems":
            keys.implied = .array
            keys.items += node.kind == .sequence ? node.items : [node]
        case "minLength", "maxLength", "pattern": keys.implied = .string
        case "minItems", "maxItems", "uniqueItems": keys.implied = .array
        case "minimum", "maximum": keys.implied = .number
        case "multipleOf":
            keys.implied = .number
            if node.integer != nil { facts.isNumberUnclear = true }
        case "format": readFormat(node.text, into: &facts, &keys)
        case "contentEncoding": facts.isBase64URL = facts.isBase64URL || node.text == "base64url"
        case "contentMediaType":
            let isText = node.text.hasPrefix("text/") || node.text.hasSuffix("json")
            facts.isBinary = facts.isBinary || !isText
        default: break
        }
    }

    private func readTypes(_ node: YAMLNode, into facts: inout Facts, _ keys: inout Keys) {
        let table: [String: JSONKinds] = [
            "string": .string, "integer": .integer, "number": .number, "boolean": .boolean,
            "array": .array, "object": .object, "file": .string, "null": [],
        ]
        for item in node.kind == .sequence ? node.items : [node] {
            if item.text == "null" { keys.hasNullType = true }
            if item.text == "file" { facts.isBinary = true }
            keys.types = (keys.types ?? []).union(table[item.text] ?? .any)
        }
    }

    private func readFormat(_ format: String, into facts: inout Facts, _ keys: inout Keys) {
        switch format {
        case "int32", "int64", "uint32", "uint64", "long", "int":
            facts.isNumberUnclear = true
            keys.implied = .number
        case "float", "double", "decimal": keys.implied = .any
        case "int-or-string":
            keys.isTextOrNumber = true
            facts.isNumberUnclear = true
        case "binary": facts.isBinary = true
        case "base64url": facts.isBase64URL = true
        default: break
        }
    }

    private func setKinds(of facts: inout Facts, _ keys: Keys) {
        let values = keys.values?.filter { !$0.isNull }
        let hasNullValue = keys.values.map { $0.count > (values?.count ?? 0) } ?? false
        if let types = keys.types {
            facts.kinds = keys.isTextOrNumber ? types.union(.integer) : types
            // Whole values of a number, and values that no integer type has.
            let isWhole = values.map { $0.allSatisfy { $0.integer != nil } }
            if isWhole == types.contains(.fraction) { facts.isNumberUnclear = true }
            let allowsNull = keys.hasNullType || keys.isNullable
            facts.null = allowsNull ? .yes : hasNullValue ? .unclear : .no
        } else if let values {
            facts.kinds = values.reduce([]) { $0.union(Self.kind(of: $1)) }
            facts.null = hasNullValue || keys.isNullable ? .yes : .no
        } else {
            facts.kinds = keys.implied
            facts.isImplied = keys.implied != .any
            facts.null = keys.isNullable ? .added : facts.isImplied ? .implied : .unsaid
        }
        if facts.isBase64URL || !facts.kinds.contains(.string) { facts.isBinary = false }
    }

    private static func kind(of value: YAMLNode) -> JSONKinds {
        switch value.kind {
        case .mapping: return .object
        case .sequence: return .array
        case .scalar: break
        }
        if value.boolean != nil { return .boolean }
        return value.integer != nil ? .integer : value.numberText != nil ? .number : .string
    }

    // MARK: Directions

    /// Whether a property belongs to the other direction, by its own keys, or by those of what it
    /// refers to or is composed of.
    private func isHidden(_ node: YAMLNode, _ direction: Field.Direction) -> Bool {
        let (isReadOnly, isWriteOnly) = flags(node, depth: 0)
        return isReadOnly != isWriteOnly && isReadOnly == (direction == .request)
    }

    private func flags(_ node: YAMLNode, depth: Int) -> (Bool, Bool) {
        var flags = (false, false)
        guard depth < 20, node.kind == .mapping else { return flags }
        let add = { (other: YAMLNode) in
            let more = self.flags(other, depth: depth + 1)
            flags = (flags.0 || more.0, flags.1 || more.1)
        }
        for entry in node.entries {
            switch entry.key.text {
            case "readOnly": flags.0 = flags.0 || entry.value.boolean == true
            case "writeOnly": flags.1 = flags.1 || entry.value.boolean == true
            case "$ref": references.target(entry.value).map(add)
            case "allOf": entry.value.items.forEach(add)
            default: break
            }
        }
        return flags
    }

    // MARK: Subtypes

    private func subtypes(of base: YAMLNode) -> [YAMLNode] {
        var (found, seen, open) = ([YAMLNode](), Set([base.span]), [base.span])
        while let next = open.popLast() {
            for child in children[next] ?? [] where seen.insert(child.span).inserted {
                found.append(child)
                open.append(child.span)
            }
        }
        return found
    }

    private func childrenByBase() -> [Span: [YAMLNode]] {
        var children: [Span: [YAMLNode]] = [:]
        let all = roots.flatMap { root in
            (root.value(of: "components")?.value(of: "schemas")?.entries ?? [])
                + (root.value(of: "definitions")?.entries ?? [])
        }
        for schema in all.map(\.value) {
            for member in schema.value(of: "allOf")?.items ?? [] {
                for base in references.chain(member).dropFirst() {
                    children[base.span, default: []].append(schema)
                }
            }
        }
        return children
    }

    // MARK: Places

    /// The places of a schema and of what it refers to, is composed of, or chooses from.
    ///
    /// - Parameter withSiblings: Whether the keys beside a `$ref` are places, too.
    func spans(of place: FactPlace<Node>, withSiblings: Bool = false) -> [Span] {
        var spans: [Span] = []
        for node in place.nodes {
            add(node.yaml, to: &spans, withSiblings: withSiblings, depth: 0)
        }
        return spans
    }

    private func add(
        _ node: YAMLNode, to spans: inout [Span], withSiblings: Bool, depth: Int
    ) {
        guard depth < 20, !spans.contains(node.span) else { return }
        spans.append(node.span)
        let entries = node.entries
        if withSiblings, entries.contains(where: { $0.key.text == "$ref" }) {
            spans += entries.map(\.key.span)
        }
        let add = { (node: YAMLNode, spans: inout [Span]) in
            self.add(node, to: &spans, withSiblings: withSiblings, depth: depth + 1)
        }
        for entry in entries {
            switch entry.key.text {
            case "$ref":
                if let target = references.target(entry.value) { add(target, &spans) }
            case "allOf", "oneOf", "anyOf":
                for item in entry.value.items { add(item, &spans) }
            default: break
            }
        }
        if node.value(of: "discriminator") != nil { spans += subtypes(of: node).map(\.span) }
    }
}
