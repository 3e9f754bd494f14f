import Foundation
import PackagePlugin

/// The folder of specs that belongs to a target.
struct TargetSpecs {
    let url: URL
    /// Every file of the folder that the compiler reads, relative with `/`, sorted.
    let files: [String]

    /// Whether a file is the one that every spec folder has.
    static func isAPI(_ file: URL) -> Bool {
        OutputName.isAPI(file.lastPathComponent)
    }

    /// Whether the API file of a folder says `telex:`, as that of every spec does.
    private static func isTelexSpec(_ folder: String) -> Bool {
        ["api.yaml", "api.yml"].contains { name in
            let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            return text?.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("telex") }
                == true
        }
    }

    /// Finds the one spec folder in or below some folders. What lies inside a spec folder is part
    /// of it, even if it is called `api.yaml`.
    static func find(in roots: [URL], for target: String) throws -> TargetSpecs {
        var found: [String] = []
        for root in roots {
            for file in FolderWalk(root).files.map({ root.appending(path: $0) }) where isAPI(file) {
                found.append(file.deletingLastPathComponent().standardizedFileURL.path)
            }
        }
        found = Set(found).filter { inner in
            !found.contains { $0 != inner && inner.hasPrefix($0 + "/") }
        }.sorted()
        // Other tools call their files so, too: OpenAPI, for one.
        if found.count > 1 { found = found.filter(isTelexSpec) }
        guard let path = found.first, found.count == 1 else {
            throw TargetSpecsError(target, found)
        }
        let url = URL(filePath: path, directoryHint: .isDirectory)
        return TargetSpecs(url: url, files: FolderWalk(url).files.filter(OutputName.isSpec))
    }

    /// The command that compiles the folder for a target with these files of its own.
    ///
    /// - Throws: If one of them has the name of a file that is generated: a build would only say that
    ///   one object has two producers.
    func command(
        tool: URL, output: URL, for target: String, besides own: [URL]
    ) throws -> Command {
        let names = OutputName.files(forSpecs: files)
        if let file = own.first(where: { names.contains($0.lastPathComponent) }) {
            throw TargetSpecsError(target, taken: file)
        }
        return .buildCommand(
            displayName: "Compiling the specs in \(url.lastPathComponent)",
            executable: tool,
            // The folder is the target's own: what else lies there is of an API that was called otherwise.
            arguments: ["generate", url.path, "--output", output.path, "--replace"],
            inputFiles: files.map { url.appending(path: $0) },
            outputFiles: names.map { output.appending(path: $0) })
    }
}

/// Why the specs of a target cannot be compiled.
struct TargetSpecsError: Error, CustomStringConvertible {
    let description: String

    init(_ target: String, taken file: URL) {
        description =
            "target `\(target)` has a file of its own with the name of one that is generated from its "
            + "specs, and a module has each name once: rename \(file.path)"
    }

    init(_ target: String, _ found: [String]) {
        let list = found.joined(separator: ", ")
        description =
            found.isEmpty
            ? "target `\(target)` uses TelexBuildPlugin, but has no spec folder: put "
                + "`api.yaml` into a folder inside the target's own, for instance `Specs`"
            : "target `\(target)` has several spec folders (\(list)): one target compiles one "
                + "API, so give each its own target"
    }
}
