import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Translates schemas to types. A referenced schema becomes a model; models are translated one
/// after the other, so that they may refer to each other in circles.
final class TypeTranslator {
    let schemas: SchemaReader
    let namer = SwiftNamer()
    /// The translated models, in the order in which they were first used.
    private(set) var models: [DraftModel] = []
    /// Names that no further model may have.
    var taken: Set<String>
    /// A word before names that are taken.
    let prefix: String
    /// Whether objects that allow further keys keep them.
    var keepsFurtherKeys = false
    private var names: [String: String] = [:]
    /// The references whose schemas are translated or wait for it.
    private var queued: Set<String> = []
    private let modelNames: ModelNames
    /// The models that no schema names, and the names that they ask for.
    private(set) var invented: [String: String] = [:]
    /// The fields that have to be required, because they tell alternatives apart.
    var requiredTags: [(model: String, field: String)] = []
    /// The models by name, once all are translated.
    var definitions: [String: DraftType] = [:]
    /// The first example of each schema that is a model.
    private(set) var examples: [String: YAMLNode] = [:]
    /// The keys of the inline objects that are being translated, from the outermost.
    var path: [String] = []
    private var depth = 0
    private var steps = 0
    /// The schemas without a name that are being translated.
    private var open: Set<ObjectIdentifier> = []
    private var spans: [String: Span] = [:]
    private var queue: [(name: String, schema: SchemaDescription)] = []
    /// The models of schemas that have no name.
    private var declared = SchemaMemo<String>()
    /// Schemas that are translated without those that extend them; ``queue`` keeps them alive.
    private var bases: Set<ObjectIdentifier> = []
    /// The name of the model that is being translated.
    private(set) var modelName = ""

    init(_ schemas: SchemaReader, taken: Set<String>, prefix: String, groups: Set<String> = []) {
        self.schemas = schemas
        self.taken = taken
        self.prefix = prefix
        modelNames = ModelNames(schemas.files.components, groups: groups)
        for reference in modelNames.references {
            names[reference.key] = uniqueName(modelNames.name(of: reference))
        }
    }

    func lose(_ kind: ImportReport.Kind, _ detail: String = "", at span: Span) {
        schemas.report.add(kind, detail, at: span)
    }

    /// Where the schema of a model is.
    func span(of model: String) -> Span {
        spans[model] ?? Span(file: schemas.origin, start: 0, end: 0)
    }

    // MARK: Models

    /// The name of the model of a reference.
    func name(of reference: Reference) -> String {
        let name = names[reference.key] ?? uniqueName(modelNames.name(of: reference))
        names[reference.key] = name
        if queued.insert(reference.key).inserted {
            queue.append((name, schemas.schema(reference)))
        }
        return name
    }

    /// The name of the model whose fields others have, too. A schema whose values may be those of
    /// schemas that extend it is a union; its own fields are a model of their own then.
    func mixinName(of reference: Reference) -> String {
        let schema = schemas.schema(reference)
        let isUnion = schemas.families.isBase(schema) || schema.hasChoice
        guard isUnion else { return name(of: reference) }
        let key = reference.key + "#base"
        if let name = names[key] { return name }
        let name = uniqueName(reference.name + "Base")
        names[key] = name
        var parts = schema.parts
        parts.alternatives = nil
        let base = SchemaDescription(schema.node, parts)
        bases.insert(ObjectIdentifier(base))
        queue.append((name, base))
        return name
    }

    /// Declares a model of its own for a schema that has no name. A schema has one model.
    func declare(_ schema: SchemaDescription, named name: String) -> String {
        if let name = declared[schema] { return name }
        let name = invent(name)
        declared[schema] = name
        queue.append((name, schema))
        return name
    }

    /// Adds a model that no schema has.
    private func declare(_ type: DraftType, named name: String) -> String {
        let name = invent(name)
        models.append(DraftModel(name, type))
        return name
    }

    /// A name for a model that no schema has, until ``InventedNames`` settles it.
    func invent(_ text: String) -> String {
        let name = uniqueName(text)
        invented[name] = legalName(text)
        return name
    }

    /// Translates all models that are used, and those that they use.
    func translateModels() {
        var next = 0
        while next < queue.count {
            let (name, schema) = queue[next]
            next += 1
            spans[name] = schema.span
            modelName = name
            examples[name] = schema.parts.examples.first
            var model = DraftModel(name, model(schema, named: name))
            model.origin = schema.span
            models.append(model)
        }
        queue = []
        bases = []
        for (model, field) in requiredTags { require(field, in: model, depth: 0) }
    }

    private func require(_ field: String, in model: String, depth: Int) {
        guard depth < 50, let index = models.firstIndex(where: { $0.name == model }) else { return }
        switch models[index].type.form {
        case .named(let name): require(field, in: name, depth: depth + 1)
        case .object(var object):
            for place in object.fields.indices where object.fields[place].name == field {
                object.fields[place].type.isOptional = false
                object.fields[place].type.isNullable = false
            }
            models[index].type.form = .object(object)
            for mixin in object.mixins { require(field, in: mixin, depth: depth + 1) }
        default: break
        }
    }

    /// A name of a type that nothing else has.
    private func uniqueName(_ text: String) -> String {
        var name = legalName(text)
        if !isFree(name), isFree(prefix + name) { name = prefix + name }
        let unique = name.unique(where: isFree)
        taken.insert(unique)
        return unique
    }

    /// The text as a name of a type.
    private func legalName(_ text: String) -> String {
        let words = text.unicodeScalars.prefix(80).filter { $0.value < 0x80 }
        let name = namer.typeName(String(String.UnicodeScalarView(words))) ?? "Value"
        let isFine =
            SwiftNamer.isIdentifier(name) && name.first?.isUppercase == true
            && !(name.contains("_") && name.first == "_")
        return isFine ? name : "Type" + name.filter { $0 != "_" }
    }

    private func isFree(_ name: String) -> Bool {
        !taken.contains(name) && !ReservedNames.types.contains(name)
            && !TypeNames.scalars.contains(name) && !["Null", "True", "False"].contains(name)
    }

    private func model(_ schema: SchemaDescription, named name: String) -> DraftType {
        var type = self.type(schema).bare
        if case .named(name) = type.form {
            lose(.endless, at: schema.span)
            type = .json
        }
        if case .constant = type.form { type = chosen(type) }
        hoist(&type, from: name)
        let parts = schema.parts
        var docs = [DraftEntry("doc", text: Self.doc(parts, title: parts.title != name))]
            .compactMap(\.self)
        if let link = parts.link, Self.isLink(link) { docs.append(DraftEntry("link", .text(link))) }
        if parts.isDeprecated, type.isDeclaration { docs.append(.flag("deprecated")) }
        return type.adding(docs)
    }

    /// An alias declares no type inside a list or a map: the element becomes a model.
    private func hoist(_ type: inout DraftType, from name: String) {
        switch type.form {
        case .list(var element):
            hoistElement(&element, from: name)
            type.form = .list(element)
        case .map(let key, var value):
            hoistElement(&value, from: name)
            type.form = .map(key: key, value: value)
        default: break
        }
    }

    private func hoistElement(_ element: inout DraftType, from name: String) {
        hoist(&element, from: name)
        guard element.isDeclaration else { return }
        let single = singular(name)
        let isNullable = element.isNullable
        element = .named(declare(element.bare, named: single == name ? name + "Item" : single))
        element.isNullable = isNullable
    }

    static func doc(_ parts: SchemaParts, title: Bool = false) -> String? {
        if let text = parts.description?.cleaned, !text.isEmpty { return text }
        return title ? parts.title?.cleaned : nil
    }

    static func isLink(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "<" && $0 != ">" }
    }

    // MARK: Types

    /// Lists, maps and unions inside each other may be this deep.
    private static let deepest = 24
    /// The most schemas of one model or parameter, those inside others included.
    private static let mostSteps = 5_000
    /// The most models of schemas without a name. Schemas that combine each other in circles have no end.
    private static let mostDeclared = 2_000
    /// Inline objects inside each other that are still readable. Deeper ones become models.
    static let mostInline = 3

    /// The type of a schema, with its rules.
    func type(_ schema: SchemaDescription) -> DraftType {
        if depth == 0 { steps = 0 }
        steps += 1
        let isBounded = steps < Self.mostSteps && declared.count < Self.mostDeclared
        guard depth < Self.deepest, isBounded else {
            lose(.tooDeep, at: schema.span)
            return .json
        }
        depth += 1
        defer { depth -= 1 }
        if schema.parts.isNever { lose(.never, at: schema.span) }
        if let reference = schema.reference { return use(reference, of: schema) }
        // What contains itself without a name gets one.
        guard open.insert(ObjectIdentifier(schema)).inserted else {
            return .named(declare(schema, named: path.last ?? modelName))
        }
        defer { open.remove(ObjectIdentifier(schema)) }
        var type = content(schema)
        if schema.parts.isNullable, type.bare != .json { type.isNullable = true }
        return type
    }

    private func use(_ reference: Reference, of schema: SchemaDescription) -> DraftType {
        guard let target = schemas.target(schema) else {
            lose(.endless, at: schema.span)
            return .json
        }
        // A name for any value says nothing.
        if target.parts.isEmpty, !target.parts.isNever { return .json }
        var type = DraftType.named(name(of: reference))
        type.isNullable = schemas.isNullable(schema)
        return type
    }

    private func content(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        if let values = parts.values {
            return enumeration(
                zip(values.indices, values).map { index, value in
                    (
                        value, index < parts.valueNames.count ? parts.valueNames[index] : nil,
                        index < parts.valueDocs.count ? parts.valueDocs[index] : nil
                    )
                }, schema)
        }
        if let choices = schema.choices { return enumeration(choices, schema) }
        if !bases.contains(ObjectIdentifier(schema)), schemas.families.isBase(schema),
            let union = family(schema)
        {
            return union
        }
        if let choice = schemas.choice(in: schema) { return union(choice, of: schema) }
        if !parts.all.isEmpty { return composition(schema) }
        if let first = parts.alternatives?.first {
            lose(.keyword, "one of several keys required", at: first.span)
        }
        switch schema.kinds.count {
        case 0: return .json
        case 1: return type(schema, as: schema.kinds[0])
        default: return ofSeveralKinds(schema)
        }
    }

    private func type(_ schema: SchemaDescription, as kind: SchemaDescription.Kind) -> DraftType {
        switch kind {
        case .object: return object(schema)
        case .array:
            let items = schema.parts.items
            let element =
                items.count == 1
                ? self.element(items[0])
                : items.isEmpty ? .json : union(of: items, schema)
            return DraftType.list(element).adding(rules(schema, .list))
        case .string: return string(schema)
        case .integer: return integer(schema)
        case .number where Self.integerFormats.contains(schema.parts.format ?? ""):
            return integer(schema)
        case .number:
            let type = schema.parts.format == "decimal" ? "decimal" : "double"
            checkFormat(schema, known: ["double", "float", "decimal"])
            return .named(type, rules(schema, .fraction))
        case .boolean: return .named("bool", rules(schema, .other))
        }
    }

    /// The type of an element of a list or a map.
    func element(_ schema: SchemaDescription) -> DraftType {
        let type = self.type(schema)
        if case .constant = type.form { return chosen(type) }
        return type
    }

    /// A constant as an enumeration, where a constant may not stand.
    func chosen(_ type: DraftType) -> DraftType {
        guard case .constant(let value) = type.form else { return type }
        var result = type
        switch value {
        case .text(let text):
            result.form = .enumeration(
                DraftEnumeration(values: [.init(name: Self.caseName(text, namer), value: text)]))
        case .word("true"), .word("false"): result.form = .named("bool")
        case .word(let digits):
            result.form = .enumeration(
                DraftEnumeration(values: [.init(value: digits)], isInteger: true))
        default: result.form = .named("json")
        }
        return result
    }

    /// A value of several kinds, each a schema of its own.
    private func ofSeveralKinds(_ schema: SchemaDescription) -> DraftType {
        let kinds = schema.kinds
        let members = kinds.map { kind in
            var parts = schema.parts
            parts.kinds = [kind]
            parts.isNullable = false
            parts.rules = parts.rules.filter { RuleFamily(kind).accepts($0.key) }
            return SchemaDescription(schema.node, parts)
        }
        return union(of: members, schema)
    }
}

extension DraftType {
    /// Whether it declares a type inline.
    var isDeclaration: Bool {
        switch form {
        case .object, .enumeration, .union: true
        case .named, .list, .map, .constant: false
        }
    }
}
