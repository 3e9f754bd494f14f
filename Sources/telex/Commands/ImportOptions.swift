import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecImport
import TelexCompiler

/// What all imports have in common.
struct ImportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder of the spec; created if missing.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The file of the report.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "The Swift name of the API, instead of one of its title.", valueName: "name"))
    var api: String?

    @Option(
        help: ArgumentHelp(
            "Only operations with this tag, id, or beginning of the path (`/users`).",
            valueName: "choice"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp(
            "No operations with this tag, id, or beginning of the path.", valueName: "choice"))
    var exclude: [String] = []

    @Flag(help: "Let replies that break the description, or lack keys, only be reported.")
    var tolerant = false

    @Flag(help: "Keep the keys that objects have beyond those described: `additional: json`.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "A file whose entries are merged over the import; repeatable.", valueName: "file"))
    var overlay: [String] = []

    @Flag(help: "Keep what was edited since the last import. Give its other options again.")
    var update = false

    @Flag(help: "Overwrite a folder with files that are yours, or that you have changed.")
    var force = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        if update, force {
            throw ValidationError("--update keeps edits, and --force overwrites them: give one.")
        }
        try requireFolder(output, "--output")
        if let api, api.wholeMatch(of: #/[A-Z][A-Za-z0-9]*/#) == nil {
            throw ValidationError("--api is a Swift name, such as MyShop.")
        }
    }

    /// Reads files, translates them, and writes the spec.
    ///
    /// - Parameters:
    ///   - files: The files, with the names by which they refer to each other.
    ///   - translate: Makes a spec of the files; it may read further ones by their paths.
    func run(
        _ files: [(path: String, name: String)],
        by translate: (
            [SourceFile], DescriptionImport.Options, (_ path: String) -> SourceFile?
        ) -> DescriptionImport
    ) throws {
        var sources = SourceMap()
        var report = Report()
        for file in files { read(file.path, named: file.name, into: &sources, &report) }
        let description = sources.files
        let overlays = overlay.compactMap { read($0, named: $0, into: &sources, &report) }
        try reporting.stop(report)
        if sources.files.map(\.bytes.count).reduce(0, +) > 1 << 20, Console.isTerminal {
            let names = files.prefix(3).map(\.path).joined(separator: ", ")
            Console.printError("reading \(names)…\n")
        }
        var options = DescriptionImport.Options()
        options.selection = OperationSelection(including: include, excluding: exclude)
        options.api = api
        options.isTolerant = tolerant
        options.isOpen = open
        options.shownPath = { [output] in SpecFolderReader.shownPath(of: $0, in: output) }
        // Without a record, the merge fails.
        if update { options.last = (try? ImportedFolder(path: output).record()) ?? [] }
        var result = translate(description, options) { path in
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return read(path, named: path, into: &sources, &report)
        }
        for file in overlays where !result.files.isEmpty { result.apply(file, in: sources) }
        try reporting.stop(report)
        try reporting.stop(Report(result.diagnostics, sources))
        let merge = try write(result, sources: sources, report: &report)
        summarize(result, counts: merge?.counts, sources: sources)
        var found = Report(TelexCompiler.check(SpecFolderReader.read(output)))
        if let merge { found.add(Report(merge.conflicts, merge.sources)) }
        reporting.show(found)
        let hasLosses = reporting.strict && !result.report.losses.isEmpty
        if hasLosses || reporting.fails(found.bag) { throw ExitCode.failure }
    }

    /// Writes the spec.
    ///
    /// - Returns: How it was merged; nil without `--update`.
    private func write(
        _ result: DescriptionImport, sources: SourceMap, report: inout Report
    ) throws -> SpecMerge? {
        let folder = ImportedFolder(path: output)
        let files = EditorSchema.finished(result.files)
        do throws(ImportedFolder.Problem) {
            let merge = update ? try folder.merge(files) : nil
            if let merge, merge.problems.hasErrors {
                report = Report(merge.problems, merge.sources)
            } else {
                var changes =
                    if let merge {
                        try folder.templates(of: files).merging(merge.changes) { $1 }
                    } else {
                        try folder.replacement(by: files, replacing: force)
                    }
                for (name, text) in EditorSchema.files { changes[name] = Array(text.utf8) }
                try folder.write(
                    changes, record: files, report: result.page(sources), at: self.report)
                return merge
            }
        } catch {
            report.add(error.code, error.message, at: error.path, help: error.help)
        }
        try reporting.finish(report)
        return nil
    }

    @discardableResult private func read(
        _ path: String, named name: String, into sources: inout SourceMap, _ report: inout Report
    ) -> SourceFile? {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return sources.add(path: name, bytes: Array(data))
        } catch {
            report.add(
                .unreadable, "cannot be read: \(error.localizedDescription)", at: path,
                help: "check the path")
            return nil
        }
    }

    private func summarize(
        _ result: DescriptionImport, counts: SpecMerge.Counts?, sources: SourceMap
    ) {
        var text =
            (counts?.summary ?? "\(result.methodCount) methods, \(result.modelCount) models") + "\n"
        let effects = result.report.effects.map { "\($0.count) \($0.effect.rawValue.lowercased())" }
        if !effects.isEmpty {
            text += "not in the spec: " + effects.joined(separator: ", ") + "\n"
        }
        let losses = Dictionary(grouping: result.report.losses, by: \.kind)
        for (kind, count) in result.report.counts.filter({ $0.kind.effect != .noise }).prefix(3) {
            let number = String(repeating: " ", count: max(0, 7 - "\(count)".count)) + "\(count)"
            let place = losses[kind]?.first.map { " (\(sources.place(of: $0.span)))" } ?? ""
            text += "\(number)  \(kind.title)\(place)\n"
        }
        if let advice = result.report.advice { text += "\(advice)\n" }
        if !effects.isEmpty { text += "see \(report ?? output + "/import-report.md")\n" }
        Console.printError(text)
    }
}

extension SpecMerge.Counts {
    /// `2 added, 1 conflict`
    fileprivate var summary: String {
        let parts = [
            (added, "added"), (changed, "changed"), (removed, "removed"), (kept, "kept as edited"),
            (conflicts, conflicts == 1 ? "conflict" : "conflicts"),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return shown.isEmpty ? "nothing changed" : shown.joined(separator: ", ")
    }
}
