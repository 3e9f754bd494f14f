import SpecDiagnostics
import SpecSyntax

/// A schema of OpenAPI 2.0 or 3.0 to 3.2 in one form.
final class SchemaDescription: Sendable {
    /// The kinds of JSON.
    enum Kind: String, Sendable {
        case object, array, string, integer, number, boolean
    }

    /// What an object does with keys that are no properties.
    enum FurtherKeys: Sendable {
        case unsaid, any, none
        case schema(SchemaDescription)
    }

    let node: YAMLNode
    /// The `$ref`, which is all that such a schema has besides its documentation.
    let reference: Reference?
    let parts: SchemaParts

    init(_ node: YAMLNode, reference: Reference? = nil, _ parts: SchemaParts = SchemaParts()) {
        self.node = node
        self.reference = reference
        self.parts = parts
    }

    var span: Span { node.span }
}

/// What a schema has.
struct SchemaParts: Sendable {
    var kinds: [SchemaDescription.Kind] = []
    var isNullable = false
    /// `false` in place of a schema.
    var isNever = false
    var format: String?
    var contentMediaType: String?
    var contentEncoding: String?
    var title: String?
    var description: String?
    var link: String?
    var isDeprecated = false
    var isReadOnly = false
    var isWriteOnly = false
    /// The values of `enum` or `const`, without null.
    var values: [YAMLNode]?
    var valueNames: [String] = []
    var valueDocs: [String] = []
    var properties: [(name: String, schema: SchemaDescription)] = []
    var required: Set<String> = []
    var furtherKeys = SchemaDescription.FurtherKeys.unsaid
    var keys: SchemaDescription?
    /// The type of elements; several are those of a list with a type for each place.
    var items: [SchemaDescription] = []
    var all: [SchemaDescription] = []
    /// The alternatives of `oneOf` or `anyOf`, without null.
    var alternatives: [SchemaDescription]?
    var tag: (key: String, mapping: [(value: String, target: String)])?
    /// The rules, in their order: key and argument.
    var rules: [(key: String, node: YAMLNode)] = []
    var defaultValue: YAMLNode?
    var examples: [YAMLNode] = []
    /// `x-telex` of a description that Telex wrote.
    var telex: YAMLNode?
    /// `required: true` of draft 3, inside the property.
    var isRequiredItself = false

    /// Whether it says nothing about the value.
    var isEmpty: Bool {
        kinds.isEmpty && values == nil && properties.isEmpty && items.isEmpty && all.isEmpty
            && alternatives == nil && rules.isEmpty && format == nil && required.isEmpty
            && { if case .unsaid = furtherKeys { true } else { false } }()
    }
}
