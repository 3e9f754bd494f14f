import SpecDiagnostics
import SpecSyntax

/// Values outside JSON: in paths, queries, header fields, forms and parts.
extension OperationTranslator {
    /// The type of a value that is sent as text.
    func textType(
        _ schema: SchemaDescription, in section: String, style: String? = nil, explodes: Bool? = nil
    ) -> DraftType {
        let shapes = schemas.facts(schema).shapes
        if schemas.isNullable(schema) { lose(.nullOutside, at: schema.span) }
        if style == "json" { return jsonText(schema, shapes, in: section) }
        let isDeep = style == "deepObject" && ["query", "form"].contains(section)
        if shapes == [.array] {
            return listText(schema, in: section, style: style, explodes: explodes)
        }
        if isDeep, !shapes.isDisjoint(with: [.object, .array, .any]) { return deep(schema) }
        if section == "query", shapes == [.object], style ?? "form" == "form", explodes != false,
            case .map(key: _, value: let value) = types.element(schema).bare.form,
            case .named(let name) = value.form, ["string", "int", "double", "bool"].contains(name)
        {
            return styled(schema, "entries")
        }
        if shapes.contains(.object) {
            // Forms have JSON texts of objects, unless they say otherwise.
            let isUsual = style == nil && explodes == nil && shapes == [.object]
            if !isUsual || !["form", "multipart"].contains(section) {
                loseForm(schema, in: section)
            }
            return jsonText(schema, shapes, in: section)
        }
        if shapes.contains(.array) {
            loseForm(schema, in: section)
            if section == "path" { return .named("string") }
            return .list(.named("string")).adding(join(style, explodes, in: section))
        }
        if shapes == [.any] { return untyped(schema, in: section) }
        if shapes.count > 1 {
            loseForm(schema, in: section)
            return .named("string")
        }
        return textScalar(schema, in: section)
    }

    private func loseForm(_ schema: SchemaDescription, in section: String) {
        let shapes = schemas.facts(schema).shapes
        let what =
            switch shapes {
            case [.object]: "object"
            case [.array]: "list"
            default: shapes.count > 1 ? "union" : "value"
            }
        lose(.textForm, "\(what) in \(section)", at: schema.span)
    }

    private func textScalar(_ schema: SchemaDescription, in section: String) -> DraftType {
        var type = types.type(schema).bare
        var target = schemas.target(schema) ?? schema
        // A union of one model, twice, is the model.
        if case .named = type.form, let first = target.parts.alternatives?.first {
            target = schemas.target(first) ?? target
        }
        let definition = target === schema ? type : types.type(target)
        switch definition.form {
        case .named("bytes"): return section == "multipart" ? .named("bytes") : .named("string")
        case .union, .map, .object, .list, .named("json"):
            loseForm(schema, in: section)
            return .named("string")
        case .enumeration(let choice) where section == "header" && choice.hasControls:
            loseForm(schema, in: section)
            return .named("string")
        case .constant where schema.reference != nil: type = .named(typeName(schema))
        default: break
        }
        if definition.attributes["from"] != nil { return .named("string") }
        return type
    }

    private func typeName(_ schema: SchemaDescription) -> String {
        schema.reference.map(types.name) ?? "string"
    }

    /// A value without a type: a form has the JSON text of an object, and a text as it is.
    private func untyped(_ schema: SchemaDescription, in section: String) -> DraftType {
        if section == "form" { return styled(schema, "json") }
        lose(.untyped, "in \(section)", at: schema.span)
        return .named("string")
    }

    private func styled(_ schema: SchemaDescription, _ style: String) -> DraftType {
        var type = types.element(schema).bare
        if type.dropNull() { lose(.nullOutside, "an element", at: schema.span) }
        if holdsBytes(schema) {
            lose(.textForm, "list or map of bytes", at: schema.span)
            type = .json
        }
        return type.adding([DraftEntry("style", .text(style))])
    }

    /// Whether a list or a map has bytes, which stand in models alone.
    private func holdsBytes(_ schema: SchemaDescription, depth: Int = 0) -> Bool {
        guard depth < 10, let target = schemas.target(schema) else { return false }
        var inner = target.parts.items + (target.parts.alternatives ?? [])
        if case .schema(let value) = target.parts.furtherKeys, target.parts.properties.isEmpty {
            inner.append(value)
        }
        if inner.isEmpty { return depth > 0 && ["byte", "base64"].contains(target.parts.format) }
        return inner.contains { holdsBytes($0, depth: depth + 1) }
    }

    private func deep(_ schema: SchemaDescription) -> DraftType { styled(schema, "deep") }

    // MARK: JSON

    /// A value as JSON text. Of a single one, the language has no quotes.
    private func jsonText(
        _ schema: SchemaDescription, _ shapes: Set<SchemaFacts.Shape>, in section: String
    ) -> DraftType {
        guard section != "path" else {
            loseForm(schema, in: section)
            return .named("string")
        }
        let hasMembers = !shapes.isDisjoint(with: [.object, .array, .any])
        if section == "multipart" {
            if hasMembers { return styled(schema, "json") }
            let isText = !shapes.isDisjoint(with: [.string])
            lose(isText ? .jsonScalar : .valueType, "application/json", at: schema.span)
        } else if !shapes.isDisjoint(with: [.string, .any]) {
            lose(.jsonScalar, "in \(section)", at: schema.span)
        }
        return hasMembers ? styled(schema, "json") : textType(schema, in: section)
    }

    /// The style for a value in a media type. What is neither JSON nor a plain text is a loss.
    func valueStyle(_ schema: SchemaDescription, _ type: MediaRange, at span: Span) -> String? {
        if type.essence.isJSON { return "json" }
        let isScalar = schemas.facts(schema).shapes.isDisjoint(with: [.object, .array, .any])
        if type.essence != "text/plain" || !isScalar { lose(.valueType, type.essence, at: span) }
        return type.essence == "text/csv" ? "simple" : nil
    }

    // MARK: Lists

    private func listText(
        _ schema: SchemaDescription, in section: String, style: String?, explodes: Bool?
    ) -> DraftType {
        if section == "path" {
            loseForm(schema, in: section)
            return .named("string")
        }
        let list = schemas.target(schema)
        let items = list?.parts.items ?? []
        guard items.count == 1 else {
            if items.isEmpty { lose(.untyped, "elements of a list", at: schema.span) }
            return .list(.named("string")).adding(form(style, explodes, in: section))
        }
        let shapes = schemas.facts(items[0]).shapes
        if !shapes.isDisjoint(with: [.object, .array]) {
            if style == "deepObject", ["query", "form"].contains(section) { return deep(schema) }
            if section != "multipart" || style != nil { loseForm(schema, in: section) }
            return jsonText(schema, [.array], in: section)
        }
        // An element has a text of its own, not that of JSON.
        var element = types.chosen(textType(items[0], in: section == "form" ? "query" : section))
            .bare
        if element == .named("bytes") { element = .named("string") }
        var type = DraftType.list(element)
        if let list { type.attributes += types.rules(list, .list) }
        return type.adding(form(style, explodes, in: section))
    }

    /// How the elements of a list are sent.
    private func form(
        _ style: String?, _ explodes: Bool?, in section: String
    ) -> [DraftEntry] {
        style == "deepObject" && section != "header"
            ? [DraftEntry("style", .text("indexed"))] : join(style, explodes, in: section)
    }

    private func join(_ style: String?, _ explodes: Bool?, in section: String) -> [DraftEntry] {
        let separator: String? =
            switch style {
            case "spaceDelimited", "2.0 ssv": explodes == true ? nil : " "
            case "pipeDelimited", "2.0 pipes": explodes == true ? nil : "|"
            case "2.0 tsv": "\t"
            case "2.0 multi": nil
            // A header field has commas anyway.
            case _ where section == "header": nil
            case "2.0 csv", "simple": ","
            default: explodes == false ? "," : nil
            }
        return separator.map { [DraftEntry("join", .text($0))] } ?? []
    }
}

extension DraftType {
    /// Removes null from the elements of lists and maps, and from alternatives.
    ///
    /// - Returns: Whether there was any.
    fileprivate mutating func dropNull() -> Bool {
        func drop(_ type: inout DraftType) -> Bool {
            let wasNullable = type.isNullable
            type.isNullable = false
            return type.dropNull() || wasNullable
        }
        var hadNull = false
        switch form {
        case .list(var element):
            hadNull = drop(&element)
            form = .list(element)
        case .map(let key, var value):
            hadNull = drop(&value)
            form = .map(key: key, value: value)
        case .union(var union):
            for index in union.alternatives.indices where drop(&union.alternatives[index].type) {
                hadNull = true
            }
            form = .union(union)
        default: break
        }
        return hadNull
    }
}

extension DraftEnumeration {
    /// Whether a header field cannot have one of the values.
    fileprivate var hasControls: Bool {
        values.contains { $0.value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
    }
}
