import SpecDiagnostics

/// A JSON Schema (draft-07, the newest that editors evaluate) of the files of a spec. It is written
/// from the mappings that the parser reads.
public enum JSONSchema: String, CaseIterable, Sendable {
    /// `api.yaml`
    case api
    /// Every other YAML file.
    case group

    /// The schema as JSON text.
    public var text: String {
        var writer = JSONSchemaWriter()
        return writer.document(of: self == .api ? .api : .group).rendered() + "\n"
    }

    /// The schema of a file of a spec, by its path relative to the folder.
    public init(ofFile path: String) {
        self = path == "api.yaml" || path == "api.yml" ? .api : .group
    }
}

/// Writes mappings and forms as a schema. Each mapping becomes one definition.
struct JSONSchemaWriter {
    private typealias Members = [(String, JSONText)]

    private var definitions: Members = []
    /// The names of definitions, by their texts.
    private var names: [String: String] = [:]

    mutating func document(of root: MappingSchema) -> JSONText {
        let body = members(of: root)
        let open = [("type", type()), ("longType", longType())]
        return .object(
            [
                ("$schema", .string("http://json-schema.org/draft-07/schema#")),
                ("title", .string("\(root.name.filter { $0 != "`" }) of a Telex spec")),
            ] + body + [("definitions", .object(open + definitions))])
    }

    // MARK: Mappings

    private mutating func members(of schema: MappingSchema) -> Members {
        var properties: Members = zip(schema.keys, schema.forms).map { key, form in
            (key, described(value(form), by: key, of: schema))
        }
        for key in schema.more where !schema.keys.contains(key) {
            guard let form = MappingSchema.ruleForms[key] else { continue }
            properties.append((key, described(value(form), by: key, of: schema)))
        }
        var members: Members = [
            ("type", .string("object")), ("properties", .object(properties)),
            ("additionalProperties", .bool(false)),
        ]
        if !schema.required.isEmpty {
            members.append(("required", .array(schema.required.map { .string($0) })))
        }
        return members
    }

    private func described(
        _ value: JSONText, by key: String, of schema: MappingSchema
    ) -> JSONText {
        let meaning = KeyMeanings.all.meaning(
            of: key, in: schema.name, takesRules: !schema.more.isEmpty)
        guard let meaning else { return value }
        let description: Members = [("description", .string(meaning.text))]
        guard case .object(let members) = value else { return value }
        // Draft-07 ignores what stands beside a reference.
        let isReference = members.contains { $0.0 == "$ref" }
        return .object(description + (isReference ? [("allOf", .array([value]))] : members))
    }

    /// The reference to the definition of a mapping, which is written if it is new.
    private mutating func reference(to schema: MappingSchema) -> JSONText {
        let body = JSONText.object(members(of: schema))
        let text = body.rendered()
        if let name = names[text] { return Self.reference(name) }
        let words = schema.name.filter { $0 != "`" }.split(separator: " ")
        let base = words.drop { ["a", "an", "the"].contains($0) }.joined(separator: "-")
        let count = definitions.count { $0.0 == base || $0.0.hasPrefix(base + "-") }
        let name = count == 0 ? base : "\(base)-\(count + 1)"
        names[text] = name
        definitions.append((name, body))
        return Self.reference(name)
    }

    private static func reference(_ name: String) -> JSONText {
        .object([("$ref", .string("#/definitions/\(name)"))])
    }

    // MARK: Values

    private mutating func value(_ form: ValueForm) -> JSONText {
        switch form {
        case .any: return .object([])
        case .null: return Self.types("null")
        case .scalar: return Self.types("string", "number", "boolean")
        case .text:
            return .object([
                ("type", .array(["string", "number", "boolean"].map { .string($0) })),
                ("minLength", .int(1)),
            ])
        case .flag: return Self.types("boolean")
        case .isTrue: return .object([("enum", .array([.bool(true)]))])
        case .words(let words): return .object([("enum", .array(words.map { .string($0) }))])
        case .integer(let bounds):
            return .object([
                ("type", .string("integer")), ("minimum", .int(bounds.lowerBound)),
                ("maximum", .int(bounds.upperBound)),
            ])
        case .number(let isPositive):
            let bound: Members = isPositive ? [("exclusiveMinimum", .int(0))] : []
            return .object([("type", .string("number"))] + bound)
        case .matching(let pattern):
            return .object([
                ("type", .string("string")), ("pattern", .string("^(?:\(pattern))$")),
            ])
        case .type: return Self.reference("type")
        case .told(let schema, let keys, let others, let form):
            return told(schema, by: keys, without: others, otherwise: form)
        case .mapping(let schema):
            let reference = reference(to: schema)
            // An empty value counts as a mapping without entries.
            return schema.required.isEmpty
                ? .object([("anyOf", .array([reference, Self.types("null")]))]) : reference
        case .named(let form, let least, let most):
            return named(form, least: least, most: most, orNull: least == 0)
        case .list(let form, let least, let most):
            let members: Members = [("type", .string("array")), ("items", value(form))]
            return .object(members + Self.bounds(of: "Items", least: least, most: most))
        case .either(let forms):
            return .object([("anyOf", .array(forms.flatMap { alternatives($0) }))])
        }
    }

    private mutating func named(
        _ form: ValueForm, least: Int, most: Int?, orNull: Bool
    ) -> JSONText {
        let types = ["object"] + (orNull ? ["null"] : [])
        let members: Members = [
            ("type", .array(types.map { .string($0) })), ("additionalProperties", value(form)),
        ]
        return .object(members + Self.bounds(of: "Properties", least: least, most: most))
    }

    /// The alternatives of a form. A mapping beside others is no empty value, which counts as text.
    private mutating func alternatives(_ form: ValueForm) -> [JSONText] {
        switch form {
        case .either(let forms): forms.flatMap { alternatives($0) }
        case .mapping(let schema): [reference(to: schema)]
        case .named(let form, let least, let most):
            [named(form, least: least, most: most, orNull: false)]
        default: [value(form)]
        }
    }

    private static func types(_ names: String...) -> JSONText {
        .object([
            (
                "type",
                names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
            )
        ])
    }

    private static func bounds(
        of noun: String, least: Int, most: Int?
    ) -> Members {
        (least == 0 ? [] : [("min" + noun, .int(least))])
            + (most.map { [("max" + noun, .int($0))] } ?? [])
    }

    // MARK: Types

    /// A type: a text, a list with one type, the long form, or an object of fields.
    private mutating func type() -> JSONText {
        let list = value(.list(.type, least: 1, most: 1))
        let short: Members = [
            ("properties", .object([("with", value(.oneOrMore(.typeText)))])),
            ("propertyNames", .object([("not", value(.words(NearMisses.keywords.keys.sorted())))])),
            ("additionalProperties", value(.field)),
        ]
        let isLong = TypeNames.bases.sorted().map { base in
            JSONText.object([("required", .array([.string(base)]))])
        }
        let object: Members = [
            ("if", .object([("anyOf", .array(isLong))])),
            ("then", Self.reference("longType")), ("else", .object(short)),
        ]
        let text: Members = [
            (
                "anyOf",
                .array([value(.words(TypeNames.scalars.sorted())), value(.typeText), list])
            )
        ]
        return .object([
            ("if", Self.types("object")), ("then", .object(object)), ("else", .object(text)),
        ])
    }

    /// A mapping that has some keys and lacks others, or another form.
    private mutating func told(
        _ schema: MappingSchema, by keys: [String], without others: [String],
        otherwise form: ValueForm
    ) -> JSONText {
        var condition: Members = [
            ("type", .string("object")), ("required", .array(keys.map { .string($0) })),
        ]
        if keys.contains("in") {
            // Beside a text, `join` and `in` are attributes of a type.
            condition.append(("properties", .object([("in", Self.types("object"))])))
        }
        if !others.isEmpty {
            let required = JSONText.object([("required", .array(others.map { .string($0) }))])
            condition.append(("not", required))
        }
        return .object([
            ("if", .object(condition)), ("then", reference(to: schema)), ("else", value(form)),
        ])
    }

    /// The long form. Beside `enum`, its `type` is that of the values.
    private mutating func longType() -> JSONText {
        let isEnumeration = JSONText.object([("required", .array([.string("enum")]))])
        let values = value(.matching(" *(?:string|int) *\\??(?: *\\| *null)? *"))
        return .object(
            members(of: .type) + [
                ("if", isEnumeration),
                ("then", .object([("properties", .object([("type", values)]))])),
            ])
    }
}
