import ArgumentParser
import SpecDiagnostics
import TelexCompiler

/// `telex generate`
struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compile a spec folder to Swift files.",
        discussion: """
            Writes API.swift, API+Methods.swift and one file for each group, or several for a large \
            one. A file is rewritten only when its content changes. Files that telex generated earlier and that have no \
            spec any more are removed; files of yours are never touched, and the client of another \
            API only with --replace. A spec with errors leaves everything as it was. Nothing is compiled \
            while specs, output and tool are the same as after the last run without a diagnostic, and \
            only what was edited if that is documentation and rules; the hidden folder .telex of the \
            output, which git ignores, remembers that run.

              telex generate specs/vk --output Sources/VKClient
              telex generate specs/vk --output Sources/VKClient --check   # for CI
              telex generate specs/vk --output Sources/VKClient --diff
            """)

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var folder: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The folder of the Swift files; created if missing.", valueName: "folder"))
    var output: String

    @Flag(help: "Write nothing; fail if a file would change.")
    var check = false

    @Flag(help: "Write nothing; print what would change as a unified diff.")
    var diff = false

    @Flag(help: "Overwrite the client of another API, after the API was renamed.")
    var replace = false

    /// Passed by the build plugin, which has declared the files before this command runs.
    @Option(help: .hidden)
    var parts: DeclaredParts?

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        if diff, let format = reporting.format, format.isDocument {
            throw ValidationError(
                "--diff and --format \(format.name) both write to standard output.")
        }
        try requireFolder(folder, "The spec folder")
        try requireFolder(output, "--output")
    }

    func run() throws {
        let specs = SpecFolderReader.read(folder)
        let lastRun = LastRun(in: OutputFolder(path: output))
        if writes, try update(specs, since: lastRun) { return }
        let compilation = TelexCompiler.compile(specs, parts: parts?.counts)
        var report = Report(compilation)
        if !reporting.fails(report.bag) {
            do {
                try deliver(compilation, &report)
            } catch {
                report.add(.unwritable, error.message, at: error.path)
            }
        }
        // Diagnostics are to appear in the next run, too.
        if writes, report.bag.isEmpty {
            let outputs = compilation.files.map {
                OutputChanges.Existing(name: $0.name, bytes: Array($0.text.utf8))
            }
            keep(specs, outputs, as: lastRun)
        }
        try reporting.finish(report)
    }

    /// Whether files are written. `--check` and `--diff` always compile.
    private var writes: Bool { !check && !diff }

    /// Brings the output up to date without compiling the whole spec: nothing is to be done, or little
    /// was edited since the last run, which had no diagnostics. False if that is not so.
    private func update(_ specs: SpecFolder, since lastRun: LastRun) throws -> Bool {
        let folder = OutputFolder(path: output)
        guard specs.problems.isEmpty, let last = lastRun.digest,
            let outputs = try? folder.existing(for: []), let digest = digest(of: outputs)
        else { return false }
        var report = Report()
        if digest.text(with: specs.files) != last {
            guard let old = lastRun.specs, digest.text(with: old) == last,
                let edited = EditedOutputs(
                    of: outputs, from: old, to: specs.files, parts: parts?.counts)
            else { return false }
            do {
                try folder.apply(edited.changes)
                keep(specs, edited.files, as: lastRun)
            } catch {
                report.add(.unwritable, error.message, at: error.path)
            }
        }
        try reporting.finish(report)
        return true
    }

    /// Keeps what this run was made of, after which the folder has these files.
    private func keep(
        _ specs: SpecFolder, _ outputs: [OutputChanges.Existing], as lastRun: LastRun
    ) {
        if let digest = digest(of: outputs) { lastRun.keep(digest, of: specs.files) }
    }

    /// The digest of a run that leaves these files; nil if the tool has no identity.
    private func digest(of outputs: [OutputChanges.Existing]) -> OutputDigest? {
        ToolIdentity.text.map {
            OutputDigest(tool: $0, parts: parts?.counts, outputs: outputs)
        }
    }

    private func deliver(
        _ compilation: Compilation, _ report: inout Report
    ) throws(OutputError) {
        let target = OutputFolder(path: output)
        let result = OutputChanges(
            generated: compilation.files,
            existing: try target.existing(for: Set(compilation.files.map(\.name))))
        if let other = result.otherAPI, !replace {
            return report.add(
                .otherAPI, "the folder holds the client of `\(other)`", at: output,
                help: "generate into another folder; if `\(other)` has a new name, add `--replace`")
        }
        for name in result.foreign {
            report.add(
                .foreignFile, "this file was not generated by telex", at: target.shown(name),
                help: "move it away, or generate into another folder")
        }
        if diff { Console.print(result.diff(in: output)) }
        if check {
            for change in result.changes { add(change, in: target, into: &report) }
        } else if !diff, result.foreign.isEmpty {
            try target.apply(result.changes)
            for change in result.changes where change.new == nil {
                Console.printError(
                    "removed \(target.shown(change.name)): it has no spec any more\n")
            }
        }
    }

    private func add(
        _ change: OutputChanges.Change, in target: OutputFolder, into report: inout Report
    ) {
        let message =
            switch (change.old, change.new) {
            case (nil, _): "the generated file is missing"
            case (_, nil): "the generated file has no spec any more"
            default: "the generated file is out of date"
            }
        report.add(
            .staleOutput, message, at: target.shown(change.name),
            help: "run `telex generate \(folder) --output \(output)`")
    }
}

/// The number of Swift files that each spec file becomes: `users.yaml=1,wall.yaml=2`.
struct DeclaredParts: ExpressibleByArgument {
    let counts: [String: Int]

    init?(argument: String) {
        var counts: [String: Int] = [:]
        for item in argument.split(separator: ",") {
            let parts = item.split(separator: "=")
            guard parts.count == 2, let count = Int(parts[1]), 1...9_999 ~= count else {
                return nil
            }
            counts[String(parts[0])] = count
        }
        self.counts = counts
    }
}
