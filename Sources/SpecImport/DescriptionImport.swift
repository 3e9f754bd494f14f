import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Makes a spec of a description in another format.
public struct DescriptionImport {
    /// What is imported, and how.
    public struct Options: Sendable {
        /// The operations.
        public var selection = OperationSelection()
        /// The Swift name of the API; nil: derived from its title.
        public var api: String?
        /// Whether replies that break their description are only reported: `validate: warn`, and
        /// their keys may be missing.
        public var isTolerant = false
        /// The files of the last import, for one that is merged: groups keep their shared paths.
        public var last: [(name: String, text: String)] = []

        /// All operations, strictly.
        public init() {}
    }

    /// The files of the spec, with their names.
    public internal(set) var files: [(name: String, text: String)] = []
    /// What could not be said.
    public private(set) var report = ImportReport()
    /// Errors, after which there are no files.
    public internal(set) var diagnostics = DiagnosticBag()
    /// The number of methods.
    public internal(set) var methodCount = 0
    /// The number of models.
    public internal(set) var modelCount = 0
    private var roots: [FileID: YAMLNode] = [:]

    /// Reads the files of a description in OpenAPI 2.0 or 3.0 to 3.2, and translates it.
    ///
    /// - Parameter sources: The files, of which at least one says `openapi` or `swagger`; the others
    ///   are parts, to which it refers.
    public init(openAPI sources: [SourceFile], options: Options = Options()) {
        let parsed = read(sources)
        guard !diagnostics.hasErrors, let descriptions = descriptions(parsed, sources) else {
            return
        }
        let schemas = SchemaReader(DescriptionFiles(parsed), origin: parsed[0].file.id)
        if let root = descriptions.first, ExportReader.isExport(root) {
            restore(root, schemas, options)
            return
        }
        let roots = descriptions.map { root in
            var reader = OpenAPIReader(schemas, options.selection, root)
            return reader.read()
        }
        let joined = DescriptionRoots(roots, origin: parsed[0].file.start)
        for (first, second) in joined.conflicts { report(first, and: second, in: sources) }
        var api = joined.api
        api.operations = api.operations.flatMap(\.methods)
        translate(api, schemas, options, at: parsed[0].file.start)
    }

    /// Reports that two descriptions have an operation that a request cannot tell apart.
    private mutating func report(
        _ first: OperationDescription, and second: OperationDescription, in sources: [SourceFile]
    ) {
        let paths = [first, second].map { operation in
            sources.first { $0.id == operation.span.file }?.path ?? ""
        }
        diagnostics.report(
            .notDescription,
            "`\(second.verb.uppercased()) \(second.path)` of one server is in two descriptions: "
                + "`\(paths[0])` and `\(paths[1])`", at: second.span,
            notes: [Diagnostic.Note("the other one is here", at: first.span)],
            help: "import them into two folders, or leave it out of one with `--exclude`")
    }

    /// Reads the files of the VK API's schema, and translates it.
    ///
    /// - Parameter sources: `methods.json` of each group, `errors.json`, and the files to which they
    ///   refer, with their paths in one folder.
    public init(vk sources: [SourceFile], options: Options = Options()) {
        let parsed = read(sources)
        let roots = parsed.map(\.root).filter(VKReader.isDescription)
        guard !diagnostics.hasErrors, let first = sources.first else { return }
        guard !roots.isEmpty else {
            diagnostics.report(
                .notDescription, "no file has `methods` or `errors` of the VK API", at: first.start,
                help: "name the folder of the schema, which has `errors.json` and a folder for "
                    + "each group")
            return
        }
        let schemas = SchemaReader(DescriptionFiles(parsed), origin: parsed[0].file.id)
        let api = VKReader(schemas, options.selection).read(roots)
        translate(api, schemas, options, at: first.start)
    }

    /// Whether a file belongs to the VK API's schema, by its path in the folder of the schema.
    public static func isPartOfVK(_ path: String) -> Bool {
        // The schema of the schema describes no API.
        path.hasSuffix(".json") && !path.hasPrefix("schema")
    }

    private mutating func read(_ sources: [SourceFile]) -> [(file: SourceFile, root: YAMLNode)] {
        let parsed = sources.compactMap { file in
            let root =
                JSONFileReader.accepts(file)
                ? JSONFileReader.read(file, into: &diagnostics)
                : YAMLReader.read(file, into: &diagnostics)
            return root.map { (file: file, root: $0) }
        }
        for (file, root) in parsed { roots[file.id] = root }
        return parsed
    }

    /// Makes the spec of which Telex wrote the description.
    private mutating func restore(
        _ root: YAMLNode, _ schemas: SchemaReader, _ options: Options
    ) {
        var reader = ExportReader(root, schemas, options)
        let all = reader.files()
        diagnostics.report(contentsOf: schemas.files.bag)
        report = schemas.report
        (methodCount, modelCount) = reader.counts
        if !diagnostics.hasErrors { files = all }
    }

    private mutating func translate(
        _ api: OpenAPIDescription, _ schemas: SchemaReader, _ options: Options, at start: Span
    ) {
        let draft = Self.draft(of: api, schemas, options)
        diagnostics.report(contentsOf: schemas.files.bag)
        report = schemas.report
        methodCount = draft.groups.map(\.methods.count).reduce(0, +)
        modelCount = draft.groups.map(\.models.count).reduce(0, +)
        if methodCount == 0, !diagnostics.hasErrors {
            diagnostics.report(
                .notDescription, "the description has no operations to import", at: start,
                help: "check `--include` and `--exclude`: they name tags, operation ids, or paths "
                    + "that begin with `/`")
        }
        if !diagnostics.hasErrors { files = SpecDraftWriter.files(draft) }
    }

    /// The files that are descriptions; nil after an error.
    private mutating func descriptions(
        _ parsed: [(file: SourceFile, root: YAMLNode)], _ sources: [SourceFile]
    ) -> [YAMLNode]? {
        let found = parsed.filter { OpenAPIReader.isDescription($0.root) }
        guard let first = sources.first else { return nil }
        guard !found.isEmpty else {
            diagnostics.report(
                .notDescription, "expected `openapi: 3.…` or `swagger: \"2.0\"`", at: first.start,
                help: "name the file that describes the API, and the files it refers to")
            return nil
        }
        for (file, root) in found {
            let version = root.value(of: "openapi") ?? root.value(of: "swagger")
            let text = version?.text ?? ""
            guard
                !["2.0", "3.0", "3.1", "3.2"].contains(where: {
                    text == $0 || text.hasPrefix($0 + ".")
                })
            else { continue }
            diagnostics.report(
                .notDescription, "OpenAPI \(text.prefix(20)) is not supported",
                at: version?.span ?? file.start, help: "2.0, and 3.0 to 3.2 are")
            return nil
        }
        return found.map(\.root)
    }

    // MARK: Translating

    private static func draft(
        of api: OpenAPIDescription, _ schemas: SchemaReader, _ options: Options
    ) -> SpecDraft {
        var draft = SpecDraft()
        draft.api = options.api ?? ImportNames.api(api.title)
        var names = ImportNames()
        let shared = names.group(
            api.operations.contains { ImportNames.groupSource($0).lowercased() == "models" }
                ? "shared" : "models")
        let own = api.operations.filter { $0.form != .stream }.map { operation in
            let group = names.group(ImportNames.groupSource(operation))
            return ImportNames.Place(group: group, method: names.method(operation, in: group))
        }
        let places = ImportNames.Place.all(of: api.operations, besides: own)
        let taken = taken(by: places, api: draft.api, shared)
        if taken.contains(draft.api) { draft.api += "Client" }
        let types = TypeTranslator(schemas, taken: taken.union([draft.api]), prefix: draft.api)
        let settings = SettingsTranslator(api, types)
        let operations = OperationTranslator(types, settings)
        var indices: [String: Int] = [:]
        for (operation, place) in zip(api.operations, places) {
            guard let method = operations.method(operation, named: place.method) else { continue }
            if indices[place.group] == nil {
                indices[place.group] = draft.groups.count
                draft.groups.append(group(place.group, operation, api))
            }
            draft.groups[indices[place.group] ?? 0].methods.append(method)
        }
        draft.settings = settings.entries
        if options.isTolerant { draft.settings.append(DraftEntry("validate", .text("warn"))) }
        SharedTypes.declare(in: &draft, types)
        DraftCascade.hoist(in: &draft)
        types.translateModels()
        var models = types.models
        for (model, field) in EndlessModels.correct(&models) {
            types.lose(.cycle, "\(model).\(field)", at: types.span(of: model))
        }
        if options.isTolerant { TolerantModels.relax(&models, in: draft) }
        types.addExamples(to: &models)
        for (operation, place) in zip(api.operations, places) {
            guard let group = indices[place.group],
                let index = draft.groups[group].methods.firstIndex(where: {
                    $0.name == place.method
                })
            else { continue }
            operations.addExamples(of: operation, to: &draft.groups[group].methods[index])
        }
        ModelPlacement(models).place(into: &draft, sharing: shared)
        var namer = DraftNamer(draft, taken: types.taken)
        namer.name(&draft)
        SharedPaths.hoist(in: &draft, keeping: options.last)
        GenericModels.declare(in: &draft, taken: types.taken)
        return draft
    }

    private static func group(
        _ name: String, _ operation: OperationDescription, _ api: OpenAPIDescription
    ) -> DraftGroup {
        var group = DraftGroup(name)
        let doc = operation.tags.first.flatMap { api.tagDocs[$0] }
        group.documentation = [DraftEntry("doc", text: doc?.cleaned)].compactMap(\.self)
        return group
    }

    /// The names of types that the groups and methods declare.
    private static func taken(
        by places: [ImportNames.Place], api: String, _ shared: String
    ) -> Set<String> {
        let namer = SwiftNamer()
        var names: Set<String> = []
        for group in Set(places.map(\.group)).union([shared]) {
            let stem = namer.upperCamel(group) ?? ""
            for end in ["API", "Methods", "Fake", "Requests", "Mapper", "Extractions", "Patterns"] {
                names.insert(stem + end)
            }
        }
        for place in places {
            let prefix = namer.upperCamel("\(place.group).\(place.method)") ?? ""
            names.formUnion([prefix + "Reply", prefix + "Headers"])
        }
        return names
    }

    // MARK: Report

    /// The whole report as a page of Markdown.
    ///
    /// - Parameter sources: The map of the files that were read.
    public func page(_ sources: SourceMap) -> String {
        ReportPage(report, sources, roots).text
    }
}
