import SpecDiagnostics
import SpecSyntax

/// The fields of forms, and the parts of multipart bodies.
extension OperationTranslator {
    func addFields(
        _ content: ContentDescription, of body: BodyDescription, to method: inout DraftMethod
    ) {
        let isMultipart = content.mediaType == MediaRange.multipart
        let section = isMultipart ? "multipart" : "form"
        if !content.parameters.isEmpty { lose(.contentType, content.wholeType, at: content.span) }
        let flat = content.schema.map(fieldsOfAll) ?? FlatObject()
        var sections = ParameterSections()
        for (name, schema) in flat.properties where !schemas.isReadOnly(schema) {
            let isRequired = flat.required.contains(name) || schema.parts.isRequiredItself
            let encoding = content.encodings[name]
            if !isMultipart, let inner = exploded(schema, encoding) {
                for (key, schema) in inner.properties where !schemas.isReadOnly(schema) {
                    let isRequired = isRequired && inner.required.contains(key)
                    let isNew = sections.add(key, to: section) {
                        field(key, schema, isRequired: isRequired, in: section)
                    }
                    if !isNew { lose(.repeatedParameter, key, at: schema.span) }
                }
                continue
            }
            let isNew = sections.add(name, to: section) {
                isMultipart
                    ? part(name, schema: schema, isRequired: isRequired, encoding: encoding)
                    : formField(
                        name, schema: schema, isRequired: isRequired, encoding: encoding,
                        content: content)
            }
            if !isNew { lose(.repeatedParameter, name, at: schema.span) }
        }
        if isMultipart { method.settings.append(DraftEntry("kind", .text("upload"))) }
        if sections[section].isEmpty {
            addWhole(content, of: body, to: &method)
        } else {
            method.sections.append((section, sections[section]))
        }
    }

    /// A form without fields that are known: the caller gives all of it.
    private func addWhole(
        _ content: ContentDescription, of body: BodyDescription, to method: inout DraftMethod
    ) {
        lose(.shapelessForm, content.mediaType, at: content.schema?.span ?? content.span)
        if content.mediaType == MediaRange.multipart {
            // A file brings its own type, which names the boundary.
            method.body = .named("file")
        } else {
            method.body = .named("bytes")
            method.settings.append(DraftEntry("content-type", .text(content.mediaType)))
            method.body?.isOptional = !body.isRequired
        }
    }

    private func formField(
        _ name: String, schema: SchemaDescription, isRequired: Bool,
        encoding: EncodingDescription?, content: ContentDescription
    ) -> DraftField {
        var style = encoding?.style
        // An untyped field is written as the others are.
        if style == nil, schemas.facts(schema).shapes == [.any],
            content.encodings.values.contains(where: { $0.style == "deepObject" })
        {
            style = "deepObject"
        }
        if style == nil, let encoding, let type = encoding.mediaTypes.first {
            style = valueStyle(schema, type, at: encoding.span)
            // A form has the JSON texts of objects anyway.
            if style == "json", schemas.facts(schema).shapes == [.object] { style = nil }
        }
        return field(
            name, schema, isRequired: isRequired, in: "form", style: style,
            explodes: encoding?.explodes)
    }

    /// The properties of an object whose encoding makes a field of each; nil for other fields.
    private func exploded(
        _ schema: SchemaDescription, _ encoding: EncodingDescription?
    ) -> FlatObject? {
        guard let encoding, encoding.style == "form" || encoding.explodes == true,
            [nil, "form"].contains(encoding.style), encoding.explodes != false,
            schemas.facts(schema).shapes == [.object]
        else { return nil }
        let flat = fieldsOfAll(schema)
        return flat.properties.isEmpty ? nil : flat
    }

    // MARK: Parts

    private func part(
        _ name: String, schema: SchemaDescription, isRequired: Bool,
        encoding: EncodingDescription?
    ) -> DraftField {
        // The type of a part is described elsewhere (OpenAPI 3.1, section 4.8.15.1).
        for header in encoding?.headers ?? [] where header.name.lowercased() != "content-type" {
            lose(.partHeader, "\(name): \(header.name)", at: header.span)
        }
        let types = encoding?.mediaTypes ?? []
        if schemas.isFile(schema) || isRaw(schema, types) {
            return file(name, schema: schema, isRequired: isRequired, types: types)
        }
        var style = encoding?.style == "form" ? nil : encoding?.style
        if let encoding, let type = types.first(where: \.essence.isJSON) ?? types.first {
            style = valueStyle(schema, type, at: encoding.span) ?? style
            if style == "json", type.essence != "application/json" {
                lose(.valueType, type.essence, at: encoding.span)
            }
        } else if let type = schemas.target(schema)?.parts.contentMediaType {
            style = valueStyle(schema, MediaRange(type), at: schema.span)
        }
        let isObject = schemas.facts(schema).shapes == [.object]
        return field(
            name, schema, isRequired: isRequired, in: "multipart",
            style: style == "json" && isObject ? nil : style,
            explodes: isObject ? nil : encoding?.explodes)
    }

    /// Whether the encoding makes a file of a text or of any value.
    private func isRaw(_ schema: SchemaDescription, _ types: [MediaRange]) -> Bool {
        guard let parts = schemas.target(schema)?.parts, !types.isEmpty, parts.format == nil,
            parts.values == nil, parts.contentEncoding == nil
        else { return false }
        switch schemas.facts(schema).shapes {
        case [.string]: return types.allSatisfy(\.isBinary)
        case [.any]: return !types.contains(where: \.isText)
        default: return false
        }
    }

    private func file(
        _ name: String, schema: SchemaDescription, isRequired: Bool, types: [MediaRange]
    ) -> DraftField {
        var target = schemas.target(schema)
        if let alternatives = target?.parts.alternatives {
            let files = alternatives.filter { schemas.isBinary($0) || schemas.isListOfFiles($0) }
            lose(
                .textForm,
                files.count == alternatives.count ? "one file or several" : "a file or a text",
                at: schema.span)
            let list = files.first(where: schemas.isListOfFiles) ?? files.first
            target = list.flatMap(schemas.target)
        }
        let isList = target?.kinds == [.array]
        let content = isList ? target?.parts.items.first.flatMap(schemas.target) : target
        for (key, node) in content?.parts.rules ?? [] { lose(.rule, key, at: node.span) }
        var type: DraftType = isList ? .list(.named("file")) : .named("file")
        type.isOptional = !isRequired
        let mime = mime(types, content)
        if !mime.isEmpty {
            type.attributes.append(isList ? DraftEntry("items", .map(mime)) : mime[0])
        }
        if isList, let target { type.attributes += self.types.rules(target, .list) }
        if let doc = TypeTranslator.doc(schema.parts) { self.types.addDoc(doc, to: &type) }
        if schema.parts.isDeprecated { type.attributes.append(.flag("deprecated")) }
        return DraftField(name, type)
    }

    /// The types that a file may have; empty for any.
    private func mime(_ types: [MediaRange], _ content: SchemaDescription?) -> [DraftEntry] {
        let own = content?.parts.contentMediaType.map { [MediaRange($0)] } ?? []
        let names = (types.isEmpty ? own : types).map(\.essence)
        let isAny = names.contains { ["application/octet-stream", "*/*"].contains($0) }
        let areTypes = names.allSatisfy {
            MediaRange.isValid($0.hasSuffix("/*") ? String($0.dropLast()) + "any" : $0)
        }
        guard !isAny, areTypes, let first = names.first else { return [] }
        let value: DraftValue = names.count == 1 ? .text(first) : .list(names.map { .text($0) })
        return [DraftEntry("mime", value)]
    }

    // MARK: Fields of objects

    /// The fields of an object, and of all alternatives that it has. Of these, only what all require
    /// is required.
    func fieldsOfAll(_ schema: SchemaDescription) -> FlatObject {
        let fields = FormContent(schema, schemas)
        if !fields.alternatives.isEmpty {
            lose(.formUnion, fields.alternatives.joined(separator: ", "), at: schema.span)
        }
        for place in fields.choices { lose(.keyword, "one of several keys required", at: place) }
        if fields.flat.hasOthers { lose(.composition, at: schema.span) }
        if case .schema = fields.flat.furtherKeys, !fields.flat.properties.isEmpty {
            lose(.furtherFields, at: schema.span)
        }
        return fields.flat
    }
}
