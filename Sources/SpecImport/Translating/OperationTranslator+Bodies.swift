import SpecDiagnostics
import SpecSyntax

extension OperationTranslator {
    // MARK: Values outside JSON

    /// The type of a value that is sent as text.
    func textType(
        _ schema: SchemaDescription, in section: String, style: String? = nil, explodes: Bool? = nil
    ) -> DraftType {
        let facts = schemas.facts(schema)
        if schemas.isNullable(schema) { lose(.nullOutside, at: schema.span) }
        if style == "json" { return jsonText(schema, in: section) }
        if facts.shapes.contains(.object) { return objectText(schema, in: section, style) }
        if facts.shapes.contains(.array) {
            return listText(schema, facts, in: section, style, explodes)
        }
        if facts.shapes.count > 1 || facts.shapes == [.any] {
            if facts.shapes.count > 1 { lose(.textForm, at: schema.span) }
            return .named("string")
        }
        return textScalar(schema, in: section)
    }

    private func textScalar(_ schema: SchemaDescription, in section: String) -> DraftType {
        var type = types.type(schema).bare
        let definition =
            schema.reference == nil ? type : schemas.target(schema).map { types.type($0) } ?? type
        if definition.isTextOrNumber { return .named("string") }
        switch definition.form {
        case .named("bytes"): return .named("string")
        case .union, .map, .object, .list, .named("json"):
            lose(.textForm, at: schema.span)
            return .named("string")
        case .constant where schema.reference != nil: type = .named(typeName(schema))
        default: break
        }
        return type
    }

    private func typeName(_ schema: SchemaDescription) -> String {
        schema.reference.map(types.name) ?? "string"
    }

    private func jsonText(_ schema: SchemaDescription, in section: String) -> DraftType {
        guard section != "path", section != "multipart" else {
            lose(.textForm, at: schema.span)
            return .named("string")
        }
        return types.element(schema).bare.adding([DraftEntry("style", .text("json"))])
    }

    private func objectText(
        _ schema: SchemaDescription, in section: String, _ style: String?
    ) -> DraftType {
        if style == "deepObject", ["query", "form"].contains(section) {
            return types.element(schema).bare.adding([DraftEntry("style", .text("deep"))])
        }
        if section == "query" || section == "header" { lose(.textForm, at: schema.span) }
        return jsonText(schema, in: section)
    }

    private func listText(
        _ schema: SchemaDescription, _ facts: SchemaFacts, in section: String, _ style: String?,
        _ explodes: Bool?
    ) -> DraftType {
        if section == "path" {
            lose(.textForm, at: schema.span)
            return .named("string")
        }
        if facts.shapes.count > 1 { lose(.textForm, at: schema.span) }
        let list = schemas.target(schema)
        let items = list?.parts.items ?? []
        guard facts.shapes.count == 1, items.count == 1 else {
            return .list(.named("string")).adding(join(style, explodes, in: section))
        }
        let isFile = section == "multipart" && schemas.target(items[0])?.parts.format == "binary"
        if isFile { return .list(.named("file")) }
        if schemas.facts(items[0]).object != nil, style == "deepObject", section != "header" {
            return types.element(schema).bare.adding([DraftEntry("style", .text("deep"))])
        }
        let isDeep = schemas.facts(items[0]).shapes.isDisjoint(with: [.object, .array]) == false
        if isDeep, section != "multipart" { return objectText(schema, in: section, style) }
        var element = types.chosen(textType(items[0], in: section)).bare
        if element.attributes["style"] != nil { element = .named("string") }
        var type = DraftType.list(element)
        if let list { type.attributes += types.rules(list, .list) }
        return type.adding(join(style, explodes, in: section))
    }

    private func join(_ style: String?, _ explodes: Bool?, in section: String) -> [DraftEntry] {
        if section == "header" || section == "multipart" { return [] }
        let separator: String? =
            switch style {
            case "spaceDelimited", "2.0 ssv": explodes == true ? nil : " "
            case "pipeDelimited", "2.0 pipes": explodes == true ? nil : "|"
            case "2.0 tsv": "\t"
            case "2.0 multi": nil
            case "2.0 csv", "simple": ","
            default: explodes == false ? "," : nil
            }
        return separator.map { [DraftEntry("join", .text($0))] } ?? []
    }

    // MARK: Bodies

    func add(
        _ body: BodyDescription, of operation: OperationDescription, to method: inout DraftMethod
    ) {
        guard !["get", "head"].contains(operation.verb) else {
            return lose(.readBody, at: body.node.span)
        }
        guard let content = chosen(body) else { return }
        for other in body.contents where other.mediaType != content.mediaType {
            lose(.contentTypes, other.mediaType, at: other.span)
        }
        if !content.examples.isEmpty { lose(.example, "example of a body", at: content.span) }
        switch content.mediaType {
        case "multipart/form-data": addFields(content, section: "multipart", to: &method)
        case "application/x-www-form-urlencoded": addFields(content, section: "form", to: &method)
        case let type where type.isJSON || type == "*/*":
            if type != "application/json", type != "*/*" {
                lose(.contentType, type, at: content.span)
            }
            addJSON(content, isRequired: body.isRequired, doc: body.description, to: &method)
        default:
            let isFile =
                schemas.facts(content.schema ?? SchemaDescription(body.node)).shapes != [.object]
            if !isFile || content.mediaType != "application/octet-stream" {
                lose(.contentType, content.mediaType, at: content.span)
            }
            method.body = DraftType.named("bytes")
            method.body?.isOptional = !body.isRequired
        }
    }

    /// JSON, unless only another form can carry files.
    private func chosen(_ body: BodyDescription) -> ContentDescription? {
        let parts = body.contents.first { $0.mediaType == "multipart/form-data" }
        if let schema = parts?.schema,
            schemas.flat(schema).properties.contains(where: { isFile($0.schema) })
        {
            return parts
        }
        return body.contents.first { $0.mediaType.isJSON }
            ?? body.contents.first { $0.mediaType == "application/x-www-form-urlencoded" } ?? parts
            ?? body.contents.first
    }

    private func isFile(_ schema: SchemaDescription) -> Bool {
        guard let target = schemas.target(schema) else { return false }
        if target.parts.format == "binary" { return true }
        let inner = target.parts.items + (target.parts.alternatives ?? [])
        return inner.contains { schemas.target($0)?.parts.format == "binary" }
    }

    private func addFields(
        _ content: ContentDescription, section: String, to method: inout DraftMethod
    ) {
        guard let schema = content.schema else { return }
        let flat = schemas.flat(schema)
        if flat.hasOthers || flat.properties.isEmpty { lose(.composition, at: schema.span) }
        let fields = flat.properties.filter { !$0.schema.parts.isReadOnly }.map { name, schema in
            let isRequired = flat.required.contains(name)
            if section == "multipart", isFile(schema) { return file(name, schema, isRequired) }
            var style = content.encodings[name]
            if section == "multipart" || style == "form" { style = nil }
            return field(name, schema, isRequired: isRequired, in: section, style: style)
        }
        if !fields.isEmpty { method.sections.append((section, fields)) }
        if section == "multipart" {
            method.settings.append(DraftEntry("kind", .text("upload")))
            if fields.isEmpty { method.body = .named("bytes") }
        }
    }

    private func file(
        _ name: String, _ schema: SchemaDescription, _ isRequired: Bool
    ) -> DraftField {
        let target = schemas.target(schema)
        var isList = target?.kinds == [.array]
        if let alternatives = target?.parts.alternatives, alternatives.count > 1 {
            lose(.textForm, "one file or several", at: schema.span)
            isList = true
        }
        var type: DraftType = isList ? .list(.named("file")) : .named("file")
        type.isOptional = !isRequired
        if let doc = TypeTranslator.doc(schema.parts) { types.addDoc(doc, to: &type) }
        return DraftField(name, type)
    }

    private func addJSON(
        _ content: ContentDescription, isRequired: Bool, doc: String?, to method: inout DraftMethod
    ) {
        guard let schema = content.schema else {
            method.body = .json
            return
        }
        let parts = schema.parts
        let isFlat =
            schema.reference == nil && !parts.properties.isEmpty && parts.all.isEmpty
            && parts.alternatives == nil && isRequired && !parts.isNullable
            && { if case .schema = parts.furtherKeys { false } else { true } }()
        if isFlat {
            let fields = parts.properties.filter { !$0.schema.parts.isReadOnly }.map {
                name, schema in
                let isRequired = parts.required.contains(name) || schema.parts.isRequiredItself
                return field(name, schema, isRequired: isRequired, in: "json")
            }
            if !fields.isEmpty { return method.sections.append(("json", fields)) }
        }
        var type = types.element(schema)
        type.isOptional = !isRequired
        if let doc = doc?.cleaned, !doc.isEmpty { types.addDoc(doc, to: &type) }
        method.body = type
    }
}

extension String {
    /// Whether a media type is JSON.
    var isJSON: Bool { self == "application/json" || hasSuffix("+json") || self == "text/json" }
}
