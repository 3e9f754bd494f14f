import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

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
        /// Whether objects that allow further keys keep them: `additional: json`.
        public var isOpen = false
        /// The files of the last import, for one that is merged: groups keep their shared paths.
        public var last: [(name: String, text: String)] = []
        /// The path of a file of the spec, as messages show it.
        public var shownPath: @Sendable (_ name: String) -> String = { $0 }

        /// All operations, strictly.
        public init() {}
    }

    /// The files of the spec, with their names.
    public internal(set) var files: [(name: String, text: String)] = []
    /// What the compiler says of the files; nil after errors, for files that Telex has exported, and
    /// after an overlay.
    public internal(set) var compilation: Compilation?
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
    /// - Parameters:
    ///   - sources: The files, of which at least one says `openapi` or `swagger`; the others are parts,
    ///     to which it refers.
    ///   - options: What is imported, and how.
    ///   - load: Reads a further file to which one of these refers, by its path; nil if there is none.
    ///     Only files in the folder of the first one are asked for.
    public init(
        openAPI sources: [SourceFile], options: Options = Options(),
        load: (_ path: String) -> SourceFile? = { _ in nil }
    ) {
        let parsed = readAll(sources, load)
        guard !diagnostics.hasErrors, let descriptions = descriptions(parsed, sources) else {
            return
        }
        let schemas = SchemaReader(DescriptionFiles(parsed), origin: parsed[0].file.id)
        schemas.report = report
        schemas.readsSiblings = descriptions.contains {
            ["3.1", "3.2"].contains($0.value(of: "openapi")?.text.prefix(3))
        }
        if let root = descriptions.first, ExportReader.isExport(root) {
            restore(root, schemas: schemas, options: options)
            return
        }
        let roots = descriptions.map { root in
            var reader = OpenAPIReader(schemas: schemas, selection: options.selection, root: root)
            return reader.read()
        }
        let joined = DescriptionRoots(roots, origin: parsed[0].file.start)
        for (first, second) in joined.conflicts { report(first, and: second, in: sources) }
        var api = joined.api
        api.operations = api.operations.flatMap(\.methods)
        translate(api, schemas: schemas, options: options, at: parsed[0].file.start)
        if let spec = compilation?.api { audit(spec, parsed: parsed, options: options) }
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
        translate(api, schemas: schemas, options: options, at: first.start)
    }

    /// Whether a file belongs to the VK API's schema, by its path in the folder of the schema.
    public static func isPartOfVK(_ path: String) -> Bool {
        // The schema of the schema describes no API.
        path.hasSuffix(".json") && !path.hasPrefix("schema")
    }

    private mutating func read(_ sources: [SourceFile]) -> [(file: SourceFile, root: YAMLNode)] {
        let parsed = sources.compactMap { file in
            node(of: file).map { (file: file, root: $0) }
        }
        for (file, root) in parsed { roots[file.id] = root }
        return parsed
    }

    /// The most files that one description has.
    private static let mostFiles = 10_000

    /// Reads files, and those to which they refer.
    private mutating func readAll(
        _ sources: [SourceFile], _ load: (_ path: String) -> SourceFile?
    ) -> [(file: SourceFile, root: YAMLNode)] {
        var parsed = read(sources)
        guard let first = sources.first else { return [] }
        let folder = DescriptionFiles.folder(of: first.path)
        var seen = Set(sources.map { DescriptionFiles.normalized($0.path) })
        var next = 0
        while next < parsed.count, parsed.count < Self.mostFiles {
            let (file, root) = parsed[next]
            next += 1
            for path in DescriptionFiles.paths(in: root, of: file)
            where path.hasPrefix(folder) && seen.insert(path).inserted {
                if let file = load(path) { parsed += read([file]) }
            }
        }
        return parsed
    }

    /// Mistakes that leave the meaning of a file clear. They are losses, since a description comes from
    /// outside and cannot be corrected.
    private static let mildMistakes: [DiagnosticCode] = [.duplicateKey, .tag, .keyNotScalar]

    /// The content of a file. A text that begins as JSON may be YAML in flow style.
    private mutating func node(of file: SourceFile) -> YAMLNode? {
        var bag = DiagnosticBag()
        var root: YAMLNode?
        if JSONFileReader.accepts(file) { root = JSONFileReader.read(file, into: &bag) }
        if root == nil, bag.isEmpty || !file.path.hasSuffix(".json") {
            var other = DiagnosticBag()
            root = YAMLReader.read(file, isForeign: true, into: &other)
            if root != nil || bag.isEmpty { bag = other }
        }
        for mistake in bag.all {
            if root != nil, Self.mildMistakes.contains(mistake.code) {
                report.add(.fileMistake, mistake.message, at: mistake.span)
            } else {
                diagnostics.report(mistake)
            }
        }
        return root
    }

    /// Makes the spec of which Telex wrote the description.
    private mutating func restore(
        _ root: YAMLNode, schemas: SchemaReader, options: Options
    ) {
        var reader = ExportReader(root, schemas: schemas, options: options)
        let all = reader.files()
        diagnostics.report(contentsOf: schemas.files.bag)
        for place in schemas.files.dangling {
            diagnostics.report(
                .unknownReference, "nothing is at `\(place.text)`", at: place.span,
                help: "correct the reference, or add what is missing")
        }
        report = schemas.report
        (methodCount, modelCount) = reader.counts
        if !diagnostics.hasErrors { files = all }
    }

    /// Makes the files.
    private mutating func translate(
        _ api: OpenAPIDescription, schemas: SchemaReader, options: Options, at start: Span
    ) {
        let draft = Self.draft(of: api, schemas, options)
        diagnostics.report(contentsOf: schemas.files.bag)
        for place in schemas.files.dangling {
            schemas.report.add(.dangling, place.text, at: place.span)
        }
        let mender =
            diagnostics.hasErrors ? nil : DraftMender(draft, shownPath: options.shownPath)
        for change in mender?.changes ?? [] {
            schemas.report.add(.refused, change.message, at: change.origin ?? start)
        }
        report = schemas.report
        report.isTolerant = options.isTolerant
        let groups = (mender?.draft ?? draft).groups
        methodCount = groups.map(\.methods.count).reduce(0, +)
        modelCount = groups.map(\.models.count).reduce(0, +)
        if let left = mender?.compiled.errors.first?.diagnostic {
            diagnostics.report(
                .unmended, "the spec of it does not compile: \(left.message) [\(left.code.id)]",
                at: start,
                help: "leave the operation out with `--exclude`, and report the description, please"
            )
        }
        if methodCount == 0, !diagnostics.hasErrors {
            diagnostics.report(
                .notDescription, "the description has no operations to import", at: start,
                help: "check `--include` and `--exclude`: they name tags, operation ids, or paths "
                    + "that begin with `/`")
        }
        guard let mender, !diagnostics.hasErrors else { return }
        files = mender.compiled.files
        compilation = mender.compiled.compilation
    }

    /// Adds what differs between the description and its spec, and the keys that nothing has read.
    private mutating func audit(
        _ api: API, parsed: [(file: SourceFile, root: YAMLNode)], options: Options
    ) {
        let description = DescriptionFacts(parsed, options.selection)
        let differences = ImportAudit.differences(
            between: description, and: api, report: report, isTolerant: options.isTolerant)
        for loss in differences + UnreadKeys.losses(of: description, report) {
            report.add(loss.kind, loss.detail, at: loss.span)
        }
    }

    /// The files that are descriptions; nil after an error.
    private mutating func descriptions(
        _ parsed: [(file: SourceFile, root: YAMLNode)], _ sources: [SourceFile]
    ) -> [YAMLNode]? {
        let all = parsed.filter { OpenAPIReader.isDescription($0.root) }
        // A whole description to which a file refers only lends what is referred to.
        let named = all.filter { item in sources.contains { $0.id == item.file.id } }
        let found = named.isEmpty ? all : named
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
        let names = ImportNames(api.operations, schemas)
        let taken = taken(by: names.places, api: draft.api, names.shared)
        if taken.contains(draft.api) { draft.api += "Client" }
        let types = TypeTranslator(
            schemas, taken: taken.union([draft.api]), prefix: draft.api,
            groups: Set(names.places.map(\.group)))
        types.keepsFurtherKeys = options.isOpen
        let settings = SettingsTranslator(api, types)
        let operations = OperationTranslator(types, settings)
        draft.groups = groups(of: api, names.places, operations)
        draft.settings = settings.entries
        if options.isTolerant { draft.settings.append(DraftEntry("validate", .text("warn"))) }
        types.translateModels()
        draft.unplaced = types.models

        let all = Array(zip(api.operations, names.places))
        let relax = { (draft: inout SpecDraft) in
            if options.isTolerant { TolerantModels.relax(in: &draft) }
        }
        // Examples are read by the types of the description. What several methods share is moved
        // afterwards, and named when it has its place.
        let passes: [(inout SpecDraft) -> Void] = [
            { AliasChains.cut(in: &$0, types) },
            { EndlessModels.correct(in: &$0, types) },
            { UnsentModels.mark(in: &$0, types) },
            { TextsOrNumbers.simplify(in: &$0) },
            relax,
            { addExamples(to: &$0, all, operations) },
            { UnwrappedReplies.hoist(in: &$0) },
            { PatternModels.declare(in: &$0, types) },
            { SharedTypes.declare(in: &$0, types) },
            relax,
            { InventedNames.settle(in: &$0, types) },
            { DraftCascade.hoist(in: &$0) },
            { ModelPlacement.place(in: &$0, sharing: names.shared) },
            { GenericModels.declare(in: &$0, taken: types.taken, sharing: names.shared) },
            { DraftNamer.name(&$0, taken: types.taken) },
            { SharedPaths.hoist(in: &$0, keeping: options.last) },
        ]
        for pass in passes { pass(&draft) }
        return draft
    }

    /// The groups with their methods, in the order of the description.
    private static func groups(
        of api: OpenAPIDescription, _ places: [ImportNames.Place],
        _ operations: OperationTranslator
    ) -> [DraftGroup] {
        var groups: [DraftGroup] = []
        var indices: [String: Int] = [:]
        for (operation, place) in zip(api.operations, places) {
            guard let method = operations.method(operation, named: place.method) else { continue }
            if indices[place.group] == nil {
                indices[place.group] = groups.count
                groups.append(group(place.group, of: operation, in: api))
            }
            groups[indices[place.group] ?? 0].methods.append(method)
        }
        return groups
    }

    private static func addExamples(
        to draft: inout SpecDraft, _ all: [(OperationDescription, ImportNames.Place)],
        _ operations: OperationTranslator
    ) {
        operations.types.addExamples(to: &draft.unplaced)
        let descriptions = Dictionary(all.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for group in draft.groups.indices {
            let name = draft.groups[group].name
            for index in draft.groups[group].methods.indices {
                let method = draft.groups[group].methods[index].name
                let place = ImportNames.Place(group: name, method: method)
                guard let operation = descriptions[place] else { continue }
                operations.addExamples(
                    of: operation, to: &draft.groups[group].methods[index])
            }
        }
    }

    private static func group(
        _ name: String, of operation: OperationDescription, in api: OpenAPIDescription
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
        ReportPage(report, sources: sources, roots: roots).text
    }
}
