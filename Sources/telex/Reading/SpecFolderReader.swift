import Foundation
import SpecIR
import TelexCompiler

/// Reads a spec folder into memory. Unreadable files are recorded as problems of the folder, which
/// the compiler reports.
enum SpecFolderReader {
    /// The largest file that is read, in bytes.
    private static let sizeLimit = 64 << 20

    /// Reads the YAML files and the templates of the folder at `path`; messages show paths that begin with it.
    static func read(_ path: String) -> SpecFolder {
        let shown = shownPath(path)
        let url = URL(fileURLWithPath: path)
        var folder = SpecFolder(shownPath: shown, files: [])
        guard FolderWalk.isFolder(url) else {
            folder.problems.append(missing(url, shown))
            return folder
        }
        let walk = FolderWalk(url)
        folder.problems = problems(of: walk, shown)
        for file in walk.files where OutputName.isInput(file) {
            read(url.appendingPathComponent(file), path: file, into: &folder)
        }
        return folder
    }

    /// Reads one file; nil if there is none, or none that may be read.
    static func file(_ path: String) -> [UInt8]? {
        try? bytes(of: URL(fileURLWithPath: path))
    }

    /// The path without trailing slashes.
    private static func shownPath(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    /// The path of a file of a folder, as messages show it.
    static func shownPath(of file: String, in folder: String) -> String {
        join(shownPath(folder), file)
    }

    private static func join(_ folder: String, _ file: String) -> String {
        if file.isEmpty { return folder }
        return folder == "." ? file : folder == "/" ? "/" + file : folder + "/" + file
    }

    private static func missing(_ url: URL, _ shown: String) -> SpecFolder.Problem {
        if FileManager.default.fileExists(atPath: url.path) {
            return SpecFolder.Problem(
                .noFolder, "expected a spec folder, found a file", at: shown,
                help: "name the folder that contains `api.yaml`")
        }
        return SpecFolder.Problem(
            .noFolder, "no such folder", at: shown,
            help: "check the path, or let `telex new \(shown)` write a spec to start from")
    }

    private static func problems(of walk: FolderWalk, _ shown: String) -> [SpecFolder.Problem] {
        walk.unreadable.map {
            SpecFolder.Problem(
                .unreadable, "the folder cannot be read: \($0.reason)", at: join(shown, $0.path))
        }
            + walk.cycles.map {
                SpecFolder.Problem(
                    .endlessFolder, "the link leads back to an enclosing folder",
                    at: join(shown, $0), help: "remove the link")
            }
            + walk.outside.map {
                SpecFolder.Problem(
                    .endlessFolder, "the link leads to a folder outside of the spec",
                    at: join(shown, $0), help: "move the folder into the spec, or link its files")
            }
    }

    private static func read(_ url: URL, path: String, into folder: inout SpecFolder) {
        let shown = join(folder.shownPath, path)
        do {
            let bytes = try bytes(of: url)
            folder.files.append(
                SpecFolder.File(relativePath: path, shownPath: shown, bytes: bytes))
        } catch {
            let refusal = (error as? Refusal)?.reason
            let reason = refusal ?? error.localizedDescription
            folder.problems.append(
                SpecFolder.Problem(
                    .unreadable, "the file cannot be read: \(reason)", at: shown,
                    help: refusal == nil
                        ? "correct its permissions"
                        : "a name that begins with `.` keeps a file out of the spec"))
        }
    }

    /// The reason why a file is not opened.
    private struct Refusal: Error {
        let reason: String
    }

    private static func bytes(of url: URL) throws -> [UInt8] {
        let path = url.resolvingSymlinksInPath().path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw Refusal(reason: "it is not a regular file")
        }
        guard (attributes[.size] as? NSNumber)?.intValue ?? 0 <= sizeLimit else {
            throw Refusal(reason: "it is larger than \(sizeLimit >> 20) MiB")
        }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
