import Foundation
import SpecDiagnostics

/// The folder of an imported spec. Its report lists the files with their checksums, by which the
/// next import knows what it may replace.
struct ImportedFolder {
    /// Why nothing was written.
    struct Problem: Error {
        let code: DiagnosticCode
        let path: String
        let message: String
        var help: String?
    }

    /// Its path, as given and as shown.
    let path: String

    private static let report = "import-report.md"

    private var url: URL { URL(fileURLWithPath: path) }

    /// Writes all files to a folder beside it first, and then moves them, so that a failure leaves
    /// no half of a spec. Files of an earlier import that the new one does not have are removed.
    ///
    /// - Parameters:
    ///   - report: The report, and the file for it; nil: in the folder.
    ///   - replacing: Whether files of the user are overwritten.
    func write(
        _ files: [(name: String, text: String)], report: String, at reportPath: String?,
        replacing: Bool
    ) throws(Problem) {
        let known = written
        try checkFolder(known, replacing: replacing)
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).telex")
        defer { try? FileManager.default.removeItem(at: temporary) }
        do {
            try FileManager.default.createDirectory(
                at: temporary, withIntermediateDirectories: true)
            for (name, text) in files {
                let file = temporary.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let page =
                reportPath.map { URL(fileURLWithPath: $0) }
                ?? temporary.appendingPathComponent(Self.report)
            try Data((report + Self.list(files)).utf8).write(to: page)
            try move(temporary)
            for name in known where !files.contains(where: { $0.name == name }) {
                try FileManager.default.removeItem(at: url.appendingPathComponent(name))
            }
        } catch {
            throw Problem(
                code: .unwritable, path: path,
                message: "cannot be written: \(error.localizedDescription)")
        }
    }

    private func checkFolder(_ known: Set<String>, replacing: Bool) throws(Problem) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard FolderWalk.isFolder(url) else {
            throw Problem(
                code: .notEmpty, path: path, message: "a file of this name exists",
                help: "name a folder that does not exist yet")
        }
        let others = Self.files(in: url).filter {
            !$0.hasPrefix(".") && $0 != Self.report && !known.contains($0)
        }
        guard !replacing, let other = others.min() else { return }
        throw Problem(
            code: .notEmpty, path: path,
            message: "the folder has `\(other)`, which no import wrote, or which was changed",
            help: "name another folder, or write `--force` to overwrite the files in it")
    }

    private func move(_ temporary: URL) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: url.path) else {
            return try manager.moveItem(at: temporary, to: url)
        }
        for name in Self.files(in: temporary) {
            let (from, to) = (
                temporary.appendingPathComponent(name), url.appendingPathComponent(name)
            )
            try manager.createDirectory(
                at: to.deletingLastPathComponent(), withIntermediateDirectories: true)
            guard rename(from.path, to.path) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
    }

    /// The paths of the files in a folder and its folders.
    private static func files(in folder: URL) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { !FolderWalk.isFolder(folder.appendingPathComponent($0)) }
    }

    // MARK: Files of an earlier import

    private static let heading = "\n## files\n\n"

    private static func list(_ files: [(name: String, text: String)]) -> String {
        heading + files.map { "- \($0.name) \(checksum($0.text.utf8))\n" }.joined()
    }

    /// The names of the files that the last import wrote, as it wrote them.
    private var written: Set<String> {
        guard
            let page = try? String(
                contentsOf: url.appendingPathComponent(Self.report), encoding: .utf8),
            let start = page.range(of: Self.heading, options: .backwards)
        else { return [] }
        let names = page[start.upperBound...].split(separator: "\n").compactMap { line -> String? in
            let parts = line.dropFirst(2).split(separator: " ")
            guard parts.count == 2, !parts[0].hasPrefix("/"), !parts[0].contains(".."),
                let data = try? Data(contentsOf: url.appendingPathComponent(String(parts[0]))),
                Self.checksum(data) == parts[1]
            else { return nil }
            return String(parts[0])
        }
        return Set(names)
    }

    /// FNV-1a of 64 bits: it tells a change, and protects nothing.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> String {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}
