import ArgumentParser
import Foundation
import SpecComparison
import SpecDiagnostics
import TelexCompiler

/// `telex breaking`
struct Breaking: ParsableCommand {
    enum Allowance: String, ExpressibleByArgument, CaseIterable {
        case source, behaviour
    }

    static let configuration = CommandConfiguration(
        abstract: "Tell what a change of a spec does to apps.",
        discussion: """
            Compares two versions of a spec: folders, or revisions of the git repository (branches, \
            tags, commits), of which --spec names the folder; by default it is that of the other \
            version. Changes are source-breaking (code does not compile any more), behaviour (calls \
            do something else), additive, or documentation.

              telex breaking old/vk specs/vk
              telex breaking v1.2.0 main --spec specs/vk
              telex breaking origin/main specs/vk --allow behaviour   # for CI
              telex breaking origin/main specs/vk --format markdown > comment.md
              telex breaking origin/main specs/vk --used-by Sources

            With --used-by, names are compared, not types: a line may use another thing of the same \
            name. Generated code does not count.

            Exit codes: 0 if there is no change, or only those that --allow names, additive ones \
            and documentation; 1 otherwise; 2 if one of the two does not compile.
            """)

    @Argument(help: ArgumentHelp("The old version: a spec folder or a git revision."))
    var old: String

    @Argument(help: ArgumentHelp("The new version: a spec folder or a git revision."))
    var new: String

    @Option(
        help: ArgumentHelp("The spec folder of revisions, in this folder.", valueName: "folder"))
    var spec: String?

    @Option(help: "Changes that do not fail: source (which includes behaviour) or behaviour.")
    var allow: Allowance?

    @Option(
        help: ArgumentHelp(
            "Show only what touches the Swift code in this folder, and where it uses it.",
            valueName: "folder"))
    var usedBy: String?

    @Option(
        help: ArgumentHelp(
            "The form of the changes.",
            discussion: ChangeFormat.all.map { "\($0.name) \($0.purpose)" }.joined(separator: "; ")
                + "."))
    var format = ChangeFormat.text

    func validate() throws {
        for version in [old, new] where version.isEmpty {
            throw ValidationError("A version is empty.")
        }
        if let spec { try requireFolder(spec, "--spec") }
        if let usedBy {
            try requireFolder(usedBy, "--used-by")
            guard Self.isFolder(usedBy) else {
                throw ValidationError("There is no folder '\(usedBy)'.")
            }
        }
        if spec == nil, ![old, new].contains(where: Self.isFolder) {
            throw ValidationError(
                "Neither '\(old)' nor '\(new)' is a folder. For git revisions, name the folder of "
                    + "the spec with --spec.")
        }
    }

    func run() throws {
        let (before, after) = (try compile(old), try compile(new))
        guard let oldAPI = before.api, let newAPI = after.api else { throw ExitCode(2) }
        let report = ChangeReport(
            APIComparison(oldAPI, newAPI).changes,
            old: SubjectPlaces(of: before.spec, in: before.sources),
            new: SubjectPlaces(of: after.spec, in: after.sources),
            usedBy: usedBy.map { SourceUses(swiftFiles(in: $0)) })
        let failing = Change.Kind.allCases.filter(fails)
        Console.print(format.render(report, Set(failing)))
        if report.changes.contains(where: { fails($0.kind) }) { throw ExitCode.failure }
    }

    private func fails(_ kind: Change.Kind) -> Bool {
        switch kind {
        case .source: allow != .source
        case .behaviour: allow == nil
        case .additive, .documentation: false
        }
    }

    /// The Swift files in a folder that telex has not generated.
    private func swiftFiles(in folder: String) -> [(path: String, text: String)] {
        let url = URL(fileURLWithPath: folder)
        return FolderWalk(url).files.filter { $0.hasSuffix(".swift") }.compactMap { file in
            guard let data = try? Data(contentsOf: url.appendingPathComponent(file)),
                !data.starts(with: OutputChanges.headerBytes)
            else { return nil }
            return (
                SpecFolderReader.shownPath(of: file, in: folder),
                String(decoding: data, as: UTF8.self)
            )
        }
    }

    /// Compiles a version; its diagnostics are shown if there are errors.
    private func compile(_ version: String) throws -> Compilation {
        var folder: SpecFolder
        if Self.isFolder(version) {
            folder = SpecFolderReader.read(version)
        } else {
            let path = URL(fileURLWithPath: spec ?? (version == old ? new : old)).relativePath
            folder = GitRevision(name: version, folder: path).read()
        }
        let compilation = TelexCompiler.check(folder)
        if compilation.api == nil {
            let report = Report(compilation)
            Console.printError(LineRenderer().render(report.bag, in: report.sources))
            throw ExitCode(2)
        }
        return compilation
    }

    private static func isFolder(_ path: String) -> Bool {
        FolderWalk.isFolder(URL(fileURLWithPath: path))
    }
}

extension ChangeFormat: ExpressibleByArgument {
    /// Reads its name.
    public init?(argument: String) { self.init(named: argument) }

    /// The name, as the help shows it for the default.
    public var defaultValueDescription: String { name }

    /// The names of all forms.
    public static var allValueStrings: [String] { all.map(\.name) }
}
