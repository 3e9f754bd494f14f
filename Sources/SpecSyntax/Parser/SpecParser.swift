import SpecDiagnostics

/// One YAML file of a spec folder.
public struct SpecFile: Sendable {
    /// Its path relative to the folder, with `/`.
    public var path: String
    /// Its content, under the path that people are shown.
    public var source: SourceFile

    /// Creates a file.
    public init(path: String, source: SourceFile) {
        self.path = path
        self.source = source
    }
}

/// Reads a folder of spec files into a syntax tree. Never fails: what cannot be read is reported,
/// and the tree holds the rest.
public enum SpecParser {
    /// Parses the YAML files of one folder.
    public static func parse(_ files: [SpecFile], into bag: inout DiagnosticBag) -> Spec {
        var spec = Spec()
        var parser = Parser()
        for file in files.sorted(by: { $0.path < $1.path }) {
            guard let root = YAMLReader.read(file.source, into: &parser.bag) else { continue }
            if file.path == "api.yaml" || file.path == "api.yml" {
                if let first = spec.api {
                    parser.reportSecondAPI(file, first: first)
                } else {
                    spec.api = parser.api(root)
                }
            } else {
                spec.groups.append(parser.group(root, path: file.path))
            }
        }
        bag.report(contentsOf: parser.bag)
        return spec
    }
}

/// The state of a parse: what has been reported so far. Its methods, one per place of the
/// grammar, live in extensions.
struct Parser {
    var bag = DiagnosticBag()

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
