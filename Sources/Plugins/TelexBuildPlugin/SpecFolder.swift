import Foundation
import PackagePlugin

/// The folder of specs that belongs to a target.
struct SpecFolder {
    let url: URL
    /// Every file of the folder that the compiler reads, relative with `/`, sorted.
    let files: [String]

    /// Whether a file is the one that every spec folder has.
    static func isAPI(_ file: URL) -> Bool {
        OutputName.isAPI(file.lastPathComponent)
    }

    /// Finds the one spec folder in or below some folders.
    static func find(in roots: [URL], for target: String) throws -> SpecFolder {
        var found: Set<URL> = []
        for root in roots {
            for file in try paths(below: root).map({ root.appending(path: $0) }) where isAPI(file) {
                found.insert(file.deletingLastPathComponent().standardizedFileURL)
            }
        }
        guard let url = found.first, found.count == 1 else {
            let list = found.map(\.path).sorted().joined(separator: ", ")
            throw SpecFolderError(
                description: found.isEmpty
                    ? "target `\(target)` uses TelexBuildPlugin, but has no spec folder: put "
                        + "`api.yaml` into a folder inside the target's own, for instance `Specs`"
                    : "target `\(target)` has several spec folders (\(list)): one target compiles "
                        + "one API, so give each its own target")
        }
        return SpecFolder(url: url, files: try paths(below: url).filter(OutputName.isSpec))
    }

    /// The command that compiles the folder.
    func command(tool: URL, output: URL) -> Command {
        .buildCommand(
            displayName: "Compiling the specs in \(url.lastPathComponent)",
            executable: tool,
            arguments: ["generate", url.path, "--output", output.path],
            inputFiles: files.map { url.appending(path: $0) },
            outputFiles: OutputName.files(forSpecs: files).map {
                output.appending(path: $0)
            })
    }

    /// The paths of all files below a folder, sorted; what is hidden is left out.
    private static func paths(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
            .sorted()
    }
}

/// Why the specs of a target cannot be compiled.
struct SpecFolderError: Error, CustomStringConvertible {
    let description: String
}
