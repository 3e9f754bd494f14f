import SpecDiagnostics
import SpecSyntax

/// Reads descriptions in OpenAPI 2.0 and 3.0 to 3.2.
struct OpenAPIReader {
    let files: DescriptionFiles
    let schemas: SchemaReader
    /// The choice of operations.
    let selection: OperationSelection
    private var isTwo = false
    let root: YAMLNode

    private static let verbs = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ]

    init(schemas: SchemaReader, selection: OperationSelection, root: YAMLNode) {
        files = schemas.files
        self.schemas = schemas
        self.selection = selection
        self.root = root
    }

    /// Whether a file says that it is a description.
    static func isDescription(_ root: YAMLNode) -> Bool {
        root.value(of: "openapi") != nil || root.value(of: "swagger") != nil
    }

    /// Reads a file that is a description.
    mutating func read() -> OpenAPIDescription {
        isTwo = root.value(of: "swagger") != nil
        var api = OpenAPIDescription()
        let info = root.value(of: "info")
        api.title = info?.text(of: "title") ?? ""
        api.description = info?.text(of: "description")
        api.link = root.value(of: "externalDocs")?.text(of: "url")
        api.servers = isTwo ? hostServers() : servers(ReferringNode(root, files))
        for tag in root.value(of: "tags")?.items ?? [] {
            api.tagDocs[tag.text(of: "name") ?? ""] = tag.text(of: "description")
        }
        let components = root.value(of: "components").map(files.resolved)
        let schemes = isTwo ? root : components
        let key = isTwo ? "securityDefinitions" : "securitySchemes"
        api.schemes = schemes.map { entries(key, of: $0).map(scheme) } ?? []
        api.security = security(root.value(of: "security"))
        for key in ["webhooks", "x-webhooks"] {
            if let node = root.value(of: key) {
                schemas.report.add(.webhook, key, at: node.span)
            }
        }
        for key in ["paths", "x-ms-paths"] {
            for entry in entries(key, of: root)
            where key == "x-ms-paths" || !entry.key.text.hasPrefix("x-") {
                readPath(entry, into: &api)
            }
        }
        return api
    }

    // MARK: References

    /// The node itself, or what its `$ref` leads to. Keys beside a `$ref` are losses.
    private func resolved(_ node: YAMLNode) -> YAMLNode {
        guard node.value(of: "$ref") != nil else { return node }
        for entry in node.entries
        where entry.key.text != "$ref" && !entry.key.text.hasPrefix("x-") {
            schemas.report.add(.siblings, entry.key.text, at: entry.key.span)
        }
        return files.resolved(node)
    }

    /// The entries of a mapping under a key, which may be elsewhere as a whole.
    private func entries(_ key: String, of node: YAMLNode) -> [YAMLEntry] {
        node.value(of: key).map(files.resolved)?.entries ?? []
    }

    // MARK: Operations

    private mutating func readPath(_ path: YAMLEntry, into api: inout OpenAPIDescription) {
        let item = ReferringNode(path.value, files)
        let isAddress =
            path.key.text.first != "/"
            && path.key.text.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:\/\//#) != nil
        guard !isAddress else {
            return schemas.report.add(.outsidePath, path.key.text, at: path.key.span)
        }
        let name = path.key.text.first == "/" ? path.key.text : "/" + path.key.text
        for entry in item.entries {
            let key = entry.key.text
            switch key {
            case _ where Self.verbs.contains(key), "query":
                read(entry.value, verb: key, path: name, item, into: &api)
            case "additionalOperations":
                for entry in files.resolved(entry.value).entries {
                    readAdditional(entry, path: name, item, into: &api)
                }
            case "summary", "description", "servers", "parameters": break
            case _ where key.hasPrefix("x-"): break
            default: schemas.report.add(.unknownKey, key, at: entry.key.span)
            }
        }
    }

    /// An operation of OpenAPI 3.2 whose key is its HTTP method.
    private func readAdditional(
        _ entry: YAMLEntry, path: String, _ item: ReferringNode, into api: inout OpenAPIDescription
    ) {
        let verb = entry.key.text
        let isName =
            verb.first?.isUppercase == true
            && verb.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
        guard isName, verb != "CONNECT" else {
            return schemas.report.add(.verb, "\(verb) \(path)", at: entry.key.span)
        }
        read(entry.value, verb: verb.lowercased(), path: path, item, into: &api)
    }

    private func read(
        _ operation: YAMLNode, verb: String, path: String, _ item: ReferringNode,
        into api: inout OpenAPIDescription
    ) {
        let node = ReferringNode(operation, files)
        let tags = node.value(of: "tags")?.items.map(\.text) ?? []
        guard selection.accepts(path: path, tags: tags, id: node.text(of: "operationId"))
        else { return }
        api.operations.append(self.operation(node, path: path, verb: verb, tags: tags, item: item))
    }

    private func operation(
        _ node: ReferringNode, path: String, verb: String, tags: [String], item: ReferringNode
    ) -> OperationDescription {
        let own = parameters(node)
        let names = Set(own.map(identity))
        let all = parameters(item).filter { !names.contains(identity($0)) } + own
        if let place = node.value(of: "callbacks") {
            schemas.report.add(.webhook, "callbacks", at: place.span)
        }
        if isTwo, let schemes = node.value(of: "schemes"),
            !schemes.items.contains(where: { $0.text == "https" })
        {
            schemas.report.add(.server, "schemes of an operation", at: schemes.span)
        }
        let places = ["body", "formData"]
        let servers = isTwo ? [] : [node, item].map(servers).first { !$0.isEmpty } ?? []
        let replies = node.value(of: "responses").map(files.resolved)?.entries ?? []
        return OperationDescription(
            node: node.node, path: path, verb: verb, id: node.text(of: "operationId"), tags: tags,
            summary: node.text(of: "summary") ?? item.text(of: "summary"),
            description: node.text(of: "description") ?? item.text(of: "description"),
            link: node.value(of: "externalDocs")?.text(of: "url"),
            isDeprecated: node.value(of: "deprecated")?.boolean == true,
            parameters: all.filter { !isTwo || !places.contains($0.text(of: "in") ?? "") }
                .map(parameter),
            body: isTwo
                ? body(all.filter { places.contains($0.text(of: "in") ?? "") }, node)
                : node.value(of: "requestBody").map(body),
            replies: replies.filter { !$0.key.text.hasPrefix("x-") }.map { reply($0, node) },
            security: security(node.value(of: "security")), servers: servers)
    }

    // MARK: Parameters

    private func parameters(_ node: ReferringNode) -> [YAMLNode] {
        let lists = node.values(of: "parameters").map { files.resolved($0).items.map(resolved) }
        var seen: Set<String> = []
        return lists.flatMap { list in
            // A name twice in one list is a fault that is reported later.
            let new = list.filter { !seen.contains(identity($0)) }
            seen.formUnion(list.map(identity))
            return new
        }
    }

    private func identity(_ node: YAMLNode) -> String {
        "\(node.text(of: "in") ?? "") \(node.text(of: "name") ?? "")"
    }

    private func parameter(_ node: YAMLNode) -> ParameterDescription {
        parameter(node, named: node.text(of: "name") ?? "")
    }

    private func parameter(_ node: YAMLNode, named name: String) -> ParameterDescription {
        let contents = node.value(of: "content")?.entries ?? []
        for other in contents.dropFirst() {
            schemas.report.add(.contentTypes, other.key.text, at: other.key.span)
        }
        let entry = contents.first
        let content = entry?.value
        let schema = content?.value(of: "schema") ?? node.value(of: "schema")
        var style = node.text(of: "style")
        if isTwo, node.text(of: "type") == "array" {
            style = "2.0 " + (node.text(of: "collectionFormat") ?? "csv")
        }
        if node.value(of: "allowReserved")?.boolean == true {
            schemas.report.add(.reserved, at: node.span)
        }
        return ParameterDescription(
            node: node, name: name, location: node.text(of: "in") ?? "",
            isRequired: node.value(of: "required")?.boolean == true,
            description: node.text(of: "description"),
            isDeprecated: node.value(of: "deprecated")?.boolean == true,
            schema: isTwo || schema == nil && content == nil
                ? schemas.schema(node) : schema.map(schemas.schema) ?? SchemaDescription(node),
            style: style, explodes: node.value(of: "explode")?.boolean,
            mediaType: entry.map { MediaRange($0.key.text) },
            examples: examples(node).map(\.value))
    }

    private func examples(_ node: YAMLNode) -> [(name: String, value: YAMLNode)] {
        if let example = node.value(of: "example") { return [("example", example)] }
        guard let list = node.value(of: "examples"), list.kind == .mapping else { return [] }
        return list.entries.compactMap { entry in
            let node = resolved(entry.value)
            let value = node.value(of: "value") ?? node.value(of: "dataValue")
            if value == nil { schemas.report.add(.example, entry.key.text, at: entry.key.span) }
            return value.map { (entry.key.text, $0) }
        }
    }

    // MARK: Bodies

    private func body(_ node: YAMLNode) -> BodyDescription {
        let node = resolved(node)
        return BodyDescription(
            node: node, isRequired: node.value(of: "required")?.boolean == true,
            description: node.text(of: "description"), contents: contents(node))
    }

    private func contents(_ node: YAMLNode) -> [ContentDescription] {
        entries("content", of: node).map { entry in
            let value = resolved(entry.value)
            let type = MediaRange(entry.key.text)
            return ContentDescription(
                mediaType: type.essence, schema: value.value(of: "schema").map(schemas.schema),
                items: value.value(of: "itemSchema"), encodings: encodings(value),
                examples: examples(value), span: entry.key.span, parameters: type.parameters)
        }
    }

    private func encodings(_ content: YAMLNode) -> [String: EncodingDescription] {
        var encodings: [String: EncodingDescription] = [:]
        for entry in content.value(of: "encoding")?.entries ?? [] {
            let node = entry.value
            if node.value(of: "allowReserved")?.boolean == true {
                schemas.report.add(.reserved, at: node.span)
            }
            let types = node.text(of: "contentType")?.split(separator: ",") ?? []
            encodings[entry.key.text] = EncodingDescription(
                style: node.text(of: "style"), explodes: node.value(of: "explode")?.boolean,
                mediaTypes: types.map { MediaRange(String($0)) },
                headers: node.value(of: "headers")?.entries.map { ($0.key.text, $0.key.span) }
                    ?? [],
                span: entry.key.span)
        }
        return encodings
    }

    /// A media type without parameters.
    private static func plain(_ text: String) -> String { MediaRange(text).essence }

    /// The body of OpenAPI 2.0: a parameter, or the fields of a form.
    private func body(_ nodes: [YAMLNode], _ operation: ReferringNode) -> BodyDescription? {
        guard let first = nodes.first else { return nil }
        let types = (operation.value(of: "consumes") ?? root.value(of: "consumes"))?.items ?? []
        if let whole = nodes.first(where: { $0.text(of: "in") == "body" }) {
            for other in nodes where other.span != whole.span {
                schemas.report.add(
                    .place, "\(other.text(of: "name") ?? "") beside a body", at: other.span)
            }
            let schema = whole.value(of: "schema")
            let contents = types.map { self.content($0.text, $0, schema: schema) }
            return BodyDescription(
                node: whole, isRequired: whole.value(of: "required")?.boolean == true,
                description: whole.text(of: "description"),
                contents: contents.isEmpty
                    ? [content("application/json", whole, schema: schema)] : contents)
        }
        var seen: Set<String> = []
        let nodes = nodes.filter { node in
            let name = node.text(of: "name") ?? ""
            let isNew = seen.insert(name).inserted
            if !isNew { schemas.report.add(.repeatedParameter, name, at: node.span) }
            return isNew
        }
        var parts = SchemaParts()
        parts.kinds = [.object]
        parts.properties = nodes.map { ($0.text(of: "name") ?? "", schemas.schema($0)) }
        parts.required = Set(
            nodes.filter { $0.value(of: "required")?.boolean == true }.map {
                $0.text(of: "name") ?? ""
            })
        let hasFile = nodes.contains { $0.text(of: "type") == "file" }
        let form = "application/x-www-form-urlencoded"
        let multipart = "multipart/form-data"
        let forms = types.filter { [form, multipart].contains(Self.plain($0.text)) }
        let isParts = hasFile || forms.first.map { Self.plain($0.text) } == multipart
        let type = isParts ? multipart : form
        var content = content(type, first)
        content.schema = SchemaDescription(first, parts)
        for node in nodes where node.text(of: "type") == "array" {
            content.encodings[node.text(of: "name") ?? ""] = EncodingDescription(
                style: "2.0 " + (node.text(of: "collectionFormat") ?? "csv"), span: node.span)
        }
        let others = forms.filter { Self.plain($0.text) != type }.map { self.content($0.text, $0) }
        return BodyDescription(node: first, isRequired: true, contents: [content] + others)
    }

    private func content(
        _ type: String, _ node: YAMLNode, schema: YAMLNode? = nil
    ) -> ContentDescription {
        let type = MediaRange(type)
        return ContentDescription(
            mediaType: type.essence, schema: schema.map(schemas.schema), encodings: [:],
            examples: [], span: node.span, parameters: type.parameters)
    }

    // MARK: Replies

    private func reply(_ entry: YAMLEntry, _ operation: ReferringNode) -> ReplyDescription {
        let node = resolved(entry.value)
        if let links = node.value(of: "links") {
            schemas.report.add(.webhook, "links", at: links.span)
        }
        let headers = entries("headers", of: node)
        let status = entry.key.text
        return ReplyDescription(
            node: node, status: status == "default" ? status : status.uppercased(),
            span: entry.key.span,
            description: node.text(of: "description"),
            contents: isTwo ? contents(ofTwo: node, operation) : contents(node),
            headers: headers.map { parameter(resolved($0.value), named: $0.key.text) })
    }

    /// The contents of a reply of OpenAPI 2.0: its schema in the first media type that is JSON.
    private func contents(
        ofTwo node: YAMLNode, _ operation: ReferringNode
    ) -> [ContentDescription] {
        guard let schema = node.value(of: "schema") else { return [] }
        let types = (operation.value(of: "produces") ?? root.value(of: "produces"))?.items ?? []
        let produced = types.map { Self.plain($0.text) }
        let type = produced.first { $0.hasSuffix("json") } ?? produced.first
        var contents = [content(type ?? "application/json", node, schema: schema)]
        contents[0].examples =
            entries("examples", of: node).filter { $0.key.text.hasSuffix("json") }
            .map { ("example", $0.value) }
        return contents
    }

    // MARK: Security

    private func security(_ node: YAMLNode?) -> [SecurityRequirement]? {
        node?.items.map { item in
            SecurityRequirement(
                schemes: item.entries.map(\.key.text),
                hasScopes: item.entries.contains { !$0.value.items.isEmpty })
        }
    }

    private func scheme(_ entry: YAMLEntry) -> SchemeDescription {
        let node = resolved(entry.value)
        let name = node.text(of: "name") ?? ""
        let place: SchemeDescription.Place? =
            switch (node.text(of: "type"), node.text(of: "in")) {
            case ("basic", _): .basic
            case ("http", _):
                switch node.text(of: "scheme")?.lowercased() {
                case "bearer": .bearer
                case "basic": .basic
                default: nil
                }
            case ("apiKey", "header") where !HeaderName.isValid(name): nil
            case ("apiKey", "cookie") where !HeaderName.isValid(name): nil
            case ("apiKey", _) where name.isEmpty: nil
            case ("apiKey", "header"): .header(name)
            case ("apiKey", "query"): .query(name)
            case ("apiKey", "cookie"): .cookie(name)
            case ("oauth2", _), ("openIdConnect", _): .bearer
            default: nil
            }
        return SchemeDescription(
            name: entry.key.text, place: place, description: node.text(of: "description"),
            span: entry.key.span)
    }
}

extension YAMLNode {
    /// The text of a key's value; nil if it is no text.
    func text(of key: String) -> String? {
        value(of: key).flatMap { $0.kind == .scalar && !$0.text.isEmpty ? $0.text : nil }
    }
}
