import Foundation

/// The files below a folder, without hidden files and folders. Links are followed, those to folders
/// only inside of it, because a link to `/` would lead through the whole disk.
///
/// The build plugin compiles this file through a symbolic link, so that its inputs and outputs
/// match those of the tool.
struct FolderWalk {
    /// Paths of files relative to the folder, with `/`, sorted.
    private(set) var files: [String] = []
    /// Relative paths of links to an enclosing folder, sorted.
    private(set) var cycles: [String] = []
    /// Relative paths of links to a folder elsewhere, sorted.
    private(set) var outside: [String] = []
    /// Folders that could not be listed, by relative path (empty for the folder itself), with the
    /// reason.
    private(set) var unreadable: [(path: String, reason: String)] = []

    private let root: String

    /// Walks through a folder.
    init(_ folder: URL) {
        root = folder.resolvingSymlinksInPath().path
        visit(folder, path: "", above: [])
        files.sort()
    }

    /// - Parameter above: The resolved paths of the enclosing folders.
    private mutating func visit(_ folder: URL, path: String, above: [String]) {
        let place = folder.resolvingSymlinksInPath().path
        guard !above.contains(place) else { return cycles.append(path) }
        guard place == root || place.hasPrefix(root == "/" ? root : root + "/") else {
            return outside.append(path)
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            return unreadable.append((path, error.localizedDescription))
        }
        for name in names where !name.hasPrefix(".") {
            let file = folder.appendingPathComponent(name)
            let relative = path.isEmpty ? name : path + "/" + name
            if Self.isFolder(file) {
                visit(file, path: relative, above: above + [place])
            } else {
                files.append(relative)
            }
        }
    }

    /// Whether a path leads to a folder, perhaps through links.
    static func isFolder(_ file: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}
