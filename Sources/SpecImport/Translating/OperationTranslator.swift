import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Translates operations to methods.
final class OperationTranslator {
    let types: TypeTranslator
    let schemas: SchemaReader
    let settings: SettingsTranslator

    init(_ types: TypeTranslator, _ settings: SettingsTranslator) {
        self.types = types
        self.settings = settings
        schemas = types.schemas
    }

    func lose(_ kind: ImportReport.Kind, _ detail: String = "", at span: Span) {
        types.lose(kind, detail, at: span)
    }

    /// The method of an operation; nil if it cannot be sent.
    func method(_ operation: OperationDescription, named name: String) -> DraftMethod? {
        guard operation.verb != "trace" else {
            lose(.verb, "TRACE \(operation.path)", at: operation.span)
            return nil
        }
        var path = SpecPath(operation.path)
        if path.isCorrected { lose(.path, operation.path, at: operation.span) }
        var method = DraftMethod(name, verb: operation.verb, path: "")
        method.origin = operation.span
        method.documentation = documentation(operation)
        addParameters(of: operation, &path, to: &method)
        method.path = path.text
        if let body = operation.body {
            add(fitting(body, operation), of: operation, to: &method)
        }
        addStreamFlag(of: operation, to: &method)
        addReplies(of: operation, to: &method)
        method.settings += settings.entries(of: operation)
        return method
    }

    private func documentation(_ operation: OperationDescription) -> [DraftEntry] {
        let summary = operation.summary?.cleaned ?? ""
        let description = operation.description?.cleaned ?? ""
        let isRepeated =
            summary.isEmpty || description.hasPrefix(summary)
            || description.isEmpty
        let doc =
            isRepeated
            ? (description.isEmpty ? summary : description) : "\(summary)\n\n\(description)"
        var entries = [DraftEntry("doc", text: doc)].compactMap(\.self)
        if let link = operation.link, TypeTranslator.isLink(link) {
            entries.append(DraftEntry("link", .text(link)))
        }
        if operation.isDeprecated { entries.append(.flag("deprecated")) }
        return entries
    }

    // MARK: Parameters

    private func addParameters(
        of operation: OperationDescription, _ path: inout SpecPath,
        to method: inout DraftMethod
    ) {
        var sections = ParameterSections()
        for parameter in operation.parameters {
            guard !settings.security.isToken(parameter, of: operation),
                isSendable(parameter, parameter.name, of: operation)
            else { continue }
            var repeated: [String] = []
            if parameter.location == "path" {
                guard let place = path.placeholder(of: parameter.name) else {
                    lose(.placeless, parameter.name, at: parameter.node.span)
                    continue
                }
                let isNew = sections.add(place.name, to: "path") {
                    pathField(parameter, place: place, path: &path)
                }
                if !isNew { repeated = [parameter.name] }
            } else {
                repeated = add(parameter, of: operation, to: &sections)
            }
            if !repeated.isEmpty {
                lose(
                    .repeatedParameter, repeated.joined(separator: ", "), at: parameter.node.span)
            }
        }
        let (fields, unsaid) = pathFields(path, sections["path"])
        sections["path"] = fields
        if !unsaid.isEmpty {
            lose(.placeholder, unsaid.joined(separator: ", "), at: operation.span)
        }
        for (name, value) in path.constants {
            sections.add(name, to: "query") {
                DraftField(name, DraftType(.constant(.text(value))))
            }
        }
        for name in ["path", "query", "headers"] where !sections[name].isEmpty {
            method.sections.append((name, sections[name]))
        }
    }

    /// The parameters of a path in its order, without those that a text is anyway, and what of the
    /// braces they cannot say.
    private func pathFields(
        _ path: SpecPath, _ fields: [DraftField]
    ) -> (fields: [DraftField], unsaid: [String]) {
        // Without an entry, a placeholder that is the whole path would be an address.
        let isWhole = path.placeholders.count == 1 && path.text == "{\(path.placeholders[0].name)}"
        let plain = DraftType.named("string")
        var unsaid = path.lost
        var all = path.placeholders.map { place in
            var field = fields.first { $0.name == place.name } ?? DraftField(place.name, plain)
            if let pattern = place.expression.pattern, !add(pattern, to: &field.type) {
                unsaid.append(place.source)
            }
            return field
        }
        if isWhole { noteWhole(&all) } else { all.removeAll { $0.type == plain } }
        return (all, unsaid)
    }

    /// Adds the pattern in the braces of a path.
    ///
    /// - Returns: Whether the type has it, or does without.
    private func add(_ pattern: String, to type: inout DraftType) -> Bool {
        let entry = DraftEntry("pattern", .text(pattern))
        if type.attributes["pattern"] == nil, type.form == .named("string") {
            type.attributes.insert(entry, at: 0)
        }
        return type.attributes["pattern"] == entry.value
            || type.form == .named("int") && ["^[0-9]+$", #"^\d+$"#].contains(pattern)
    }

    /// A parameter of the path. The sign of its style stands in the path.
    private func pathField(
        _ parameter: ParameterDescription, place: SpecPath.Placeholder,
        path: inout SpecPath
    ) -> DraftField {
        if place.expression.sign.isEmpty {
            switch parameter.style {
            case "label": path.write(".", before: place)
            case "matrix" where HeaderName.isValid(place.expression.name):
                path.write(";\(place.expression.name)=", before: place)
            case "matrix": lose(.style, "matrix", at: parameter.node.span)
            default: break
            }
        }
        return field(parameter, named: place.name)
    }

    /// Adds a parameter, or one for each property of an object that is sent in this way.
    ///
    /// - Returns: The keys that the section already has.
    private func add(
        _ parameter: ParameterDescription, of operation: OperationDescription,
        to sections: inout ParameterSections
    ) -> [String] {
        let name = parameter.name
        let section = parameter.location == "header" ? "headers" : "query"
        guard let flat = exploded(parameter) else {
            let isNew = sections.add(name, to: section) { field(parameter, named: name) }
            return isNew ? [] : [name]
        }
        return flat.properties.filter { key, schema in
            var item = parameter
            item.name = key
            if schemas.isReadOnly(schema) || settings.security.isToken(item, of: operation) {
                return false
            }
            let isRequired = parameter.isRequired && flat.required.contains(key)
            return !sections.add(key, to: section) {
                field(key, schema, isRequired: isRequired, in: "query")
            }
        }.map(\.name)
    }

    /// A segment that is called like an address needs a note that it is none.
    private func noteWhole(_ fields: inout [DraftField]) {
        for index in fields.indices where fields[index].type.attributes.isEmpty {
            types.addDoc("One segment of the path.", to: &fields[index].type)
        }
    }

    private func isSendable(
        _ parameter: ParameterDescription, _ name: String, of operation: OperationDescription
    ) -> Bool {
        switch parameter.location {
        case "path", "query":
            if name.isEmpty { lose(.unnamed, at: parameter.node.span) }
            if name.utf8.count > 200 { lose(.longKey, at: parameter.node.span) }
            return !name.isEmpty && name.utf8.count <= 200
        case "querystring" where exploded(parameter) != nil: return true
        case "querystring":
            lose(.queryString, name, at: parameter.node.span)
            return false
        case "header":
            let key = name.lowercased()
            // They are described elsewhere (OpenAPI 3.1, section 4.8.12).
            if ["accept", "content-type"].contains(key) { return false }
            if key == "authorization" {
                if !settings.security.hasToken(operation) {
                    lose(.authorization, name, at: parameter.node.span)
                }
                return false
            }
            let own: Set<String> = [
                "content-length", "host", "connection", "transfer-encoding", "te", "trailer",
                "upgrade", "keep-alive",
            ]
            if !own.contains(key), HeaderName.isValid(name) { return true }
            lose(.ownHeader, name, at: parameter.node.span)
            return false
        case "cookie":
            lose(.cookie, name, at: parameter.node.span)
            return false
        default:
            lose(.place, "\(name) in \(parameter.location)", at: parameter.node.span)
            return false
        }
    }

    /// The properties of an object that are items of the query each; nil for other parameters.
    private func exploded(_ parameter: ParameterDescription) -> FlatObject? {
        let isWhole =
            parameter.location == "querystring" && parameter.mediaType?.essence == MediaRange.form
        guard isWhole || parameter.location == "query" && parameter.mediaType == nil,
            [nil, "form"].contains(parameter.style), parameter.explodes != false,
            schemas.facts(parameter.schema).shapes == [.object]
        else { return nil }
        let flat = fieldsOfAll(parameter.schema)
        return flat.properties.isEmpty ? nil : flat
    }

    /// The styles that OpenAPI has, by place.
    private static let styles: [String: Set<String>] = [
        "path": ["simple", "label", "matrix"], "header": ["simple"],
        "query": ["form", "simple", "spaceDelimited", "pipeDelimited", "deepObject"],
    ]

    private func field(_ parameter: ParameterDescription, named name: String) -> DraftField {
        let place = parameter.location
        var style = parameter.style
        if let text = style, !text.hasPrefix("2.0 "), Self.styles[place]?.contains(text) != true {
            lose(.style, text, at: parameter.node.span)
            style = nil
        }
        if let type = parameter.mediaType {
            style = valueStyle(parameter.schema, type, at: parameter.node.span)
        }
        var field = field(
            name, parameter.schema, isRequired: parameter.isRequired || place == "path", in: place,
            style: style, explodes: parameter.explodes, doc: parameter.description,
            examples: parameter.examples)
        if parameter.isDeprecated, field.type.attributes["deprecated"] == nil {
            field.type.attributes.append(.flag("deprecated"))
        }
        return field
    }

    /// A parameter in any section.
    func field(
        _ name: String, _ schema: SchemaDescription, isRequired: Bool, in section: String,
        style: String? = nil, explodes: Bool? = nil, doc: String? = nil, examples: [YAMLNode] = []
    ) -> DraftField {
        var type =
            section == "json"
            ? types.type(schema)
            : textType(schema, in: section, style: style, explodes: explodes)
        type.isOptional = !isRequired
        if case .constant = type.form, !isRequired || type.isNullable { type = types.chosen(type) }
        addDefault(to: &type, schema, in: section)
        types.addNotes(to: &type, schema, doc: doc, examples: examples)
        return DraftField(name, type)
    }

    private func addDefault(
        to type: inout DraftType, _ schema: SchemaDescription, in section: String
    ) {
        let target = schemas.target(schema)
        guard let node = schema.parts.defaultValue ?? target?.parts.defaultValue, !node.isNull
        else { return }
        let definition = schema.reference == nil ? type : target.map { types.type($0) } ?? type
        guard type.isOptional, section != "path", let value = types.value(node, of: definition)
        else {
            return lose(.sentDefault, String(TypeTranslator.shown(node).prefix(80)), at: node.span)
        }
        type.attributes.append(DraftEntry("server-default", value))
    }
}

/// The parameters of a method by section. No section has a key twice.
struct ParameterSections {
    private var fields: [String: [DraftField]] = [:]
    private var keys: [String: Set<String>] = [:]

    subscript(section: String) -> [DraftField] {
        get { fields[section] ?? [] }
        set { fields[section] = newValue }
    }

    /// Adds a field, unless the section has its key.
    ///
    /// - Returns: Whether it was added.
    @discardableResult
    mutating func add(_ key: String, to section: String, _ field: () -> DraftField) -> Bool {
        // Names of header fields have no case.
        let isNew = keys[section, default: []].insert(
            section == "headers" ? key.lowercased() : key
        ).inserted
        if isNew { fields[section, default: []].append(field()) }
        return isNew
    }
}
