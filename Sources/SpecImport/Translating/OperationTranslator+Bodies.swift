import SpecDiagnostics
import SpecSyntax

/// Bodies of requests.
extension OperationTranslator {
    func add(
        _ body: BodyDescription, of operation: OperationDescription, to method: inout DraftMethod
    ) {
        guard !["get", "head"].contains(operation.verb) else {
            return lose(.readBody, at: body.node.span)
        }
        guard let content = chosen(body) else {
            lose(.shapelessForm, "no media type", at: body.node.span)
            method.body = .named("file")
            method.body?.isOptional = !body.isRequired
            return
        }
        for other in body.contents where other.span != content.span {
            lose(.contentTypes, other.wholeType, at: other.span)
        }
        if !content.examples.isEmpty { lose(.example, "example of a body", at: content.span) }
        switch content.mediaType {
        case MediaRange.multipart, MediaRange.form: addFields(content, of: body, to: &method)
        case _ where isJSON(content):
            addType(content, usual: "application/json", to: &method)
            addJSON(content, isRequired: body.isRequired, doc: body.description, to: &method)
        default: addBytes(content, of: body, to: &method)
        }
    }

    /// JSON, unless only another form can carry files. A type without parameters comes first.
    private func chosen(_ body: BodyDescription) -> ContentDescription? {
        let contents = body.contents.filter(\.parameters.isEmpty) + body.contents
        let parts = contents.first { $0.mediaType == MediaRange.multipart }
        if let schema = parts?.schema {
            let fields = FormContent(schema, schemas).flat.properties
            if fields.contains(where: {
                schemas.isFile($0.schema) && !schemas.isReadOnly($0.schema)
            }) {
                return parts
            }
        }
        return contents.first { $0.mediaType == "application/json" }
            ?? contents.first { $0.mediaType.isJSON && !$0.mediaType.contains("*") }
            ?? contents.first { $0.mediaType.isJSON }
            ?? contents.first { $0.mediaType == MediaRange.form } ?? parts ?? body.contents.first
    }

    /// Whether a body is sent as JSON: its type says so, or leaves it open beside a schema that only
    /// JSON has.
    private func isJSON(_ content: ContentDescription) -> Bool {
        if content.mediaType.isJSON { return true }
        let shapes = content.schema.map { schemas.facts($0).shapes } ?? [.any]
        switch content.mediaType {
        case "*/*": return content.schema.map { !schemas.isBinary($0) } ?? false
        case "application/*": return shapes.isSubset(of: [.object, .array])
        default: return false
        }
    }

    /// Adds the media type of a body, unless it is the usual one.
    private func addType(
        _ content: ContentDescription, usual: String, to method: inout DraftMethod
    ) {
        var type = content.wholeType
        if content.mediaType.isJSON, type.lowercased().contains("charset=") {
            // JSON is sent as UTF-8.
            lose(.contentType, type, at: content.span)
            type = content.mediaType
        }
        if type == usual || ["*/*", "application/*"].contains(type) { return }
        guard MediaRange.isValid(type) else {
            return lose(.contentType, type, at: content.span)
        }
        method.settings.append(DraftEntry("content-type", .text(type)))
    }

    private func addBytes(
        _ content: ContentDescription, of body: BodyDescription, to method: inout DraftMethod
    ) {
        let text = text(content)
        if text == nil, let schema = content.schema, !schemas.isBinary(schema),
            schemas.facts(schema).shapes != [.any]
        {
            lose(.rawBody, content.mediaType, at: content.span)
        }
        // A file brings its own type, where the description leaves it open.
        let isOpen = content.mediaType.contains("*") || content.mediaType.hasPrefix("multipart/")
        var type = text ?? .named(isOpen ? "file" : "bytes")
        type.isOptional = !body.isRequired
        let usual = text == nil ? "application/octet-stream" : "text/plain"
        if !isOpen { addType(content, usual: usual, to: &method) }
        if let doc = body.description?.cleaned, !doc.isEmpty { types.addDoc(doc, to: &type) }
        method.body = type
    }

    /// The type of a body that is a text with rules; nil for any other, and in another charset.
    private func text(_ content: ContentDescription) -> DraftType? {
        guard content.mediaType.hasPrefix("text/"), !content.mediaType.contains("*"),
            ["", "charset=utf-8"].contains(content.parameters.lowercased()),
            let schema = content.schema, !schemas.isBinary(schema),
            schemas.facts(schema).shapes == [.string]
        else { return nil }
        var type = types.element(schema)
        guard type.form == .named("string"), !type.isNullable else { return nil }
        type.form = .named("text")
        return type
    }

    private func addJSON(
        _ content: ContentDescription, isRequired: Bool, doc: String?, to method: inout DraftMethod
    ) {
        let parts = content.schema?.parts ?? SchemaParts()
        let isFlat =
            content.schema?.reference == nil && !parts.properties.isEmpty && parts.all.isEmpty
            && parts.alternatives == nil && isRequired && !parts.isNullable
            && { if case .schema = parts.furtherKeys { false } else { true } }()
        if isFlat {
            var sections = ParameterSections()
            for (name, schema) in parts.properties where !schemas.isReadOnly(schema) {
                let isRequired = parts.required.contains(name) || schema.parts.isRequiredItself
                sections.add(name, to: "json") {
                    field(name, schema, isRequired: isRequired, in: "json")
                }
            }
            let fields = sections["json"]
            if !fields.isEmpty { return method.sections.append(("json", fields)) }
        }
        var type = content.schema.map(types.element) ?? .json
        type.isOptional = !isRequired
        if let doc = doc?.cleaned, !doc.isEmpty { types.addDoc(doc, to: &type) }
        method.body = type
    }
}
