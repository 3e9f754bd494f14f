import Foundation
import PackagePlugin

/// The folder of specs that belongs to a target.
struct TargetSpecs {
    let url: URL
    /// Every file of the folder that the compiler reads, relative with `/`, sorted.
    let files: [String]

    /// Whether a file is an API file.
    static func isAPI(_ file: URL) -> Bool {
        OutputName.isAPI(file.lastPathComponent)
    }

    /// Whether the API file of a folder has the key `telex`, which every spec has.
    private static func isTelexSpec(_ folder: String) -> Bool {
        ["api.yaml", "api.yml"].contains { name in
            let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            return text?.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("telex") }
                == true
        }
    }

    /// Finds the only spec folder in or below `roots`. Files inside a spec folder belong to it,
    /// even another `api.yaml`.
    static func find(in roots: [URL], for target: String) throws -> TargetSpecs {
        var (found, links): ([String], [String]) = ([], [])
        for root in roots {
            let walk = FolderWalk(root)
            links += walk.outside.map { root.appending(path: $0).path }
            for file in walk.files.map({ root.appending(path: $0) }) where isAPI(file) {
                found.append(file.deletingLastPathComponent().standardizedFileURL.path)
            }
        }
        found = Set(found).filter { inner in
            !found.contains { $0 != inner && inner.hasPrefix($0 + "/") }
        }.sorted()
        // Other tools, such as those of OpenAPI, also use this file name.
        if found.count > 1 { found = found.filter(isTelexSpec) }
        guard let path = found.first, found.count == 1 else {
            throw TargetSpecsError(target, found, links)
        }
        let url = URL(filePath: path, directoryHint: .isDirectory)
        return TargetSpecs(url: url, files: FolderWalk(url).files.filter(OutputName.isInput))
    }

    /// The number of Swift files that a file becomes.
    private func partCount(of file: String) -> Int {
        // Links have a size of their own.
        let place = url.appending(path: file).resolvingSymlinksInPath()
        let size = try? place.resourceValues(forKeys: [.fileSizeKey]).fileSize
        return OutputName.parts(forSpec: file, size: size ?? 0)
    }

    /// Returns the command that compiles the folder for a target with its own files.
    ///
    /// - Throws: If one of them has the name of a generated file, in any case, since the names of
    ///   object files may ignore it. The build would otherwise fail with an unclear message.
    func command(
        tool: URL, output: URL, for target: String, besides own: [URL]
    ) throws -> Command {
        let parts = Dictionary(uniqueKeysWithValues: files.map { ($0, partCount(of: $0)) })
        let names = OutputName.files(forSpecs: parts)
        let taken = Set(names.map { $0.lowercased() })
        if let file = own.first(where: { taken.contains($0.lastPathComponent.lowercased()) }) {
            throw TargetSpecsError(target, taken: file)
        }
        return .buildCommand(
            displayName: "Compiling the specs in \(url.lastPathComponent)",
            executable: tool,
            // The output folder belongs to the target, so a client of another API there is an old
            // name of this one. A spec may grow between this declaration and the command, which
            // therefore splits groups as declared.
            arguments: [
                "generate", url.path, "--output", output.path, "--replace", "--parts",
                parts.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ","),
            ],
            inputFiles: files.map { url.appending(path: $0) },
            outputFiles: names.map { output.appending(path: $0) })
    }
}

/// An error that prevents the specs of a target from being compiled.
struct TargetSpecsError: Error, CustomStringConvertible {
    let description: String

    init(_ target: String, taken file: URL) {
        description =
            "target `\(target)` has a source file with the name of a file that is generated from its "
            + "specs, and file names are unique in a module: rename \(file.path)"
    }

    /// - Parameter links: Links to folders outside of the target, which are not followed.
    init(_ target: String, _ found: [String], _ links: [String]) {
        let list = found.joined(separator: ", ")
        let hint =
            links.isEmpty
            ? "" : "; links to folders elsewhere are not followed: \(links.joined(separator: ", "))"
        description =
            found.isEmpty
            ? "target `\(target)` uses TelexBuildPlugin, but has no spec folder: put "
                + "`api.yaml` into a folder inside the target's own, for instance `Specs`\(hint)"
            : "target `\(target)` has several spec folders (\(list)): one target compiles one "
                + "API, so give each its own target"
    }
}
