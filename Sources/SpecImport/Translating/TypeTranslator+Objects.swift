import SpecSyntax

extension TypeTranslator {
    // MARK: Objects

    func object(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        guard !parts.properties.isEmpty else { return map(schema) }
        if path.count > Self.mostInline {
            let key = path.suffix(2).joined(separator: "_")
            return .named(declare(schema, named: key))
        }
        for (key, node) in parts.rules { lose(.rule, key, at: node.span) }
        var object = DraftObject()
        object.fields = fields(parts.properties, required: parts.required)
        addUndeclared(parts.required, to: &object)
        object.additional = additional(parts.furtherKeys, of: schema)
        return DraftType(.object(object))
    }

    /// The type of further keys; nil where they are ignored.
    private func additional(
        _ keys: SchemaDescription.FurtherKeys, of owner: SchemaDescription
    ) -> DraftType? {
        switch keys {
        case .schema(let schema): return element(schema)
        case .any where keepsFurtherKeys: return .json
        case .any: lose(.openObject, at: owner.span)
        case .unsaid, .none: break
        }
        return nil
    }

    func fields(
        _ properties: [(name: String, schema: SchemaDescription)], required: Set<String>
    ) -> [DraftField] {
        properties.map { name, schema in
            field(
                name, schema, isRequired: required.contains(name) || schema.parts.isRequiredItself)
        }
    }

    /// An object that is a map.
    private func map(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        if !parts.required.isEmpty {
            let fields = parts.required.sorted().map { DraftField($0, .json) }
            return DraftType(.object(DraftObject(fields: fields)))
        }
        var value = DraftType.json
        if case .schema(let schema) = parts.furtherKeys { value = element(schema) }
        var type = DraftType.map(value).adding(rules(schema, .map))
        if let keys = parts.keys { addKeys(keys, to: &type) }
        return type
    }

    private func addKeys(_ keys: SchemaDescription, to type: inout DraftType) {
        guard let target = schemas.target(keys) else { return }
        if let values = target.parts.values, values.allSatisfy({ $0.kind == .scalar }) {
            let texts = values.map { DraftValue.text($0.text) }
            return type.attributes.append(
                DraftEntry("keys", .map([DraftEntry("in", .list(texts))])))
        }
        let rules = rules(target, .text)
        if !rules.isEmpty { type.attributes.append(DraftEntry("keys", .map(rules))) }
    }

    // MARK: Fields

    func field(_ name: String, _ schema: SchemaDescription, isRequired: Bool) -> DraftField {
        path.append(name)
        defer { path.removeLast() }
        var type = type(schema)
        type.isOptional = !isRequired
        let parts = schema.parts
        let isReadOnly = schemas.isReadOnly(schema)
        if isReadOnly != schemas.isWriteOnly(schema) {
            type.attributes.append(DraftEntry("only", .text(isReadOnly ? "reply" : "request")))
        }
        addNotes(to: &type, schema)
        var isConstant = false
        if case .constant = type.form { isConstant = true }
        if let node = parts.defaultValue, !node.isNull, !isConstant {
            lose(.bodyDefault, String(Self.shown(node).prefix(80)), at: node.span)
            addDoc("The server's default is `\(Self.shown(node))`.", to: &type)
        }
        return DraftField(name, type)
    }

    /// What a field and a parameter have besides their type and rules.
    func addNotes(
        to type: inout DraftType, _ schema: SchemaDescription, doc: String? = nil,
        examples: [YAMLNode] = []
    ) {
        let parts = schema.parts
        if schemas.target(schema)?.parts.format == "password" {
            type.attributes.append(.flag("sensitive"))
        }
        addExample(to: &type, examples + parts.examples)
        if let doc = doc?.cleaned ?? Self.doc(parts) ?? Self.innerDoc(parts), !doc.isEmpty {
            type.attributes.append(DraftEntry("doc", .text(doc)))
        }
        if let link = parts.link, Self.isLink(link) {
            type.attributes.append(DraftEntry("link", .text(link)))
        }
        if parts.isDeprecated { type.attributes.append(.flag("deprecated")) }
    }

    /// The documentation of the only alternative, or of the element.
    private static func innerDoc(_ parts: SchemaParts) -> String? {
        if let only = parts.alternatives, only.count == 1 { return doc(only[0].parts) }
        return parts.items.count == 1 ? doc(parts.items[0].parts) : nil
    }

    func addDoc(_ text: String, to type: inout DraftType) {
        if let index = type.attributes.firstIndex(where: { $0.key == "doc" }),
            case .text(let doc) = type.attributes[index].value
        {
            let joint = doc.contains("\n") ? "\n\n" : doc.last == "." ? " " : ". "
            type.attributes[index].value = .text(doc + joint + text)
        } else {
            type.attributes.append(DraftEntry("doc", .text(text)))
        }
    }

    static func shown(_ node: YAMLNode) -> String {
        switch node.kind {
        case .scalar: String(node.text.replacing("`", with: "'").prefix(80))
        case .sequence: "[" + node.items.map(shown).joined(separator: ", ") + "]"
        case .mapping:
            "{" + node.entries.map { "\($0.key.text): \(shown($0.value))" }.joined(separator: ", ")
                + "}"
        }
    }

    // MARK: Composition

    /// The type of `allOf`: a mixin for each model, unless a field of it is declared again.
    func composition(_ schema: SchemaDescription) -> DraftType {
        if let inner = schemas.wrapped(schema) { return type(inner) }
        let flat = schemas.flat(schema)
        guard !flat.properties.isEmpty else {
            let whole = schemas.whole(schema)
            return whole === schema ? .json : type(whole)
        }
        if flat.hasOthers { lose(.composition, at: schema.span) }
        var members: [Member] = []
        collect(schema, into: &members, depth: 0)
        var names: Set<String> = []
        let isApart = members.flatMap(\.keys).allSatisfy { names.insert($0).inserted }
        let mixins = members.compactMap(\.mixin)
        let own = members.filter { $0.mixin == nil }
        let required = own.reduce(into: Set<String>()) { $0.formUnion($1.flat.required) }
        let requiresOthers = !required.isSubset(of: Set(own.flatMap(\.keys)))
        var object = DraftObject()
        if isApart, !mixins.isEmpty, !requiresOthers {
            object.mixins = mixins.map { mixinName(of: $0) }
            if own.allSatisfy({ $0.keys.isEmpty && !$0.hasFurtherKeys }), object.mixins.count == 1,
                object.mixins[0] == name(of: mixins[0])
            {
                return .named(object.mixins[0])
            }
            for member in own {
                object.fields += fields(member.flat.properties, required: required)
            }
        } else {
            object.fields = fields(flat.properties, required: flat.required)
            addUndeclared(flat.required, to: &object)
        }
        object.additional = additional(flat.furtherKeys, of: schema)
        if object.additional != nil, !object.mixins.isEmpty, own.allSatisfy({ !$0.hasFurtherKeys })
        {
            object.additional = nil
        }
        return DraftType(.object(object))
    }

    /// Adds the keys that are required, and that nothing describes.
    private func addUndeclared(_ required: Set<String>, to object: inout DraftObject) {
        let known = Set(object.fields.map(\.name))
        for name in required.subtracting(known).sorted() where name.utf8.count <= 200 {
            object.fields.append(DraftField(name, .json))
        }
    }

    private struct Member {
        var mixin: Reference?
        var flat: FlatObject
        var keys: [String] { flat.properties.map(\.name) }
        var hasFurtherKeys: Bool {
            switch flat.furtherKeys {
            case .schema, .any: true
            case .unsaid, .none: false
            }
        }
    }

    /// The models that lend their fields, and the objects with fields of their own.
    private func collect(_ schema: SchemaDescription, into members: inout [Member], depth: Int) {
        let parts = schema.parts
        for member in parts.all where !member.parts.isEmpty || member.reference != nil {
            if let reference = modelReference(member) {
                members.append(Member(mixin: reference, flat: schemas.flat(member)))
            } else if member.reference == nil, !member.parts.all.isEmpty, depth < 20 {
                collect(member, into: &members, depth: depth + 1)
            } else {
                members.append(Member(mixin: nil, flat: schemas.flat(member)))
            }
        }
        var own = FlatObject(properties: parts.properties, required: parts.required)
        own.furtherKeys = parts.furtherKeys
        if !own.properties.isEmpty || !own.required.isEmpty
            || !{ if case .unsaid = own.furtherKeys { true } else { false } }()
        {
            members.append(Member(mixin: nil, flat: own))
        }
    }

    /// The reference to a schema that becomes an object with fields; nil for any other. Fields that a
    /// schema requires and leaves to others to describe cannot be lent.
    func modelReference(_ schema: SchemaDescription) -> Reference? {
        guard var reference = schema.reference else { return nil }
        var target = schemas.schema(reference)
        for _ in 0..<50 {
            guard let next = target.reference ?? schemas.wrapped(target)?.reference else { break }
            (reference, target) = (next, schemas.schema(next))
        }
        let flat = schemas.flat(target)
        let isObject =
            target.parts.values == nil && target.reference == nil && !flat.hasOthers
            && !flat.properties.isEmpty
            && flat.required.isSubset(of: flat.properties.map(\.name))
        return isObject && target.kinds.allSatisfy { $0 == .object } ? reference : nil
    }
}
