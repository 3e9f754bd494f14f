import Foundation

/// All files below a folder, hidden ones and those in hidden folders left out. Links are followed.
///
/// The build plugin compiles this file too, through a symbolic link, so that what it declares as
/// inputs and outputs is what the tool reads and writes.
struct FolderWalk {
    /// Paths of files relative to the folder, with `/`, sorted.
    private(set) var files: [String] = []
    /// Relative paths of links that lead back to a folder they lie in, sorted.
    private(set) var cycles: [String] = []
    /// Folders that could not be listed, by relative path (empty for the folder itself), and why.
    private(set) var unreadable: [(path: String, reason: String)] = []

    /// Walks through a folder.
    init(_ folder: URL) {
        visit(folder, path: "", above: [])
        files.sort()
    }

    /// - Parameter above: The true paths of the folders that this one lies in.
    private mutating func visit(_ folder: URL, path: String, above: [String]) {
        let place = folder.resolvingSymlinksInPath().path
        guard !above.contains(place) else { return cycles.append(path) }
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
