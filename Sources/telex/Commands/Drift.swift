import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecDrift
import TelexCompiler

/// `telex drift`
struct Drift: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what live traffic says against a spec.",
        discussion: """
            Reads a recording of a proxy, a browser or the app's recorder (HAR 1.2), or the violations \
            that apps report (.jsonl), and compares each exchange with the spec: by method and path, \
            with counts and the place of an example. The server and its address do not matter. Values \
            that a recorder has removed are not compared.

              telex drift recording.har --spec specs/shop
              telex drift violations.jsonl --spec specs/shop --format github   # for CI
              telex drift recording.har --spec specs/shop --strict-keys
              telex drift recording.har --spec specs/shop --heal           # shows edits of the spec
              telex drift recording.har --spec specs/shop --heal --write   # makes them

            --heal proposes edits of the YAML that make the spec say what replies have, and what they \
            do to apps. Comments stay. What takes a decision, such as an alternative of a union, is \
            listed. With --strict-keys, undeclared keys become fields.

            Exit codes: 0 if the traffic is as the spec says, with --write after the edits; 1 if it has \
            drifted; 2 if the traffic \
            cannot be read or the spec has errors.
            """)

    @Argument(help: ArgumentHelp("The recording, or the violations.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The folder of the spec.", valueName: "folder"))
    var spec: String

    @Flag(help: "Keys that the spec does not declare are drift, too.")
    var strictKeys = false

    @Flag(help: "Show the edits of the spec that replies ask for.")
    var heal = false

    @Flag(help: "With --heal, make the edits: all or none.")
    var write = false

    @Option(
        help: ArgumentHelp(
            "The form of the report.",
            discussion: DriftFormat.all.map { "\($0.name) \($0.purpose)" }.joined(separator: "; ")
                + "."))
    var format = DriftFormat.text

    func validate() throws {
        try requireFolder(spec, "--spec")
        if write, !heal { throw ValidationError("--write needs --heal, which proposes the edits.") }
    }

    func run() throws {
        let folder = SpecFolderReader.read(spec)
        var options = DriftCheck.Options()
        options.strictKeys = strictKeys
        var report = Report()
        guard let traffic = Traffic(file, into: &report) else { return try Self.stop(report) }
        if heal { return try heal(folder, options, traffic, report) }
        let compilation = TelexCompiler.check(folder)
        guard var check = DriftCheck(compilation, options) else {
            return try Self.stop(Report(compilation))
        }
        traffic.compare(with: &check)
        let result = check.report()
        Console.print(format.render(result))
        try end(result, report)
    }

    private func end(_ result: DriftReport, _ report: Report) throws {
        Self.show(report)
        if report.bag.hasErrors { throw ExitCode(2) }
        if result.hasDrift { throw ExitCode.failure }
    }

    private func heal(
        _ folder: SpecFolder, _ options: DriftCheck.Options, _ traffic: Traffic, _ report: Report
    ) throws {
        var report = report
        guard let healing = Healing(folder, options, traffic: { traffic.compare(with: &$0) }) else {
            return try Self.stop(Report(TelexCompiler.check(folder)))
        }
        Console.print(healing.text(from: folder))
        if write {
            do throws(OutputError) {
                try SpecFiles.write(healing.changedFiles(of: folder).map { ($0.path, $0.new) })
            } catch {
                report.add(.unwritable, error.message, at: error.path)
            }
            return try end(healing.report, report)
        }
        Self.show(report)
        if report.bag.hasErrors { throw ExitCode(2) }
        if healing.report.hasDrift || !healing.changes.isEmpty { throw ExitCode.failure }
    }

    private static func show(_ report: Report) {
        if report.bag.all.isEmpty { return }
        Console.printError(LineRenderer().render(report.bag, in: report.sources))
    }

    private static func stop(_ report: Report) throws {
        show(report)
        throw ExitCode(2)
    }
}

/// The traffic of a file, which may be compared several times.
private struct Traffic {
    private let bytes: [UInt8]
    private let isRecording: Bool

    /// Reads a file; what cannot be read in it is reported. Nil if it is no traffic at all.
    init?(_ file: String, into report: inout Report) {
        isRecording = !file.lowercased().hasSuffix(".jsonl")
        guard let bytes = ReplyFile.content(file, into: &report) else { return nil }
        self.bytes = bytes
        if isRecording {
            guard HARFile.read(bytes, of: file, into: &report, { _ in }) else { return nil }
        } else {
            for line in ReportedViolation.lines(of: bytes) {
                guard case .failure(let problem) = line.content else { continue }
                report.add(
                    .badReply, problem.message, at: "\(file):\(line.number)", help: problem.help)
            }
        }
    }

    func compare(with check: inout DriftCheck) {
        guard isRecording else {
            for line in ReportedViolation.lines(of: bytes) {
                guard case .success(let item) = line.content else { continue }
                check.add(item.violation, of: item.method, at: "line \(line.number)")
            }
            return
        }
        try? Recording.read(bytes) { entry in
            if case .success(let entry) = entry { check.add(entry) }
        }
    }
}

extension DriftFormat: ExpressibleByArgument {
    /// Reads its name.
    public init?(argument: String) { self.init(named: argument) }

    /// The name, as the help shows it for the default.
    public var defaultValueDescription: String { name }

    /// The names of all forms.
    public static var allValueStrings: [String] { all.map(\.name) }
}
