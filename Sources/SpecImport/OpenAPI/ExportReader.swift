import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Reads a description that `telex export openapi` wrote, and makes the spec that it was made of.
///
/// Such a description says what other importers guess: the files of groups and models, and under
/// `x-telex` all that OpenAPI has no word for.
struct ExportReader {
    private let root: YAMLNode
    private let options: DescriptionImport.Options
    private let schemas: SchemaReader
    let types: ExportedTypes
    private var operations: [String: [(id: String, key: String, method: DraftMethod)]] = [:]
    private var order: [String] = []
    private var models: Set<String> = []
    private var names: Set<String> = []
    /// The numbers of methods and models.
    private(set) var counts = (methods: 0, models: 0)

    init(_ root: YAMLNode, schemas: SchemaReader, options: DescriptionImport.Options) {
        self.root = root
        self.options = options
        self.schemas = schemas
        schemas.readsExtension = true
        types = ExportedTypes(TypeTranslator(schemas, taken: [], prefix: ""))
    }

    /// Whether Telex wrote a description.
    static func isExport(_ root: YAMLNode) -> Bool {
        root.value(of: "x-telex")?.value(of: "telex") != nil
    }

    /// The files of the spec.
    mutating func files() -> [(name: String, text: String)] {
        for path in root.value(of: "paths")?.entries ?? [] { readPath(path) }
        var files = [(name: "api.yaml", text: SpecDraftWriter.text(api()))]
        let tags = root.value(of: "tags")?.items ?? []
        let listed = tags.compactMap { $0.text(of: "name") }
        for tag in tags { addGroup(tag, to: &files) }
        for name in order where !listed.contains(name) {
            add(methods(of: name, nil), to: name + ".yaml", at: root, &files)
        }
        addOtherModels(to: &files)
        let texts = types.member("files", of: root.value(of: "x-telex"), .mapping)
        for entry in texts?.entries ?? [] {
            guard OutputName.isTemplate(entry.key.text), entry.value.kind == .scalar else {
                report(
                    "`\(entry.key.text.prefix(60))` is no template", at: entry.key.span,
                    help: "the files are templates with their texts: `templates/users.get.json`")
                continue
            }
            add(entry.value.text, to: entry.key.text, at: entry.key, &files)
        }
        return files
    }

    func report(_ message: String, at span: Span, help: String) {
        schemas.files.report(badExtension: message, at: span, help: help)
    }

    // MARK: Files

    private mutating func add(
        _ entries: [DraftEntry], to name: String, at node: YAMLNode,
        _ files: inout [(name: String, text: String)]
    ) {
        guard !entries.isEmpty || node.text(of: "name") != nil else { return }
        add(SpecDraftWriter.text(entries), to: name, at: node, &files)
    }

    private mutating func add(
        _ text: String, to name: String, at node: YAMLNode,
        _ files: inout [(name: String, text: String)]
    ) {
        let isInside = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.hasPrefix(".")
        }
        guard isInside, OutputName.isPlain(name), OutputName.isInput(name),
            name.utf8.count <= 200, !name.lowercased().hasPrefix("api.y")
        else {
            return report(
                "`\(name.prefix(60))` cannot be a file of a spec", at: node.span,
                help: "the name of a tag, or `file` of its `x-telex`, is a path inside the folder "
                    + "that ends in `.yaml`")
        }
        guard names.insert(name.lowercased()).inserted else {
            return report(
                "`\(name)` is written twice", at: node.span,
                help: "give each tag a name of its own")
        }
        files.append((name, text))
    }

    // MARK: The API

    private func api() -> [DraftEntry] {
        let info = root.value(of: "info")
        let members = types.members(root.value(of: "x-telex")).filter { $0.key != "files" }
        let title = options.api ?? info?.text(of: "title") ?? ""
        var entries = [DraftEntry("api", .text(title))]
        entries += (info?.documentation ?? []) + root.documentation
        entries.append(DraftEntry("servers", .map(servers())))
        entries = members.filter { $0.key == "telex" } + entries
        entries = Self.joined(entries, members)
        if options.isTolerant {
            entries.removeAll { $0.key == "validate" }
            entries.append(DraftEntry("validate", .text("warn")))
        }
        return entries
    }

    /// The entries, and those members that are none of them or stand in their place.
    private static func joined(_ entries: [DraftEntry], _ members: [DraftEntry]) -> [DraftEntry] {
        entries.map { entry in members.first { $0.key == entry.key } ?? entry }
            + members.filter { entries[$0.key] == nil }
    }

    private func servers() -> [DraftEntry] {
        (root.value(of: "servers")?.items ?? []).enumerated().map { index, server in
            let own = server.value(of: "x-telex")
            var url = own?.text(of: "url") ?? server.text(of: "url") ?? ""
            if url.last != "/", own?.text(of: "url") == nil { url += "/" }
            let variables = server.value(of: "variables")?.entries ?? []
            var entries = [DraftEntry("url", .text(url))]
            if !variables.isEmpty {
                let all = variables.map { DraftEntry($0.key.text, Self.variable($0.value)) }
                entries.append(DraftEntry("variables", .map(all)))
            }
            if own?.value(of: "insecure")?.boolean == true { entries.append(.flag("insecure")) }
            let name = own?.text(of: "name") ?? (index == 0 ? "production" : "server\(index + 1)")
            return DraftEntry(name, entries.count == 1 ? entries[0].value : .map(entries))
        }
    }

    private static func variable(_ node: YAMLNode) -> DraftValue {
        let values = node.value(of: "enum")?.items.map { DraftValue.text($0.text) } ?? []
        let isRequired = node.value(of: "x-telex")?.value(of: "required")?.boolean == true
        var entries: [DraftEntry] = []
        if !isRequired {
            entries.append(DraftEntry("default", .text(node.text(of: "default") ?? "")))
        }
        if !values.isEmpty { entries.append(DraftEntry("in", .list(values))) }
        return entries.count == 1 && !isRequired ? entries[0].value : .map(entries)
    }

    // MARK: Groups

    private mutating func addGroup(
        _ tag: YAMLNode, to files: inout [(name: String, text: String)]
    ) {
        let name = tag.text(of: "name") ?? ""
        let own = tag.value(of: "x-telex")
        let members = types.members(own).filter { !["file", "methods", "models"].contains($0.key) }
        var entries = Self.joined(tag.documentation, members)
        entries += methods(of: name, types.member("methods", of: own, .sequence))
        let declared = models(types.member("models", of: own, .sequence))
        if !declared.isEmpty { entries.append(DraftEntry("models", .block(declared))) }
        let file = types.member("file", of: own, .scalar)?.text
        add(entries, to: file ?? name + ".yaml", at: tag, &files)
    }

    /// The methods of a group, in the order of a list that may have whole methods.
    private mutating func methods(of group: String, _ list: YAMLNode?) -> [DraftEntry] {
        var rest = operations[group] ?? []
        var entries: [DraftEntry] = []
        for item in list?.items ?? [] {
            if let whole = item.entries.first {
                entries.append(DraftEntry(whole, keys: .restored))
            } else if let index = rest.firstIndex(where: { $0.id == item.text }) {
                let found = rest.remove(at: index)
                entries.append(Self.entry(found.key, found.method))
            } else if options.selection.isAll {
                report(
                    "no operation is called `\(item.text.prefix(60))`", at: item.span,
                    help: "remove it from the list, or add the operation")
            }
        }
        entries += rest.map { Self.entry($0.key, $0.method) }
        counts.methods += entries.count
        return entries.isEmpty ? [] : [DraftEntry("methods", .block(entries))]
    }

    private static func entry(_ key: String, _ method: DraftMethod) -> DraftEntry {
        DraftEntry(key, .map(SpecDraftWriter.entries(method)))
    }

    // MARK: Models

    private mutating func models(_ list: YAMLNode?) -> [DraftEntry] {
        let all = root.value(of: "components")?.value(of: "schemas")
        return (list?.items ?? []).compactMap { item -> DraftEntry? in
            counts.models += 1
            if let whole = item.entries.first { return DraftEntry(whole, keys: .restored) }
            guard let node = all?.value(of: item.text) else {
                report(
                    "no schema is called `\(item.text.prefix(60))`", at: item.span,
                    help: "remove it from the list, or add the schema under `components`")
                return nil
            }
            models.insert(item.text)
            return DraftEntry(item.text, types.type(schemas.schema(node)).value)
        }
    }

    /// The models that no group lists and something refers to, as those that were added by hand.
    private mutating func addOtherModels(to files: inout [(name: String, text: String)]) {
        var entries: [DraftEntry] = []
        while let next = types.mentions.filter({ !models.contains($0.key) }).min(by: {
            $0.key < $1.key
        }) {
            models.insert(next.key)
            entries.append(
                DraftEntry(next.key, types.type(schemas.schema(next.value)).value))
        }
        counts.models += entries.count
        guard !entries.isEmpty else { return }
        let name = names.contains("models.yaml") ? "models-added.yaml" : "models.yaml"
        add([DraftEntry("models", .block(entries))], to: name, at: root, &files)
    }

    // MARK: Operations

    /// The path that the API and a group put before those of methods.
    private func sharedPath(of group: String) -> String {
        let tag = root.value(of: "tags")?.items.first { $0.text(of: "name") == group }
        let outer = root.value(of: "x-telex")?.text(of: "prefix") ?? ""
        let inner = tag?.value(of: "x-telex")?.text(of: "prefix") ?? ""
        let path =
            inner.first == "/"
            ? String(inner.dropFirst())
            : [outer, inner].filter { !$0.isEmpty }.joined(separator: "/")
        return path.replacing("{+", with: "{")
    }

    private mutating func readPath(_ path: YAMLEntry) {
        let item = schemas.files.resolved(path.value)
        for entry in item.entries where HTTPVerb.keys.contains(entry.key.text) {
            let node = entry.value
            let tags = node.value(of: "tags")?.items.map(\.text) ?? []
            let id = node.text(of: "operationId")
            guard
                options.selection.accepts(path: path.key.text, tags: tags, id: id)
            else { continue }
            let group = tags.first ?? "methods"
            let name = id ?? "\(group).\(entry.key.text)\((operations[group]?.count ?? 0) + 1)"
            var reader = ExportedOperation(
                node, item: item, schemas: schemas, types: types, shared: sharedPath(of: group))
            let method = reader.method(verb: entry.key.text, path: path.key.text)
            if operations[group] == nil { order.append(group) }
            let own = node.value(of: "x-telex")
            let key = types.member("name", of: own, .scalar)?.text ?? name
            operations[group, default: []].append((name, key, method))
        }
    }
}

extension OperationSelection {
    /// Whether all operations are chosen.
    var isAll: Bool { included.isEmpty && excluded.isEmpty }
}

extension YAMLNode {
    /// The documentation of what is described.
    var documentation: [DraftEntry] {
        let link = value(of: "externalDocs")?.text(of: "url")
        let isDeprecated = value(of: "deprecated")?.boolean == true
        return [
            DraftEntry("doc", text: text(of: "description")), DraftEntry("link", text: link),
            isDeprecated ? .flag("deprecated") : nil,
        ].compactMap(\.self)
    }
}
