import SpecDiagnostics
import SpecSyntax

/// Reads an operation that Telex wrote.
struct ExportedOperation {
    private let node: YAMLNode
    private let item: YAMLNode
    private let schemas: SchemaReader
    private let types: ExportedTypes
    private let members: [DraftEntry]
    /// The path before those of the group's methods.
    private let shared: String
    private var method = DraftMethod("", verb: "get", path: "")

    init(
        _ node: YAMLNode, item: YAMLNode, schemas: SchemaReader, types: ExportedTypes,
        shared: String
    ) {
        self.shared = shared
        self.node = node
        self.item = item
        self.schemas = schemas
        self.types = types
        members = types.members(node.value(of: "x-telex"))
    }

    /// The members that say where something is, and those that stand in place of the path.
    private static let places: Set<String> = ["name", "replies", "procedure"]
    private static let bodies = ["json", "form", "multipart", "body", "params"]

    /// The method.
    mutating func method(verb: String, path: String) -> DraftMethod {
        let isCall = members["procedure"] != nil
        method.verb = isCall ? "" : verb
        method.path = own(path.dropFirst().prefix { $0 != "#" })
        if case .text(let path)? = members[verb] { method.path = path }
        method.settings = members.filter { !Self.places.contains($0.key) && $0.key != verb }
        method.documentation = node.documentation.filter { members[$0.key] == nil }
        addParameters()
        if !isCall, !Self.bodies.contains(where: { members[$0] != nil }) { addBody() }
        addReplies()
        return method
    }

    /// The path without the shared one. One that begins otherwise leaves it with a `/`.
    private func own(_ path: Substring) -> String {
        if shared.isEmpty { return String(path) }
        if path == shared { return "" }
        return path.hasPrefix(shared + "/")
            ? String(path.dropFirst(shared.count + 1)) : "/" + path
    }

    // MARK: Parameters

    private mutating func addParameters() {
        let all =
            (item.value(of: "parameters")?.items ?? [])
            + (node.value(of: "parameters")?.items ?? [])
        var sections: [String: [DraftField]] = [:]
        for node in all {
            // A reference is to a parameter of the API or the group.
            let isImplied = node.value(of: "x-telex")?.value(of: "implied") != nil
            guard node.value(of: "$ref") == nil, !isImplied else { continue }
            let section =
                switch node.text(of: "in") {
                case "path": "path"
                case "query": "query"
                case "header": "headers"
                default: ""
                }
            guard !section.isEmpty, let name = node.text(of: "name") else {
                schemas.report.add(.cookie, node.text(of: "name") ?? "", at: node.span)
                continue
            }
            let isRequired = section == "path" || node.value(of: "required")?.boolean == true
            sections[section, default: []].append(field(node, name, isRequired: isRequired))
        }
        for name in ["path", "query", "headers"] {
            if let fields = sections[name] { method.sections.append((name, fields)) }
        }
    }

    /// A parameter, or a header field of a reply, whose documentation is beside its schema.
    private func field(_ node: YAMLNode, _ name: String, isRequired: Bool) -> DraftField {
        let content = node.value(of: "content")?.entries.first?.value
        let schema = content?.value(of: "schema") ?? node.value(of: "schema")
        guard let schema else { return DraftField(name, .named("string")) }
        var field = types.field(name, schemas.schema(schema), isRequired: isRequired)
        var notes = node.documentation
        notes += Self.style(node, isJSON: content != nil)
        notes = notes.filter { field.type.attributes[$0.key] == nil }
        field.type.attributes += notes
        return field
    }

    /// How a list or an object is written.
    private static func style(_ node: YAMLNode, isJSON: Bool) -> [DraftEntry] {
        if isJSON { return [DraftEntry("style", .text("json"))] }
        let style = node.text(of: "style") ?? ""
        if style == "deepObject" { return [DraftEntry("style", .text("deep"))] }
        guard node.value(of: "explode")?.boolean == false else { return [] }
        let separators = ["form": ",", "spaceDelimited": " ", "pipeDelimited": "|"]
        return separators[style].map { [DraftEntry("join", .text($0))] } ?? []
    }

    // MARK: Bodies

    private mutating func addBody() {
        guard let body = node.value(of: "requestBody"),
            let content = body.value(of: "content")?.entries.first
        else { return }
        let isRequired = body.value(of: "required")?.boolean == true
        let schema = content.value.value(of: "schema").map(schemas.schema)
        let mediaType = content.key.text
        let section: String? =
            switch mediaType {
            case "application/x-www-form-urlencoded": "form"
            case "multipart/form-data": "multipart"
            default: mediaType.isJSON ? "json" : nil
            }
        guard let schema, let section else {
            method.body = .named("bytes")
            method.body?.isOptional = !isRequired
            return
        }
        let parts = schema.parts
        let isWhole =
            section == "json"
            && (schema.reference != nil || parts.properties.isEmpty || !parts.all.isEmpty
                || parts.isNullable || parts.telex != nil || !isRequired)
        if isWhole {
            method.body = types.type(schema)
            method.body?.isOptional = !isRequired
        } else {
            method.sections.append((section, types.fields(parts)))
        }
    }

    // MARK: Replies

    private mutating func addReplies() {
        let responses = node.value(of: "responses")?.entries ?? []
        let list = types.member("replies", of: node.value(of: "x-telex"), .sequence)
        let statuses = list?.items.map(\.text)
        let successes =
            statuses.map { $0.compactMap { status in responses.first { $0.key.text == status } } }
            ?? responses.filter { $0.key.text.first == "2" }.prefix(1).map(\.self)
        let isStated = members["returns"] != nil
        for (index, entry) in successes.enumerated() {
            let response = schemas.files.resolved(entry.value)
            if index == 0 { addHeaders(response) }
            if isStated { continue }
            let type = type(of: response)
            let status = list == nil ? nil : Int(entry.key.text)
            if status != nil || type != .named("nothing") {
                method.returns.append((status, type))
            }
        }
        if list != nil, statuses?.isEmpty == true, !responses.isEmpty,
            let first = responses.first(where: { $0.key.text.first == "2" })
        {
            addHeaders(schemas.files.resolved(first.value))
        }
    }

    private mutating func type(of response: YAMLNode) -> DraftType {
        guard let content = response.value(of: "content")?.entries.first else {
            return .named("nothing")
        }
        let mediaType = content.key.text
        let isStream = members["stream"] != nil
        guard mediaType.isJSON || isStream else {
            return .named(mediaType.hasPrefix("text/") ? "text" : "bytes")
        }
        guard let node = content.value.value(of: "schema") else { return .json }
        var steps: [String] = []
        let schema = payload(schemas.schema(node), &steps)
        addExamples(content.value, steps)
        return types.type(schema)
    }

    /// The schema of the value in an envelope.
    private func payload(_ schema: SchemaDescription, _ steps: inout [String]) -> SchemaDescription
    {
        var schema = schema
        while schema.parts.telex?.value(of: "envelope") != nil {
            if let only = schema.parts.properties.first {
                steps.append(only.name)
                schema = only.schema
            } else if let item = schema.parts.items.first {
                schema = item
            } else {
                break
            }
        }
        return schema
    }

    private mutating func addExamples(_ content: YAMLNode, _ steps: [String]) {
        guard members["examples"] == nil, let examples = content.value(of: "examples") else {
            return
        }
        let values = examples.entries.compactMap { entry -> DraftEntry? in
            var value = schemas.files.resolved(entry.value).value(of: "value")
            for step in steps { value = value?.value(of: step) }
            guard let value else { return nil }
            var result = DraftEntry(entry.key.text, DraftValue(value))
            result.isQuoted = true
            return result
        }
        if !values.isEmpty { method.settings.append(DraftEntry("examples", .map(values))) }
    }

    private mutating func addHeaders(_ response: YAMLNode) {
        guard members["reply-headers"] == nil else { return }
        method.replyHeaders = (response.value(of: "headers")?.entries ?? []).map { entry in
            let node = schemas.files.resolved(entry.value)
            let isRequired = node.value(of: "required")?.boolean == true
            return field(node, entry.key.text, isRequired: isRequired)
        }
    }
}
