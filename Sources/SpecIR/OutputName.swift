/// Names of generated files. The compiler and the build plugin share this file, so that their names
/// agree. The plugin cannot import a module and compiles it through a symbolic link.
public enum OutputName {
    /// The files that every API has.
    public static let fixed = ["API.swift", "API+Methods.swift"]
    /// The file that an API has if its spec folder has templates.
    public static let templates = "API+Templates.swift"

    /// The Swift file of a spec file, by its path relative to the spec folder:
    /// `media/photo-albums.yaml` gives `Media+PhotoAlbums.swift`, `api.yaml` gives `API.swift`.
    public static func file(forSpec relativePath: String) -> String {
        isAPI(relativePath) ? fixed[0] : stem(withoutExtension(relativePath)) + ".swift"
    }

    /// The number of Swift files that a spec file becomes, by its size in bytes: one for every
    /// 24 KiB, so that hardly any has more than 5,000 lines. A build plugin has to know it before
    /// the spec is read.
    public static func parts(forSpec relativePath: String, size: Int) -> Int {
        isAPI(relativePath) ? 1 : max(1, (size + 24_575) / 24_576)
    }

    /// The name of a further part of a Swift file, from 2 on: `Users+2.swift`.
    public static func file(_ name: String, part: Int) -> String {
        "\(name.dropLast(".swift".count))+\(part).swift"
    }

    /// The Swift files of a spec file with this number of parts.
    public static func files(forSpec relativePath: String, parts: Int) -> [String] {
        let first = file(forSpec: relativePath)
        return [first] + (1..<max(1, parts)).map { file(first, part: $0 + 1) }
    }

    /// The Swift files of a folder, sorted, each once. A file whose name cannot become a Swift file
    /// name is left out, because the compiler reports it.
    ///
    /// - Parameter parts: The files of the folder, each with the number of its parts.
    public static func files(forSpecs parts: [String: Int]) -> [String] {
        let specs = parts.filter { isSpec($0.key) && isPlain($0.key) }
            .flatMap { files(forSpec: $0.key, parts: $0.value) }
        return Set(common(forSpecs: parts.keys) + specs).sorted()
    }

    /// The Swift files of a folder with these files that belong to no single one.
    public static func common(forSpecs relativePaths: some Sequence<String>) -> [String] {
        fixed + (relativePaths.contains(where: isTemplate) ? [templates] : [])
    }

    /// Whether a path consists of letters, digits, `-`, `_`, dots and slashes. Build tools give
    /// other characters a meaning of their own.
    public static func isPlain(_ relativePath: String) -> Bool {
        relativePath.allSatisfy { $0.isLetter || $0.isNumber || "-_./".contains($0) }
    }

    /// Whether the file, by its path relative to the spec folder, is part of the spec: YAML, and
    /// neither hidden nor in a hidden folder.
    public static func isSpec(_ relativePath: String) -> Bool {
        let isVisible = relativePath.split(separator: "/").allSatisfy { !$0.hasPrefix(".") }
        return isVisible && (relativePath.hasSuffix(".yaml") || relativePath.hasSuffix(".yml"))
    }

    /// Whether the file, by its path relative to the spec folder, is a template of replies: JSON in
    /// the folder `templates`, and not hidden.
    public static func isTemplate(_ relativePath: String) -> Bool {
        let parts = relativePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == "templates" && parts[1].hasSuffix(".json")
            && !parts[1].hasPrefix(".")
    }

    /// Whether the file is JSON in a visible folder inside of `templates`, where it is no template.
    public static func isMisplacedTemplate(_ relativePath: String) -> Bool {
        let parts = relativePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 2 && parts[0] == "templates" && relativePath.hasSuffix(".json")
            && !parts.contains { $0.hasPrefix(".") }
    }

    /// Whether the compiler reads the file, by its path relative to the spec folder.
    public static func isInput(_ relativePath: String) -> Bool {
        isSpec(relativePath) || isTemplate(relativePath) || isMisplacedTemplate(relativePath)
    }

    /// Whether the path, relative to the spec folder, is that of the API file.
    public static func isAPI(_ relativePath: String) -> Bool {
        relativePath == "api.yaml" || relativePath == "api.yml"
    }

    private static func withoutExtension(_ path: String) -> String {
        for end in [".yaml", ".yml"] where path.hasSuffix(end) {
            return String(path.dropLast(end.count))
        }
        return path
    }

    /// Every component in upper camel case, joined by `+`.
    private static func stem(_ path: String) -> String {
        let components = path.split(separator: "/").map { component in
            component.split { "-_. ".contains($0) }
                .map { $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined()
        }
        return components.filter { !$0.isEmpty }.joined(separator: "+")
    }
}
