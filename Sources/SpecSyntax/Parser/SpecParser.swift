import SpecDiagnostics
import SpecIR

/// One file of a spec folder: YAML or a template of replies.
public struct SpecFile: Sendable {
    /// Its path relative to the folder, with `/`.
    public var path: String
    /// Its content, under the path that messages show.
    public var source: SourceFile

    /// Creates a file.
    public init(path: String, source: SourceFile) {
        self.path = path
        self.source = source
    }
}

/// Reads a folder of spec files into a syntax tree. Parsing never fails: errors are reported, and
/// the tree contains the rest.
public enum SpecParser {
    /// Parses the files of one folder. A folder without `api.yaml` is reported at the start of
    /// its first file. The caller reports a folder without files, because there is no span.
    ///
    /// - Parameter hasUnreadableAPI: Whether there is an `api.yaml` that could not be read. The caller
    ///   reports it, so it is not reported as missing.
    public static func parse(
        _ files: [SpecFile], hasUnreadableAPI: Bool = false, into bag: inout DiagnosticBag
    ) -> Spec {
        var spec = Spec()
        var parser = Parser()
        let sorted = files.sorted { $0.path < $1.path }
        let files = sorted.filter {
            !OutputName.isTemplate($0.path) && !OutputName.isMisplacedTemplate($0.path)
        }
        if !hasUnreadableAPI { parser.requireAPI(files) }
        // In a folder of several APIs, files cannot be assigned to one.
        if files.lacksAPI, !files.folders.isEmpty {
            bag.report(contentsOf: parser.bag)
            spec.isComplete = false
            return spec
        }
        for file in files {
            guard let root = YAMLReader.read(file.source, into: &parser.bag) else {
                spec.isComplete = false
                continue
            }
            parser.bytes = file.source.bytes
            spec.ignores += parser.ignores(in: file.source, root)
            if !file.isAPI {
                spec.groups.append(parser.group(root, path: file.path))
            } else if let first = spec.api {
                parser.reportSecondAPI(file, first: first)
            } else {
                spec.api = parser.api(root)
            }
        }
        spec.templates = sorted.filter { OutputName.isTemplate($0.path) }.map {
            parser.template($0)
        }
        for file in sorted where OutputName.isMisplacedTemplate(file.path) {
            parser.reportMisplaced(file)
        }
        bag.report(contentsOf: parser.bag)
        return spec
    }
}

extension SpecParser {
    /// Parses a group that is no file of a folder; nil if its YAML has a mistake.
    package static func group(_ source: SourceFile, into bag: inout DiagnosticBag) -> GroupSyntax? {
        var parser = Parser()
        let root = YAMLReader.read(source, into: &parser.bag)
        parser.bytes = source.bytes
        let group = root.map { parser.group($0, path: source.path) }
        bag.report(contentsOf: parser.bag)
        return group
    }
}

extension SpecFile {
    /// Whether it describes the API as a whole.
    package var isAPI: Bool { path == "api.yaml" || path == "api.yml" }

    /// The shown path of the inner folder whose API file it is; nil for other files.
    fileprivate var folder: String? {
        guard path.hasSuffix("/api.yaml") || path.hasSuffix("/api.yml") else { return nil }
        return source.path.lastIndex(of: "/").map { String(source.path[..<$0]) }
    }
}

extension [SpecFile] {
    /// Whether there is no API file at the top level.
    fileprivate var lacksAPI: Bool { !contains(where: \.isAPI) }
    /// The inner folders with an API file.
    fileprivate var folders: [String] { compactMap(\.folder) }
}

/// The state of the parser. Its extensions have one method per production of the grammar.
struct Parser {
    var bag = DiagnosticBag()
    /// The bytes of the current file.
    var bytes: [UInt8] = []
    /// What the grammar accepts at the places of the file; nil unless an editor asks.
    var trace: GrammarTrace?

    /// Reports that there is no API file.
    mutating func requireAPI(_ files: [SpecFile]) {
        guard let first = files.first, files.lacksAPI else { return }
        let near = files.first { $0.path.lowercased().hasSuffix("api.yaml") }
        let help =
            choice(of: files.folders)
            ?? near.map { "`\($0.path)` is not it: its name is `api.yaml`, in small letters" }
            ?? "add one that begins with `telex: 1`, `api: MyAPI` and `servers:`"
        bag.report(
            .missingAPI, "the folder has no `api.yaml`", at: first.source.start, help: help)
    }

    /// The help for a folder of several APIs; nil for any other.
    private func choice(of folders: [String]) -> String? {
        guard !folders.isEmpty else { return nil }
        let names = folders.prefix(4).map { "`\($0)`" }.joined(separator: ", ")
        let more = folders.count > 4 ? ", …" : ""
        return "name a folder that has one: \(names)\(more)"
    }

    mutating func reportSecondAPI(_ file: SpecFile, first: APISyntax) {
        bag.report(
            .severalAPIs, "a second API file `\(file.path)`", at: file.source.start,
            notes: [Diagnostic.Note("the first is here", at: first.span.emptyAtStart)],
            help: "keep one of `api.yaml` and `api.yml`")
    }
}

extension Span {
    /// The empty span where this one begins.
    var emptyAtStart: Span { part(0..<0) }
}
