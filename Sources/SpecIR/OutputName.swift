/// How generated files are named. The build plugin holds this file too (as a link): both must agree
/// before the compiler has run.
public enum OutputName {
    /// The files of every API, besides one a group.
    public static let fixed = ["API.swift", "API+Methods.swift"]

    /// The file of a group: `users.yaml` gives `Users.swift`, `media/photo-albums.yaml` gives
    /// `Media+PhotoAlbums.swift`. Files of different folders never get one name.
    public static func file(forSpec relativePath: String) -> String {
        var path = relativePath[...]
        for ending in [".yaml", ".yml"] where path.hasSuffix(ending) {
            path = path.dropLast(ending.count)
        }
        return path.split(separator: "/").map(camelCased).joined(separator: "+") + ".swift"
    }

    private static func camelCased(_ component: Substring) -> String {
        component.split { "-_. ".contains($0) }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }
}
