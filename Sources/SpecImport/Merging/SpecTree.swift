import SpecDiagnostics
import SpecSyntax

/// A file of a spec as text.
public struct SpecText: Sendable {
    /// Its path in the folder, with `/`.
    public var path: String
    /// Its path as messages show it.
    public var shownPath: String
    /// Its content.
    public var bytes: [UInt8]

    /// Creates a file.
    public init(path: String, shownPath: String, bytes: [UInt8]) {
        self.path = path
        self.shownPath = shownPath
        self.bytes = bytes
    }
}

/// A spec folder by its files, and by the methods and models in all of them.
struct SpecTree {
    /// A method or a model.
    struct Part: Hashable {
        let section: String
        let name: String

        var role: SpecRole { section == "methods" ? .method : .type }
    }

    struct File {
        let path: String
        var source: SourceFile
        var root: YAMLNode
    }

    static let sections = ["methods", "models"]

    /// The files by path; a name that ends in `.yml` counts as `.yaml`.
    var files: [String: File] = [:]
    /// The path in ``files`` and the value of each method and model.
    private(set) var parts: [Part: (file: String, value: YAMLNode)] = [:]

    init(_ texts: [SpecText], into sources: inout SourceMap, _ bag: inout DiagnosticBag) {
        for text in texts.sorted(by: { $0.path < $1.path }) {
            let source = sources.add(path: text.shownPath, bytes: text.bytes)
            guard let root = YAMLReader.read(source, into: &bag) else { continue }
            let key = text.path.hasSuffix(".yml") ? text.path.dropLast(3) + "yaml" : text.path
            files[key] = File(path: text.path, source: source, root: root)
            for section in Self.sections {
                for (part, entry) in self.parts(in: key, section) where parts[part] == nil {
                    parts[part] = (key, entry.value)
                }
            }
        }
    }

    /// The entries of a section of a file.
    func parts(in file: String, _ section: String) -> [(part: Part, entry: YAMLEntry)] {
        let group = file.dropLast(".yaml".count).replacing("/", with: ".")
        return files[file]?.root.value(of: section)?.entries.map { entry in
            let key = entry.key.text
            // A method's key without these has the name of its group in front.
            let isShort = section == "methods" && !key.contains { "./:".contains($0) }
            return (Part(section: section, name: isShort ? "\(group).\(key)" : key), entry)
        } ?? []
    }

    /// All methods and models of a file.
    func parts(in file: String) -> [Part] {
        Self.sections.flatMap { parts(in: file, $0).map(\.part) }
    }

    /// The entries of a file besides its sections.
    func settings(in file: String) -> [SpecMember] {
        files[file]?.root.entries.map(SpecMember.init).filter {
            !Self.sections.contains($0.name)
        } ?? []
    }
}
