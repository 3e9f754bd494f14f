import SpecDiagnostics
import SpecSyntax

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
    /// The methods and models of each file, in order.
    private(set) var entries: [String: [(part: Part, entry: YAMLEntry)]] = [:]
    /// The other entries of each file.
    private(set) var settings: [String: [SpecMember]] = [:]

    init(_ files: [SpecFile], into bag: inout DiagnosticBag) {
        for file in files.sorted(by: { $0.path < $1.path }) {
            guard let root = YAMLReader.read(file.source, into: &bag) else { continue }
            let key = file.path.hasSuffix(".yml") ? file.path.dropLast(3) + "yaml" : file.path
            self.files[key] = File(path: file.path, source: file.source, root: root)
            add(root, as: key) { _ in key }
        }
    }

    /// An overlay as a spec: its methods and models are in the files in which the spec has them, or
    /// would have them.
    init(overlay root: YAMLNode, of spec: SpecTree) {
        add(root, as: "api.yaml") { part in
            let group = part.name.split(separator: ".").dropLast().joined(separator: ".")
            return spec.parts[part]?.file
                ?? (part.section == "models" || group.isEmpty ? "models" : group) + ".yaml"
        }
    }

    private mutating func add(_ root: YAMLNode, as file: String, placing: (Part) -> String) {
        settings[file] = root.entries.map(SpecMember.init).filter {
            !Self.sections.contains($0.name)
        }
        let group = file.dropLast(".yaml".count).replacing("/", with: ".")
        for section in Self.sections {
            for entry in root.value(of: section)?.entries ?? [] {
                let key = entry.key.text
                // A method's key without these has the name of its group in front.
                let isShort = section == "methods" && !key.contains { "./:".contains($0) }
                let part = Part(section: section, name: isShort ? "\(group).\(key)" : key)
                let file = placing(part)
                entries[file, default: []].append((part, entry))
                if parts[part] == nil { parts[part] = (file, entry.value) }
            }
        }
    }
}
