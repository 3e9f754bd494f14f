import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

/// What the front end makes of a folder of files.
struct Analysis {
    let sources: SourceMap
    let spec: Spec
    let api: API?
    let bag: DiagnosticBag

    /// Reads files given by path and bytes; `order` says in which order the parser gets them.
    init(
        bytes files: [(path: String, bytes: [UInt8])],
        order: ([SpecFile]) -> [SpecFile] = { $0 }
    ) {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let files = files.sorted { $0.path < $1.path }.map {
            SpecFile(path: $0.path, source: sources.add(path: $0.path, bytes: $0.bytes))
        }
        spec = SpecParser.parse(order(files), into: &bag)
        api = SpecAnalyzer.analyze(spec, into: &bag)
        self.sources = sources
        self.bag = bag
    }

    /// What the whole compiler makes of an example, checks of the folder included.
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

    /// A group `users` beside a small `api.yaml` that goes on with `api`.
    init(users: String, api: String = "") {
        self.init(["api.yaml": Self.smallAPI + api, "users.yaml": users])
    }

    static let smallAPI = """
        telex: 1
        api: VK
        servers: { production: https://api.vk.com/method/ }

        """

    var codes: [String] { bag.all.map(\.code.id) }

    /// Every message as a person sees it.
    var rendered: String { TerminalRenderer(width: 100).render(bag, in: sources) }

    /// `code: text` of each diagnostic, the text being what is underlined.
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
    /// What a failing test prints.
    var description: String { rendered }
}
