import SpecDiagnostics
import SpecSyntax

/// Reads the schema of the VK API (github.com/VKCOM/vk-api-schema): `methods.json` of each group,
/// the files that it refers to, and `errors.json`.
struct VKReader {
    private let schemas: SchemaReader
    private let selection: OperationSelection

    /// Beginnings of the names of methods that change nothing.
    private static let reading = ["get", "search", "is", "are", "check", "resolve"]

    init(_ schemas: SchemaReader, _ selection: OperationSelection) {
        self.schemas = schemas
        self.selection = selection
        // They say what a value is about, and nothing about its form.
        schemas.silentKeys = ["entity"]
        schemas.silentKeysBesideReference = ["name", "type", "required", "entity", "format"]
    }

    /// Whether a file has methods or errors of the API.
    static func isDescription(_ root: YAMLNode) -> Bool {
        root.value(of: "methods")?.kind == .sequence || root.value(of: "errors")?.kind == .mapping
    }

    /// The whole API of the files that have a part of it.
    func read(_ roots: [YAMLNode]) -> OpenAPIDescription {
        var api = OpenAPIDescription()
        api.title = "VK"
        if let span = roots.first?.span {
            api.servers = [ServerDescription(url: "https://api.vk.com/method/", span: span)]
        }
        var cases: [(code: String, name: String, doc: String?)] = []
        for root in roots {
            for node in root.value(of: "methods")?.items ?? [] { read(node, into: &api) }
            cases += root.value(of: "errors")?.entries.compactMap(errorCase) ?? []
        }
        let version = roots.lazy.compactMap { $0.text(of: "version") }.first ?? "5.199"
        api.settings = settings(version: version, cases)
        return api
    }

    // MARK: Settings

    private func settings(
        version: String, _ cases: [(code: String, name: String, doc: String?)]
    ) -> [DraftEntry] {
        let token: [DraftEntry] = [
            DraftEntry(
                "token",
                .map([DraftEntry("in", .text("query")), DraftEntry("name", .text("access_token"))])),
            DraftEntry("expired", .map([DraftEntry("error", .word("5"))])),
        ]
        var errors = [
            DraftEntry("at", .text("error")), DraftEntry("code", .text("error_code")),
            DraftEntry("message", .text("error_msg")),
        ]
        var seen: Set<String> = []
        let known = cases.filter { seen.insert($0.code).inserted }
            .sorted { (Int($0.code) ?? 0) < (Int($1.code) ?? 0) }
            .map { entry in
                let doc = DraftEntry("doc", text: entry.doc?.cleaned)
                let code = DraftEntry("code", .word(entry.code))
                return DraftEntry(
                    entry.name, doc.map { .map([code, $0]) } ?? .word(entry.code))
            }
        if !known.isEmpty { errors.append(DraftEntry("cases", .block(known))) }
        return [
            DraftEntry(
                "parameters", .map([DraftEntry("v", .map([DraftEntry("const", .text(version))]))])),
            DraftEntry("auth", .block([DraftEntry("account", .map(token))])),
            DraftEntry("success", .map([DraftEntry("absent", .text("error"))])),
            DraftEntry("unwrap", .text("response")),
            DraftEntry("errors", .block(errors)),
        ]
    }

    /// `api_error_auth: { code: 5, description: … }`
    private func errorCase(_ entry: YAMLEntry) -> (code: String, name: String, doc: String?)? {
        let prefix = "api_error_"
        let key = entry.key.text
        let words = key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
        guard let code = entry.value.text(of: "code"), Int(code) != nil,
            let name = ImportNames.errorCase(words)
        else { return nil }
        return (code, name, entry.value.text(of: "description"))
    }

    // MARK: Methods

    /// A method, and one for each further shape of its replies.
    private func read(_ node: YAMLNode, into api: inout OpenAPIDescription) {
        guard let name = node.text(of: "name") else { return }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2,
            selection.accepts(path: "/" + name, tags: [parts[0]], id: parts[1])
        else { return }
        let replies = node.value(of: "responses")?.entries ?? []
        let first = replies.first { $0.key.text == "response" } ?? replies.first
        let further = replies.filter { $0.key.text != first?.key.text }
        let options = further.map { Self.option(of: $0.key.text) }
        if let first {
            api.operations.append(
                operation(node, name: parts, suffix: "", reply: first.value, without: Set(options)))
        }
        for (entry, option) in zip(further, options) {
            api.operations.append(
                operation(
                    node, name: parts, suffix: "_" + option, reply: entry.value,
                    without: Set(options).subtracting([option]),
                    needs: option))
        }
    }

    /// What the key of a reply is about: `extended` of `extendedResponse`, which is also the
    /// parameter that asks for it.
    private static func option(of key: String) -> String {
        var text = ""
        for scalar in key.replacing("Response", with: "").unicodeScalars {
            if scalar.properties.isUppercase { text += "_" }
            text += String(scalar).lowercased()
        }
        return text.split(separator: "_").joined(separator: "_")
    }

    private func operation(
        _ node: YAMLNode, name: [String], suffix: String, reply: YAMLNode,
        without others: Set<String>, needs option: String? = nil
    ) -> OperationDescription {
        let verb = Self.reading.contains { name[1].hasPrefix($0) } ? "get" : "post"
        let parameters = (node.value(of: "parameters")?.items ?? []).filter {
            !others.contains($0.text(of: "name") ?? "")
        }
        let isNeeded = { (parameter: YAMLNode) in
            parameter.value(of: "required")?.boolean == true
                || option != nil && parameter.text(of: "name") == option
        }
        return OperationDescription(
            node: node, path: "/" + name.joined(separator: "."), verb: verb,
            id: name[1] + suffix, tags: [name[0]], description: node.text(of: "description"),
            isDeprecated: node.value(of: "deprecated")?.boolean == true,
            parameters: verb == "get" ? parameters.map { parameter($0, isNeeded($0)) } : [],
            body: verb == "get" ? nil : form(parameters, method: node, isNeeded),
            replies: [self.reply(reply)], servers: [])
    }

    private func parameter(_ node: YAMLNode, _ isRequired: Bool) -> ParameterDescription {
        ParameterDescription(
            node: node, name: node.text(of: "name") ?? "", location: "query",
            isRequired: isRequired, description: node.text(of: "description"),
            isDeprecated: false, schema: schemas.schema(node),
            style: Self.isList(node) ? "2.0 csv" : nil, examples: [])
    }

    private func form(
        _ nodes: [YAMLNode], method: YAMLNode, _ isRequired: (YAMLNode) -> Bool
    ) -> BodyDescription? {
        guard let first = nodes.first else { return nil }
        var parts = SchemaParts()
        parts.kinds = [.object]
        parts.properties = nodes.map { ($0.text(of: "name") ?? "", schemas.schema($0)) }
        parts.required = Set(nodes.filter(isRequired).map { $0.text(of: "name") ?? "" })
        var encodings: [String: EncodingDescription] = [:]
        for node in nodes where Self.isList(node) {
            encodings[node.text(of: "name") ?? ""] = EncodingDescription(
                style: "2.0 csv", span: node.span)
        }
        let content = ContentDescription(
            mediaType: "application/x-www-form-urlencoded",
            schema: SchemaDescription(first, parts), encodings: encodings, examples: [],
            span: first.span)
        return BodyDescription(node: first, isRequired: true, contents: [content])
    }

    private static func isList(_ node: YAMLNode) -> Bool { node.text(of: "type") == "array" }

    /// A reply: the envelope has its value under `response`.
    private func reply(_ node: YAMLNode) -> ReplyDescription {
        let envelope = schemas.files.resolved(node)
        let value = envelope.value(of: "properties")?.value(of: "response") ?? envelope
        let content = ContentDescription(
            mediaType: "application/json", schema: schemas.schema(value), encodings: [:],
            examples: [], span: node.span)
        return ReplyDescription(
            node: envelope, status: "200", span: node.span, contents: [content], headers: [])
    }
}
