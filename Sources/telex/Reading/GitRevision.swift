import Foundation
import SpecDiagnostics
import SpecIR
import TelexCompiler

/// Reads a spec folder as it is in a revision of a git repository. The working copy is not touched.
struct GitRevision {
    /// The largest file that is read, in bytes.
    private static let sizeLimit = 64 << 20

    /// The revision: a branch, a tag, a commit.
    let name: String
    /// The spec folder, relative to the current folder.
    let folder: String

    /// The folder of the revision; messages show paths that begin with `revision:`.
    func read() -> SpecFolder {
        var result = SpecFolder(shownPath: "\(name):\(folder)", files: [])
        func fail(_ message: String, _ help: String) -> SpecFolder {
            result.problems = [.init(.noFolder, message, at: result.shownPath, help: help)]
            return result
        }
        // Git would take it as an option.
        guard !name.hasPrefix("-") else {
            return fail("a revision does not begin with `-`", "name a branch, a tag or a commit")
        }
        guard git("rev-parse", "--git-dir") != nil else {
            return fail(
                "there is no git repository here",
                "name a spec folder, or run the command in the repository of the spec")
        }
        guard git("rev-parse", "--verify", "--quiet", "\(name)^{tree}") != nil else {
            return fail(
                "there is neither a folder nor a git revision `\(name)`",
                "name a spec folder, a branch, a tag or a commit; a shallow clone has few of them")
        }
        // With `./`, the folder is relative to the current one and not to that of the repository.
        let tree = "\(name):./\(folder)"
        let files = git("ls-tree", "-r", "-l", "-z", "--full-tree", tree).map(entries) ?? []
        guard !files.isEmpty else {
            return fail(
                "the revision `\(name)` has no folder `\(folder)`",
                "name the spec folder of the repository with `--spec`")
        }
        for entry in files { add(entry, to: &result) }
        return result
    }

    /// A file of a tree.
    private struct Entry {
        /// Its path relative to the spec folder.
        var path: String
        /// Whether it is a regular file, and not a link.
        var isRegular: Bool
        /// The name of its content.
        var hash: String
        /// Its size in bytes.
        var size: Int
    }

    /// The entries of `git ls-tree -l -z`: `mode type hash size`, a tab, the path, and a zero byte.
    private func entries(_ bytes: [UInt8]) -> [Entry] {
        bytes.split(separator: 0).compactMap { line in
            let parts = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1)
            let facts = parts.first?.split(separator: " ") ?? []
            guard parts.count == 2, facts.count == 4 else { return nil }
            return Entry(
                path: String(parts[1]), isRegular: facts[0].hasPrefix("100"),
                hash: String(facts[2]), size: Int(facts[3]) ?? 0)
        }
    }

    private func add(_ entry: Entry, to result: inout SpecFolder) {
        guard OutputName.isInput(entry.path) else { return }
        let shown = "\(result.shownPath)/\(entry.path)"
        let reason: String
        if !entry.isRegular {
            reason = "it is not a regular file"
        } else if entry.size > Self.sizeLimit {
            reason = "it is larger than \(Self.sizeLimit >> 20) MiB"
        } else if let bytes = git("cat-file", "blob", entry.hash) {
            return result.files.append(
                .init(relativePath: entry.path, shownPath: shown, bytes: bytes))
        } else {
            reason = "git does not give its content"
        }
        result.problems.append(
            .init(.unreadable, "the file cannot be read: \(reason)", at: shown))
    }

    /// Runs git with these arguments, without a shell.
    ///
    /// - Returns: What it prints; nil if it fails or is not installed.
    private func git(_ arguments: String...) -> [UInt8]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Array(bytes) : nil
    }
}
