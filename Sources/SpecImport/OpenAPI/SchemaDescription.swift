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

/// The key that tells the alternatives of a value apart.
struct SchemaTag: Sendable {
    var key: String
    /// The references or names of schemas by the values of the key.
    var mapping: [(value: String, target: YAMLNode)] = []
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
    var tag: SchemaTag?
    /// The value of the tag that stands for this schema, which some generators write beside it.
    var tagValue: String?
    /// The rules, in their order: key and argument.
    var rules: [(key: String, node: YAMLNode)] = []
    var defaultValue: YAMLNode?
    var examples: [YAMLNode] = []
    /// `x-telex` of a description that Telex wrote.
    var telex: YAMLNode?
    /// `required: true` of draft 3, inside the property.
    var isRequiredItself = false

    /// Takes members of `allOf` that say nothing about the value, such as `{ nullable: true }`, into
    /// the notes of the schema itself.
    mutating func foldSilentMembers() {
        for member in all where member.reference == nil && member.parts.isEmpty {
            addNotes(member.parts)
        }
        all.removeAll { $0.reference == nil && $0.parts.isEmpty }
    }

    /// Adds what another description of the same value says besides its type. Texts that are there
    /// stay.
    mutating func addNotes(_ other: SchemaParts) {
        isNullable = isNullable || other.isNullable
        isReadOnly = isReadOnly || other.isReadOnly
        isWriteOnly = isWriteOnly || other.isWriteOnly
        isDeprecated = isDeprecated || other.isDeprecated
        isNever = isNever || other.isNever
        title = title ?? other.title
        description = description ?? other.description
        link = link ?? other.link
        tag = tag ?? other.tag
        defaultValue = defaultValue ?? other.defaultValue
        examples += other.examples
    }

    /// Only what it says besides the type.
    var notes: SchemaParts {
        var notes = SchemaParts()
        notes.addNotes(self)
        return notes
    }

    /// Whether it says nothing about the value.
    var isEmpty: Bool {
        kinds.isEmpty && values == nil && properties.isEmpty && items.isEmpty && all.isEmpty
            && alternatives == nil && rules.isEmpty && format == nil && required.isEmpty
            && { if case .unsaid = furtherKeys { true } else { false } }()
    }
}
