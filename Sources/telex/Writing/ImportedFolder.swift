import Foundation
import SpecDiagnostics
import SpecIR
import SpecImport
import SpecSyntax

/// The folder of an imported spec. The hidden folder `.telex-import` in it is the record of the last
/// import: the files as it wrote them, with checksums by which damage is noticed.
struct ImportedFolder {
    /// Why nothing was written.
    struct Problem: Error {
        let code: DiagnosticCode
        let path: String
        let message: String
        var help: String?
    }

    /// The files that change, by path in the folder; nil for one that is removed.
    typealias Changes = [String: [UInt8]?]

    /// Its path, as given and as shown.
    let path: String

    private static let report = "import-report.md"
    private static let record = ".telex-import"
    private static let checksums = "checksums"

    private var url: URL { URL(fileURLWithPath: path) }

    // MARK: Changes

    /// The changes that make the folder that of a new import.
    ///
    /// - Parameter replacing: Whether files of the user are overwritten.
    func replacement(
        by files: [(name: String, text: String)], replacing: Bool
    ) throws(Problem) -> Changes {
        let record = (try? record()) ?? []
        let known = Set(record.filter { text(of: $0.name) == $0.text }.map(\.name))
        try checkFolder(known, replacing: replacing)
        var changes = Changes(uniqueKeysWithValues: known.map { ($0, nil) })
        for (name, text) in files { changes[name] = Array(text.utf8) }
        return changes
    }

    /// Merges a new import with what was edited since the last one.
    func merge(_ files: [(name: String, text: String)]) throws(Problem) -> SpecMerge {
        let record = try record()
        let folder = SpecFolderReader.read(path)
        if let problem = folder.problems.first {
            throw Problem(
                code: problem.code, path: problem.shownPath, message: problem.message,
                help: problem.help)
        }
        var sources = SourceMap()
        // After the merge, the record has the new files.
        let sides = [record, files].map { side in
            side.filter { OutputName.isSpec($0.name) }.map { file in
                let shown = shown("\(Self.record)/\(file.name)")
                return SpecFile(
                    path: file.name, source: sources.add(path: shown, text: file.text))
            }
        }
        let ours = folder.files.filter { OutputName.isSpec($0.relativePath) }.map { file in
            SpecFile(
                path: file.relativePath,
                source: sources.add(path: file.shownPath, bytes: file.bytes))
        }
        return SpecMerge(base: sides[0], ours: ours, theirs: sides[1], in: sources)
    }

    /// The templates of a new import, which replace those that were not edited.
    func templates(of files: [(name: String, text: String)]) throws(Problem) -> Changes {
        let record = Dictionary(
            try record().map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
        return files.filter { !OutputName.isSpec($0.name) && text(of: $0.name) == record[$0.name] }
            .reduce(into: [:]) { $0[$1.name] = Array($1.text.utf8) }
    }

    private func checkFolder(_ known: Set<String>, replacing: Bool) throws(Problem) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard FolderWalk.isFolder(url) else {
            throw Problem(
                code: .notEmpty, path: path, message: "a file of this name exists",
                help: "name a folder that does not exist yet")
        }
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        let others = paths.filter {
            !$0.hasPrefix(".") && $0 != Self.report && !known.contains($0)
                && !FolderWalk.isFolder(url.appendingPathComponent($0))
        }
        guard !replacing, let other = others.min() else { return }
        throw Problem(
            code: .notEmpty, path: path,
            message: "the folder has `\(other)`, which no import wrote, or which was changed",
            help:
                "write `--update` to keep the changes, name another folder, or write `--force` to "
                + "overwrite the files in it")
    }

    // MARK: Writing

    /// Writes all files to a folder beside it first, and then moves them, so that a failure leaves
    /// no half of a spec. The record comes last: an update that was interrupted can be repeated.
    ///
    /// - Parameters:
    ///   - files: All files of the import, for the record.
    ///   - report: The report, and the file for it; nil: in the folder.
    func write(
        _ changes: Changes, record files: [(name: String, text: String)], report: String,
        at reportPath: String?
    ) throws(Problem) {
        let manager = FileManager.default
        let (parent, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
        TemporaryName.removeLeftovers(in: parent) { $0 == name }
        let temporary = parent.appendingPathComponent(TemporaryName.of(name))
        defer { try? manager.removeItem(at: temporary) }
        do {
            let new = changes.compactMapValues(\.self)
            for (name, bytes) in new { try stage(Data(bytes), name, in: temporary) }
            for (name, text) in [(Self.checksums, Self.list(files))] + files {
                try stage(Data(text.utf8), "\(Self.record)/\(name)", in: temporary)
            }
            try manager.createDirectory(at: url, withIntermediateDirectories: true)
            if let reportPath {
                try Data(report.utf8).write(to: URL(fileURLWithPath: reportPath))
            } else {
                try stage(Data(report.utf8), Self.report, in: temporary)
                try move(Self.report, from: temporary)
            }
            for name in new.keys { try move(name, from: temporary) }
            for name in changes.keys where new[name] == nil {
                try manager.removeItem(at: url.appendingPathComponent(name))
            }
            // A folder is not replaced by a move.
            try? manager.removeItem(at: url.appendingPathComponent(Self.record))
            try move(Self.record, from: temporary)
        } catch {
            throw Problem(
                code: .unwritable, path: path,
                message: "cannot be written: \(error.localizedDescription)")
        }
    }

    private func stage(_ data: Data, _ name: String, in folder: URL) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    private func move(_ name: String, from folder: URL) throws {
        let place = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard rename(folder.appendingPathComponent(name).path, place.path) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    private func shown(_ name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }

    // MARK: Record

    private static let heading = "Written by `telex import` for `--update`; not to be edited.\n"

    private static func list(_ files: [(name: String, text: String)]) -> String {
        heading + files.map { "\($0.name) \(stableHash($0.text))\n" }.joined()
    }

    /// The files that the last import wrote, as it wrote them.
    func record() throws(Problem) -> [(name: String, text: String)] {
        guard let list = text(of: "\(Self.record)/\(Self.checksums)") else {
            throw Problem(
                code: .importRecord, path: path, message: "the folder has no record of an import",
                help: "leave `--update` out for a fresh folder, or write `--force` in its place to "
                    + "overwrite the spec")
        }
        guard list.hasPrefix(Self.heading) else { throw damage(Self.checksums, "was changed") }
        var files: [(name: String, text: String)] = []
        for line in list.dropFirst(Self.heading.count).split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, OutputName.isInput(String(parts[0])) else {
                throw damage(Self.checksums, "was changed")
            }
            let name = String(parts[0])
            guard let text = text(of: "\(Self.record)/\(name)") else {
                throw damage(name, "cannot be read")
            }
            guard stableHash(text) == parts[1] else { throw damage(name, "was changed") }
            files.append((name, text))
        }
        return files
    }

    private func damage(_ name: String, _ state: String) -> Problem {
        Problem(
            code: .importRecord, path: shown("\(Self.record)/\(name)"),
            message: "this file of the last import's record \(state)",
            help: "restore it, for instance with `git checkout`; without a record, `--force` "
                + "overwrites the spec")
    }

    /// The text of a file, without the carriage returns that version control may add.
    private func text(of name: String) -> String? {
        try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
            .replacingOccurrences(of: "\r\n", with: "\n")
    }
}
