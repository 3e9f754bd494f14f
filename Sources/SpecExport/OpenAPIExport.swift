import SpecDiagnostics
import SpecIR
import SpecImport
import SpecSemantics
import SpecSyntax

/// Describes the API of a spec in OpenAPI 3.1.
///
/// What OpenAPI has no word for is under `x-telex`, where an import finds it: an import of the
/// description gives a spec with the same IR.
public struct OpenAPIExport {
    /// What of the spec is in `x-telex` alone.
    public private(set) var extras = ExtraMembers()
    private var root: [DraftEntry] = []
    private var responses: [DraftEntry] = []
    private var parameters = SharedParameters()

    /// Describes a spec.
    ///
    /// - Parameters:
    ///   - spec: The parsed spec.
    ///   - api: Its IR.
    ///   - sources: Where its files are.
    ///   - hasExtensions: Whether `x-telex` is written.
    public init(_ spec: Spec, api: API, sources: SourceMap, hasExtensions: Bool = true) {
        guard let source = ExportSource(spec, lowered: api, sources: sources) else { return }
        write(source)
        if !hasExtensions { root = root.withoutExtensions }
    }

    /// The description as YAML.
    public var yaml: String {
        var printer = YAMLPrinter()
        printer.print(root.withPortableTexts)
        return printer.text
    }

    /// The description as JSON.
    public var json: String { JSONText(root).rendered() + "\n" }

    // MARK: Parts

    private mutating func write(_ source: ExportSource) {
        let security = SecurityWriter(source)
        let servers = ServerWriter(source)
        var schemas = SchemaWriter(components: source.components)
        let models = self.models(source, &schemas)
        let paths = self.paths(source, security: security, servers: servers, schemas: &schemas)
        let tags = source.groups.map { tag($0, hasOrder: paths.order[$0.name] ?? []) }
        root = [DraftEntry("openapi", .text("3.1.0")), DraftEntry("info", .map(info(source)))]
        if let link = source.api.documentation.link {
            let url = DraftEntry("url", .text(link.value))
            root.append(DraftEntry("externalDocs", .map([url])))
        }
        root.append(DraftEntry("servers", .list(servers.all)))
        if !tags.isEmpty { root.append(DraftEntry("tags", .list(tags))) }
        if let needed = security.default { root.append(DraftEntry("security", needed)) }
        root.append(DraftEntry("paths", .block(paths.entries)))
        let components = [
            DraftEntry("schemas", .block(models)),
            DraftEntry("parameters", .block(parameters.entries)),
            DraftEntry("responses", .block(responses)),
            DraftEntry("securitySchemes", .block(security.schemes)),
        ].filter { $0.value != .block([]) }
        if !components.isEmpty { root.append(DraftEntry("components", .block(components))) }
        root.append(DraftEntry("x-telex", .block(members(source))))
        extras.add(schemas.extras)
    }

    private func info(_ source: ExportSource) -> [DraftEntry] {
        var entries = [DraftEntry("title", .text(source.api.name?.value ?? source.lowered.name))]
        if let text = source.api.documentation.text {
            entries.append(DraftEntry("description", .text(text.value)))
        }
        // A spec has no version, and OpenAPI requires one.
        return entries + [DraftEntry("version", .text("1"))]
    }

    /// `x-telex` of the description: the keys of `api.yaml`, and the templates.
    private mutating func members(_ source: ExportSource) -> [DraftEntry] {
        var entries = rest(of: source.node, besides: ["api", "doc", "link", "servers"])
        if !source.templates.isEmpty {
            extras.add("files", at: source.node.span)
            let files = source.templates.map { DraftEntry($0.path, .text($0.text)) }
            entries.append(DraftEntry("files", .block(files)))
        }
        return entries
    }

    /// The entries of a file or a method that no standard word says.
    private mutating func rest(of node: YAMLNode, besides said: Set<String>) -> [DraftEntry] {
        let rest = node.entries.filter { !said.contains($0.key.text) }
        for entry in rest { extras.add(entry.key.text, at: entry.key.span) }
        return rest.map { DraftEntry($0, keys: .marked) }
    }

    // MARK: Models

    private func models(_ source: ExportSource, _ schemas: inout SchemaWriter) -> [DraftEntry] {
        var entries: [DraftEntry] = []
        for group in source.groups {
            schemas.dates = source.dates(group.written.settings)
            let nodes = group.node.value(of: "models")
            for model in group.written.models where model.parameters.isEmpty {
                guard let key = source.components[model.name.value] else { continue }
                let node = nodes?.value(of: model.name.value)
                schemas.isSilent = node == nil || key != model.name.value
                let instance = group.expanded.models.first {
                    $0.name.value == model.name.value && !model.type.arguments.isEmpty
                        && $0.type.name == nil
                }
                let schema =
                    instance.map { schemas.schema(of: $0, writtenAs: model.type, node) }
                    ?? schemas.schema(model.type, node)
                entries.append(DraftEntry(key, schema))
            }
            // The uses of generic models.
            schemas.isSilent = true
            let names = Set(group.written.models.filter(\.parameters.isEmpty).map(\.name.value))
            for model in group.expanded.models where !names.contains(model.name.value) {
                guard let key = source.components[model.name.value] else { continue }
                entries.append(DraftEntry(key, schemas.schema(model.type)))
            }
            schemas.isSilent = false
        }
        return entries
    }

    // MARK: Groups

    private mutating func tag(
        _ group: ExportSource.Group, hasOrder order: [String]
    ) -> DraftValue {
        var entries = [DraftEntry("name", .text(group.name))]
        entries += group.written.documentation.entries
        var members = rest(of: group.node, besides: ["doc", "link", "methods", "models"])
        if group.written.path != group.name + ".yaml" {
            members.append(DraftEntry("file", .text(group.written.path)))
        }
        let names = group.methods.map(\.name)
        if names != order {
            let methods = group.methods.map { method in
                order.contains(method.name) ? .text(method.name) : whole(method)
            }
            members.append(DraftEntry("methods", .list(methods)))
        }
        let models = (group.node.value(of: "models")?.entries ?? []).map { entry -> DraftValue in
            // A generic model is no schema.
            let isSchema = ExportSource.isKey(entry.key.text)
            return isSchema ? .text(entry.key.text) : .map([DraftEntry(entry, keys: .marked)])
        }
        if !models.isEmpty { members.append(DraftEntry("models", .list(models))) }
        if !members.isEmpty { entries.append(DraftEntry("x-telex", .map(members))) }
        return .map(entries)
    }

    /// A method that no path can have.
    private mutating func whole(_ method: ExportSource.Method) -> DraftValue {
        extras.add("method", at: method.node.span)
        let value = DraftValue(method.node, keys: .marked)
        return .map([DraftEntry(method.written.name.value, value)])
    }

    // MARK: Paths

    private mutating func paths(
        _ source: ExportSource, security: SecurityWriter, servers: ServerWriter,
        schemas: inout SchemaWriter
    ) -> (entries: [DraftEntry], order: [String: [String]]) {
        var paths = PathTable()
        for group in source.groups {
            for method in group.methods where method.expanded.verb?.value.isKey == true {
                var writer = OperationWriter(
                    source: source, group: group, method: method, schemas: schemas,
                    parameters: parameters)
                var errors = ErrorWriter(
                    source, group: group, method: method, components: source.components)
                let place = paths.place(of: method)
                writer.write(
                    security: security.needed(by: method.lowered), servers: servers,
                    errors: errors.responses(), at: place)
                paths.add(writer.entries, at: place, group: group.name, name: method.name)
                parameters = writer.parameters
                schemas = writer.schemas
                extras.add(writer.extras)
                for response in errors.shared
                where !responses.contains(where: { $0.key == response.key }) {
                    responses.append(response)
                }
            }
        }
        return (paths.entries, paths.order)
    }
}

/// The parameters of the API and of groups, which operations refer to.
struct SharedParameters {
    private(set) var entries: [DraftEntry] = []
    private var keys: [String: String] = [:]

    /// A reference to a parameter.
    ///
    /// - Parameters:
    ///   - owner: The group; empty for the API.
    ///   - write: Makes the parameter.
    mutating func reference(
        _ parameter: ParameterSyntax, of owner: String, _ write: () -> DraftValue
    ) -> DraftValue {
        let identity = "\(owner) \(parameter.identity)"
        if keys[identity] == nil {
            let taken = Set(entries.map(\.key))
            let name = parameter.sentKey.value
            let isFree = ExportSource.isKey(name) && !taken.contains(name)
            let key = isFree ? name : ExportSource.key("\(owner) \(name)", among: taken)
            keys[identity] = key
            entries.append(DraftEntry(key, write()))
        }
        let key = keys[identity] ?? ""
        return .map([DraftEntry("$ref", .text("#/components/parameters/\(key)"))])
    }
}

/// The operations by path. OpenAPI has one operation for a path and a verb, and takes paths for the
/// same that differ in the names of placeholders alone. A further one has its name as a fragment,
/// which no request sends.
struct PathTable {
    /// The place of an operation.
    struct Place {
        let path: String
        let verb: String
    }

    private var paths: [String] = []
    private var operations: [String: [DraftEntry]] = [:]
    private var spellings: [String: String] = [:]
    private var names: [String: [(group: String, name: String)]] = [:]

    /// A free place for a method.
    mutating func place(of method: ExportSource.Method) -> Place {
        let path = "/" + method.lowered.path.replacing("{+", with: "{")
        let verb = method.lowered.verb.rawValue
        let shape = path.replacing(#/\{[^}]*\}/#, with: "{}")
        let isFree =
            spellings[shape, default: path] == path
            && operations[path]?.contains { $0.key == verb } != true
        if isFree { spellings[shape] = path }
        return Place(path: isFree ? path : "\(path)#\(method.name)", verb: verb)
    }

    mutating func add(_ entries: [DraftEntry], at place: Place, group: String, name: String) {
        if operations[place.path] == nil { paths.append(place.path) }
        operations[place.path, default: []].append(DraftEntry(place.verb, .map(entries)))
        names[place.path, default: []].append((group, name))
    }

    /// The path items.
    var entries: [DraftEntry] {
        paths.map { DraftEntry($0, .block(operations[$0] ?? [])) }
    }

    /// The names of each group's methods, in the order of the document.
    var order: [String: [String]] {
        paths.flatMap { names[$0] ?? [] }.reduce(into: [:]) { order, item in
            order[item.group, default: []].append(item.name)
        }
    }
}
