import SpecDiagnostics
import SpecSyntax

/// Finds the keys of a description that the import does not read, schemas apart.
struct UnreadKeys {
    /// An object of OpenAPI.
    private enum Kind {
        case document, info, server, variable, path, operation, parameter, body, media, encoding
        case response, components, scheme, tag
    }

    /// The keys that are read, and those that say nothing about the API.
    private static let known: [Kind: Set<String>] = [
        .document: [
            "openapi", "swagger", "$self", "jsonSchemaDialect", "info", "servers", "host",
            "basePath", "schemes", "consumes", "produces", "paths", "x-ms-paths", "webhooks",
            "components", "definitions", "parameters", "responses", "securityDefinitions",
            "security", "tags", "externalDocs",
        ],
        .info: [
            "title", "summary", "description", "version", "termsOfService", "contact", "license",
        ],
        .server: ["url", "name", "description", "variables"],
        .variable: ["default", "enum", "description"],
        .path: [
            "$ref", "summary", "description", "servers", "parameters", "additionalOperations",
            "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
        ],
        .operation: [
            "$ref", "tags", "summary", "description", "externalDocs", "operationId", "parameters",
            "requestBody", "responses", "callbacks", "deprecated", "security", "servers",
            "consumes", "produces", "schemes",
        ],
        .parameter: [
            "$ref", "name", "in", "description", "required", "deprecated", "allowEmptyValue",
            "style", "explode", "allowReserved", "schema", "content", "example", "examples",
        ],
        .body: ["$ref", "summary", "description", "content", "required"],
        .media: ["$ref", "schema", "itemSchema", "example", "examples", "encoding"],
        .encoding: ["style", "explode", "contentType"],
        .response: [
            "$ref", "summary", "description", "headers", "content", "links", "schema", "examples",
        ],
        .components: [
            "schemas", "responses", "parameters", "examples", "requestBodies", "headers",
            "securitySchemes", "links", "callbacks", "pathItems", "mediaTypes",
        ],
        .scheme: [
            "$ref", "type", "description", "name", "in", "scheme", "bearerFormat", "flows", "flow",
            "authorizationUrl", "tokenUrl", "scopes", "openIdConnectUrl", "oauth2MetadataUrl",
            "deprecated",
        ],
        .tag: ["name", "summary", "description", "externalDocs", "parent", "kind"],
    ]

    private let description: DescriptionFacts
    private var seen: Set<Span>
    private var seenObjects: Set<Span> = []
    private var losses: [ImportReport.Loss] = []

    /// The losses that the report does not have yet.
    static func losses(
        of description: DescriptionFacts, _ report: ImportReport
    ) -> [ImportReport.Loss] {
        var keys = Self(description: description, seen: Set(report.losses.map(\.span)))
        for root in description.roots { keys.read(document: root) }
        for operation in description.operations { keys.read(operation) }
        return keys.losses
    }

    private mutating func read(document root: YAMLNode) {
        check(root, as: .document)
        check(root.value(of: "info"), as: .info)
        readServers(of: root)
        for tag in root.value(of: "tags")?.items ?? [] { check(tag, as: .tag) }
        let components = root.value(of: "components")
        check(components, as: .components)
        let schemes =
            components?.value(of: "securitySchemes") ?? root.value(of: "securityDefinitions")
        for scheme in schemes?.entries ?? [] { check(scheme.value, as: .scheme) }
    }

    private mutating func readServers(of owner: YAMLNode) {
        for server in owner.value(of: "servers")?.items ?? [] {
            check(server, as: .server)
            for variable in server.value(of: "variables")?.entries ?? [] {
                check(variable.value, as: .variable)
            }
        }
    }

    private mutating func read(_ operation: DescribedOperation) {
        check(operation.item, as: .path)
        check(operation.node, as: .operation)
        readServers(of: operation.item)
        readServers(of: operation.node)
        if !operation.isTwo {
            // A parameter of OpenAPI 2.0 is a schema, too.
            for owner in [operation.item, operation.node] {
                for parameter in owner.value(of: "parameters")?.items ?? [] {
                    readParameter(parameter)
                }
            }
        }
        if let body = check(operation.node.value(of: "requestBody"), as: .body) {
            readContents(of: body)
        }
        for response in operation.node.value(of: "responses")?.entries ?? [] {
            guard let response = check(response.value, as: .response) else { continue }
            readContents(of: response)
            if operation.isTwo { continue }
            for header in response.value(of: "headers")?.entries ?? [] {
                readParameter(header.value)
            }
        }
    }

    private mutating func readParameter(_ node: YAMLNode) {
        if let parameter = check(node, as: .parameter) { readContents(of: parameter) }
    }

    private mutating func readContents(of owner: YAMLNode) {
        for entry in owner.value(of: "content")?.entries ?? [] {
            guard let media = check(entry.value, as: .media) else { continue }
            for encoding in media.value(of: "encoding")?.entries ?? [] {
                check(encoding.value, as: .encoding)
            }
        }
    }

    /// Checks the keys of an object, and returns it if it is met for the first time.
    @discardableResult
    private mutating func check(_ node: YAMLNode?, as kind: Kind) -> YAMLNode? {
        guard let node = node.map(description.references.resolved),
            seenObjects.insert(node.span).inserted
        else { return nil }
        let known = Self.known[kind] ?? []
        for entry in node.entries where !known.contains(entry.key.text) {
            let (key, span) = (entry.key.text, entry.key.span)
            guard !seen.contains(span), !seen.contains(entry.value.span) else { continue }
            let isOfOpenAPI = Self.known.values.contains { $0.contains(key) }
            let kind: ImportReport.Kind =
                key.hasPrefix("x-") ? .extensionKey : isOfOpenAPI ? .unreadKey : .unknownKey
            losses.append(ImportReport.Loss(kind: kind, detail: key, span: span))
        }
        return node
    }
}
