import SpecIR
import SpecSyntax

/// The specs of a folder: it is one, or has several in it.
struct SpecRoots {
    private let roots: [ArraySlice<Substring>]

    /// Finds the folders that have an API file.
    init(_ paths: [String]) {
        roots = paths.map { $0.split(separator: "/")[...] }
            .filter { OutputName.isAPI(String($0.last ?? "")) }.map { $0.dropLast() }
            .sorted { $0.count < $1.count }
    }

    /// Whether there is no spec.
    var isEmpty: Bool { roots.isEmpty }

    /// The schema of a file; nil if it belongs to no spec.
    func schema(of path: String) -> JSONSchema? {
        let steps = path.split(separator: "/")
        guard let root = roots.first(where: { steps.starts(with: $0) }) else { return nil }
        return JSONSchema(ofFile: steps.dropFirst(root.count).joined(separator: "/"))
    }
}
