import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

/// The result of the front end for a folder of files.
struct Analysis {
    let sources: SourceMap
    let spec: Spec
    let api: API?
    let bag: DiagnosticBag

    /// Analyses files given by path and bytes; `order` sets the order for the parser.
    init(
        bytes files: [(path: String, bytes: [UInt8])],
        order: ([SpecFile]) -> [SpecFile] = { $0 }
    ) {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let files = files.sorted { $0.path < $1.path }.map {
            SpecFile(path: $0.path, source: sources.add(path: $0.path, bytes: $0.bytes))
        }
        var spec = SpecParser.parse(order(files), into: &bag)
        TemplateTypes.add(to: &spec, &sources, into: &bag)
        self.spec = spec
        api = SpecAnalyzer.analyze(spec, into: &bag)
        self.sources = sources
        self.bag = bag
    }

    /// Compiles an example, including the checks of the folder.
    init(compiling files: [ExampleFile]) {
        let compilation = TelexCompiler.check(
            SpecFolder(
                shownPath: "specs",
                files: files.map {
                    SpecFolder.File(relativePath: $0.path, shownPath: $0.path, bytes: $0.bytes)
                }))
        spec = compilation.spec
        api = compilation.api
        sources = compilation.sources
        bag = compilation.diagnostics
    }

    init(_ files: [String: String], order: ([SpecFile]) -> [SpecFile] = { $0 }) {
        self.init(bytes: files.map { ($0.key, Array($0.value.utf8)) }, order: order)
    }

    /// Analyses a group `users`, and a small `api.yaml` with `api` appended.
    init(users: String, api: String = "") {
        self.init(["api.yaml": Self.smallAPI + api, "users.yaml": users])
    }

    static let smallAPI = """
        telex: 1
        api: VK
        servers: { production: https://api.vk.com/method/ }

        """

    var codes: [String] { bag.all.map(\.code.id) }

    /// All diagnostics, as the terminal shows them.
    var rendered: String { TerminalRenderer(width: 100).render(bag, in: sources) }

    /// `code: text` of each diagnostic, with the underlined text.
    var marks: [String] {
        bag.all.map { "\($0.code.id): \(sources[$0.span.file].text(of: $0.span))" }
    }

    var group: Group? { api?.groups.first }

    /// The method of this name.
    func method(_ name: String) -> Method? {
        api?.groups.flatMap(\.methods).first { $0.apiName == name }
    }

    /// The model of this Swift name, nested ones included.
    func model(_ name: String) -> Model? {
        var open = api?.groups.flatMap(\.models) ?? []
        while let model = open.popLast() {
            if model.qualifiedName == name { return model }
            open += model.nested
        }
        return nil
    }

    /// The field of a model.
    func field(_ model: String, _ name: String) -> Field? {
        guard case .object(let fields)? = self.model(model)?.kind else { return nil }
        return fields.first { $0.name == name }
    }
}

extension Analysis: CustomStringConvertible {
    /// The output of a failing test.
    var description: String { rendered }
}
