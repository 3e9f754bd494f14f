import SpecDiagnostics
import SpecSyntax

/// Translates the errors of all operations: what most of them share belongs to the API.
final class ErrorTranslator {
    private let types: TypeTranslator
    private let schemas: SchemaReader
    /// What is common to the errors: `at`, `code`, `message`, `model`; nil without errors that have
    /// a shape.
    private var shared: [DraftEntry]?
    private var model: String?
    /// The key that is true in each success and false in each error.
    private(set) var successKey: String?
    private var cases: [(status: Int, name: String, model: String?)] = []

    private static let names = [
        400: "badRequest", 401: "unauthorized", 402: "paymentRequired", 403: "forbidden",
        404: "notFound", 405: "methodNotAllowed", 406: "notAcceptable", 408: "requestTimeout",
        409: "conflict", 410: "gone", 412: "preconditionFailed", 413: "contentTooLarge",
        415: "unsupportedMediaType", 422: "unprocessableContent", 423: "locked",
        424: "failedDependency", 429: "tooManyRequests", 500: "serverError", 501: "notImplemented",
        502: "badGateway", 503: "unavailable", 504: "gatewayTimeout",
    ]

    init(_ api: OpenAPIDescription, _ types: TypeTranslator) {
        self.types = types
        schemas = types.schemas
        var counts: [String: Int] = [:]
        var references: [String: SchemaDescription] = [:]
        var byStatus: [Int: [String: Int]] = [:]
        for reply in api.operations.flatMap(\.failures) {
            guard let schema = object(of: reply), let key = key(of: schema) else { continue }
            counts[key, default: 0] += 1
            references[key] = references[key] ?? schema
            if let status = Int(reply.status) {
                byStatus[status, default: [:]][key, default: 0] += 1
            }
        }
        successKey = sign(of: api)
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let most, let schema = references[most.key] else {
            if successKey != nil, let code = codeKey(of: api) {
                shared = [DraftEntry("code", .text(code))]
            }
            return
        }
        share(schema)
        let least = max(2, api.operations.count / 10)
        for (status, found) in byStatus.sorted(by: { $0.key < $1.key }) {
            guard let own = found.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
                found.values.reduce(0, +) >= least, let schema = references[own.key]
            else { continue }
            let name = errorModel(schema).name
            cases.append((status, Self.name(of: status), name == model ? nil : name))
        }
    }

    private static func name(of status: Int) -> String { names[status] ?? "status\(status)" }

    /// The schema of an error that is an object with fields.
    private func object(of reply: ReplyDescription) -> SchemaDescription? {
        guard let content = reply.chosen, content.mediaType.isJSON, let schema = content.schema,
            let target = schemas.target(schema), target.parts.alternatives == nil,
            target.parts.values == nil, schemas.facts(schema).object != nil
        else { return nil }
        return schema
    }

    /// What tells the models of errors apart: where a model is declared, or what it is composed of.
    /// Objects that are written out at an operation have none.
    private func key(of schema: SchemaDescription) -> String? {
        if let reference = reference(of: schema) { return reference.key }
        return schema.parts.all.isEmpty ? nil : text(of: schema)
    }

    /// The last of the references that lead to an object: an alias is no model of errors.
    private func reference(of schema: SchemaDescription) -> Reference? {
        var (found, schema): (Reference?, SchemaDescription) = (nil, schema)
        for _ in 0..<50 {
            guard let next = schema.reference ?? schemas.wrapped(schema)?.reference else { break }
            (found, schema) = (next, schemas.schema(next))
        }
        return found
    }

    private func text(of schema: SchemaDescription) -> String {
        "\(schema.span.file) \(TypeTranslator.shown(schema.node))"
    }

    /// The name of an object's model, which is declared unless it is one already.
    private func modelName(_ schema: SchemaDescription, named name: String) -> String {
        if let reference = reference(of: schema) { return types.name(of: reference) }
        let text = text(of: schema)
        if let known = declared[text] { return known }
        let name = types.declare(schema, named: name)
        declared[text] = name
        return name
    }

    /// The models of objects without a name, by what they consist of.
    private var declared: [String: String] = [:]

    // MARK: A sign of success

    /// The Boolean that tells a success from an error in nearly all operations.
    private func sign(of api: OpenAPIDescription) -> String? {
        var counts: [String: Int] = [:]
        for operation in api.operations {
            let failures = operation.failures.compactMap(object).map { schemas.flat($0) }
            guard let success = operation.replies.first(where: { $0.status.first == "2" }),
                let schema = object(of: success)
            else { continue }
            let flat = schemas.flat(schema)
            for (name, _) in flat.properties
            where isAlways(true, key: name, object: flat)
                && failures.contains(where: { isAlways(false, key: name, object: $0) })
            {
                counts[name, default: 0] += 1
            }
        }
        let most = counts.max { $0.value < $1.value }
        return most.flatMap { $0.value * 10 >= api.operations.count * 9 ? $0.key : nil }
    }

    private func isAlways(_ value: Bool, key: String, object: FlatObject) -> Bool {
        guard let property = object[key], let values = schemas.target(property)?.parts.values else {
            return false
        }
        return values.count == 1 && values[0].boolean == value
    }

    /// The key of a text that most errors have.
    private func codeKey(of api: OpenAPIDescription) -> String? {
        let objects = api.operations.flatMap(\.failures).compactMap(object).map {
            schemas.flat($0)
        }
        return ["error", "code", "error_code"].first { name in
            objects.count { $0[name].map { schemas.facts($0).shapes == [.string] } == true } * 2
                > objects.count
        }
    }

    // MARK: The API's

    private func share(_ schema: SchemaDescription) {
        let (name, at, object) = errorModel(schema)
        model = name
        var entries: [DraftEntry] = []
        if let at { entries.append(DraftEntry("at", .text(at))) }
        if let code = key(
            in: object, among: ["code", "error_code", "errorCode"], [.string, .number])
        {
            entries.append(DraftEntry("code", .text(code)))
        }
        let messages = ["message", "error_description", "detail", "description", "title", "error"]
        if let message = key(in: object, among: messages, [.string]) {
            entries.append(DraftEntry("message", .text(message)))
        }
        entries.append(DraftEntry("model", .text(name)))
        shared = entries
    }

    private func key(
        in object: FlatObject, among names: [String], _ shapes: Set<SchemaFacts.Shape>
    ) -> String? {
        names.first { name in
            guard let property = object[name] else { return false }
            let found = schemas.facts(property).shapes
            return !found.isEmpty && found.isSubset(of: shapes)
        }
    }

    /// The model of the error object: what the only key `error` has, or the whole body.
    private func errorModel(
        _ schema: SchemaDescription
    ) -> (name: String, at: String?, object: FlatObject) {
        let flat = schemas.flat(schema)
        if let inner = flat["error"], let object = schemas.facts(inner).object,
            schemas.target(inner)?.parts.alternatives == nil
        {
            let outer = schema.reference?.name ?? "Error"
            return (modelName(inner, named: outer + "Detail"), "error", object)
        }
        return (modelName(schema, named: "ErrorReply"), nil, flat)
    }

    /// The value of `errors` in `api.yaml`.
    var settings: [DraftEntry]? {
        guard let shared else { return nil }
        let list = cases.map { DraftEntry($0.name, value($0.status, $0.model)) }
        return shared + (list.isEmpty ? [] : [DraftEntry("cases", .map(list))])
    }

    private func value(_ status: Int, _ model: String?) -> DraftValue {
        let entries = [DraftEntry("status", .word("\(status)"))]
        return .map(entries + (model.map { [DraftEntry("model", .text($0))] } ?? []))
    }

    // MARK: A method's

    /// The `errors` of a method whose errors differ from those of the API.
    func entry(of operation: OperationDescription) -> DraftEntry? {
        var own: [DraftEntry] = []
        for reply in operation.failures
        where reply.contents.contains(where: { $0.schema != nil }) {
            guard model != nil, let schema = object(of: reply), key(of: schema) != nil else {
                types.lose(.errorModel, "status \(reply.status)", at: reply.node.span)
                continue
            }
            let (name, at, _) = errorModel(schema)
            guard let status = Int(reply.status) else {
                if name != model {
                    types.lose(.errorModel, "status \(reply.status)", at: reply.node.span)
                }
                continue
            }
            let usual = cases.first { $0.status == status }
            guard name != usual?.model ?? model else { continue }
            let isSamePlace = at.map { DraftValue.text($0) } == shared?["at"]
            guard isSamePlace else {
                types.lose(.errorModel, "status \(reply.status)", at: reply.node.span)
                continue
            }
            own.append(DraftEntry(Self.name(of: status), value(status, name)))
        }
        return own.isEmpty ? nil : DraftEntry("errors", .map([DraftEntry("cases", .map(own))]))
    }
}
