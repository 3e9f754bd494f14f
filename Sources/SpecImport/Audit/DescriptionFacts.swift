import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The operations of a description, read without the translator, so that neither repeats a mistake
/// of the other.
final class DescriptionFacts {
    let references: DescribedReferences
    let schemas: DescribedSchemas
    /// The files that are descriptions.
    let roots: [YAMLNode]
    /// The operations that are imported.
    private(set) var operations: [DescribedOperation] = []

    private static let verbs: Set<String> = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ]

    init(_ files: [(file: SourceFile, root: YAMLNode)], _ selection: OperationSelection) {
        references = DescribedReferences(files)
        let all = files.map(\.root)
        roots = all.filter { $0.value(of: "openapi") != nil || $0.value(of: "swagger") != nil }
        schemas = DescribedSchemas(references, all)
        for root in roots {
            for key in ["paths", "x-ms-paths"] {
                for path in root.value(of: key)?.entries ?? [] where !isExtension(path.key) {
                    add(path, of: root, selection)
                }
            }
        }
    }

    private func isExtension(_ key: YAMLNode) -> Bool { key.text.hasPrefix("x-") }

    private func add(_ path: YAMLEntry, of root: YAMLNode, _ selection: OperationSelection) {
        let item = references.resolved(path.value)
        let others = item.value(of: "additionalOperations")?.entries ?? []
        for entry in item.entries.filter({ Self.verbs.contains($0.key.text) }) + others {
            let node = references.resolved(entry.value)
            let tags = node.value(of: "tags")?.items.map(\.text) ?? []
            let id = node.value(of: "operationId")?.text
            guard selection.accepts(path: path.key.text, tags: tags, id: id) else { continue }
            operations.append(
                DescribedOperation(
                    verb: entry.key.text, path: path.key.text, node: node, key: entry.key.span,
                    pathKey: path.key.span, item: item, root: root))
        }
    }

    // MARK: Parameters

    /// The parameters of an operation, its own in place of those of its path.
    func parameters(of operation: DescribedOperation) -> [DescribedParameter] {
        var all: [DescribedParameter] = []
        for owner in [operation.item, operation.node] {
            for node in owner.value(of: "parameters")?.items ?? [] {
                let parameter = parameter(references.chain(node), operation)
                all.removeAll { $0.place == parameter.place && $0.name == parameter.name }
                all.append(parameter)
            }
        }
        return all
    }

    private func parameter(
        _ chain: [YAMLNode], _ operation: DescribedOperation
    ) -> DescribedParameter {
        let node = chain[chain.count - 1]
        let text = { (key: String) in node.value(of: key)?.text }
        var parameter = DescribedParameter(
            node: node, spans: chain.map(\.span), place: text("in") ?? "", name: text("name") ?? "")
        let content = node.value(of: "content")?.entries.first
        let schema = content?.value.value(of: "schema") ?? node.value(of: "schema")
        if let schema = schema ?? (operation.isTwo ? node : nil) {
            parameter.schema = .one(.init(yaml: schema))
        }
        parameter.isRequired =
            node.value(of: "required")?.boolean == true || parameter.place == "path"
        if let content {
            parameter.style = MediaClass(content.key.text) == .json ? .json : nil
            parameter.isPlainContent = parameter.style == nil
        } else if operation.isTwo {
            parameter.style = Self.style(collection: text("collectionFormat"))
        } else {
            parameter.style = Self.style(
                text("style"), explode: node.value(of: "explode")?.boolean)
        }
        parameter.isDeep = text("style") == "deepObject"
        return parameter
    }

    /// The style of a list; nil for one that is not compared.
    static func style(_ style: String?, explode: Bool?) -> ListStyle? {
        switch style {
        case "spaceDelimited": explode == true ? .repeated : .joined(" ")
        case "pipeDelimited": explode == true ? .repeated : .joined("|")
        case nil, "form": explode == false ? .joined(",") : .repeated
        default: nil
        }
    }

    private static func style(collection: String?) -> ListStyle? {
        switch collection {
        case "ssv": .joined(" ")
        case "tsv": .joined("\t")
        case "pipes": .joined("|")
        case "multi": .repeated
        case nil, "csv": .joined(",")
        default: nil
        }
    }

    // MARK: Contents

    /// The request body; nil without one.
    func body(of operation: DescribedOperation) -> DescribedBody? {
        guard operation.isTwo else {
            guard let node = operation.node.value(of: "requestBody") else { return nil }
            let chain = references.chain(node)
            let body = chain[chain.count - 1]
            return DescribedBody(
                isRequired: body.value(of: "required")?.boolean == true,
                spans: chain.map(\.span), contents: contents(body))
        }
        let parameters = parameters(of: operation)
        let types = operation.list("consumes").map { MediaClass($0) }
        if let body = parameters.first(where: { $0.place == "body" }) {
            let media = types.contains(.json) ? .json : types.first ?? .json
            return DescribedBody(
                isRequired: body.isRequired, spans: body.spans,
                contents: [
                    DescribedContent(media: media, schema: body.schema, span: body.node.span)
                ])
        }
        let fields = parameters.filter { $0.place == "formData" }
        guard let first = fields.first else { return nil }
        let hasFile = fields.contains { $0.node.value(of: "type")?.text == "file" }
        let isMultipart = hasFile || types.first == .multipart
        var content = DescribedContent(
            media: isMultipart ? .multipart : .form, schema: nil, span: first.node.span)
        content.fields = fields
        return DescribedBody(isRequired: true, spans: [], contents: [content])
    }

    private func contents(_ node: YAMLNode) -> [DescribedContent] {
        (node.value(of: "content")?.entries ?? []).map { entry in
            let media = references.resolved(entry.value)
            let schema = media.value(of: "schema") ?? element(of: media, entry.key.text)
            return DescribedContent(
                media: MediaClass(entry.key.text),
                schema: schema.map { .one(.init(yaml: $0)) }, span: entry.key.span,
                encoding: media.value(of: "encoding"))
        }
    }

    /// What `itemSchema` says of the elements of a stream; nil where events differ in their data.
    private func element(of media: YAMLNode, _ type: String) -> YAMLNode? {
        let item = media.value(of: "itemSchema")
        guard type.lowercased().hasPrefix("text/event-stream"), let item else { return item }
        let event = references.resolved(item)
        let isComposed = ["allOf", "oneOf", "anyOf"].contains { event.value(of: $0) != nil }
        if isComposed { return nil }
        guard let data = event.value(of: "properties")?.value(of: "data") else { return item }
        let isText = references.resolved(data).value(of: "type")?.text == "string"
        return data.value(of: "contentSchema") ?? (isText ? nil : data)
    }

    /// The successful replies by status.
    func replies(of operation: DescribedOperation) -> [DescribedReply] {
        let all = operation.node.value(of: "responses")?.entries ?? []
        let exact = all.filter { $0.key.text.count == 3 && $0.key.text.first == "2" }
        let hasRedirect = all.contains { $0.key.text.first == "3" }
        let found =
            exact.isEmpty && !hasRedirect ? all.filter { $0.key.text == "default" } : exact
        return found.map { entry in
            let chain = references.chain(entry.value)
            let node = chain[chain.count - 1]
            var contents = contents(node)
            if operation.isTwo, let schema = node.value(of: "schema") {
                let types = operation.list("produces").map { MediaClass($0) }
                let media = types.contains(.json) ? .json : types.first ?? .json
                contents = [
                    DescribedContent(
                        media: media, schema: .one(.init(yaml: schema)), span: node.span)
                ]
            }
            return DescribedReply(
                status: entry.key.text, key: entry.key.span, spans: chain.map(\.span),
                contents: contents)
        }
    }
}

/// An operation of a description.
struct DescribedOperation {
    let verb: String
    let path: String
    let node: YAMLNode
    /// The place of its verb.
    let key: Span
    /// The place of its path.
    let pathKey: Span
    /// The path item.
    let item: YAMLNode
    /// The file that describes the API.
    let root: YAMLNode

    /// Its first tag; empty without one.
    var tag: String { node.value(of: "tags")?.items.first?.text ?? "" }

    /// Whether the description is in OpenAPI 2.0.
    var isTwo: Bool { root.value(of: "swagger") != nil }

    /// The texts of a list that the operation may replace.
    func list(_ key: String) -> [String] {
        (node.value(of: key) ?? root.value(of: key))?.items.map(\.text) ?? []
    }
}

/// A parameter of an operation.
struct DescribedParameter {
    let node: YAMLNode
    let spans: [Span]
    let place: String
    let name: String
    var schema: FactPlace<DescribedSchemas.Node>?
    var isRequired = false
    /// How a list is sent; nil where it is not compared.
    var style: ListStyle?
    /// Whether it has a media type other than JSON.
    var isPlainContent = false
    /// Whether the keys of objects and lists are in brackets.
    var isDeep = false
}

/// A request body.
struct DescribedBody {
    let isRequired: Bool
    let spans: [Span]
    let contents: [DescribedContent]
}

/// The content of a body with one media type.
struct DescribedContent {
    let media: MediaClass
    let schema: FactPlace<DescribedSchemas.Node>?
    let span: Span
    var encoding: YAMLNode?
    /// The fields of a form of OpenAPI 2.0.
    var fields: [DescribedParameter] = []
}

/// A reply with a status.
struct DescribedReply {
    let status: String
    let key: Span
    let spans: [Span]
    let contents: [DescribedContent]
}

/// What media types have in common.
enum MediaClass {
    case json, form, multipart, stream, text, other

    init(_ text: String) {
        let type = text.prefix { $0 != ";" }.lowercased().trimmed
        switch type {
        case "application/json", "text/json", "*/*", "application/*": self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "multipart/form-data": self = .multipart
        case "text/event-stream", "application/jsonl", "application/x-ndjson",
            "application/json-lines", "application/json-seq":
            self = .stream
        default:
            self = type.hasSuffix("+json") ? .json : type.hasPrefix("text/") ? .text : .other
        }
    }
}
