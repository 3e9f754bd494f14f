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

            Exit codes: 0 if the traffic is as the spec says; 1 if it has drifted; 2 if the traffic \
            cannot be read or the spec has errors.
            """)

    @Argument(help: ArgumentHelp("The recording, or the violations.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The folder of the spec.", valueName: "folder"))
    var spec: String

    @Flag(help: "Keys that the spec does not declare are drift, too.")
    var strictKeys = false

    @Option(
        help: ArgumentHelp(
            "The form of the report.",
            discussion: DriftFormat.all.map { "\($0.name) \($0.purpose)" }.joined(separator: "; ")
                + "."))
    var format = DriftFormat.text

    func validate() throws { try requireFolder(spec, "--spec") }

    func run() throws {
        let compilation = TelexCompiler.check(SpecFolderReader.read(spec))
        var options = DriftCheck.Options()
        options.strictKeys = strictKeys
        guard var check = DriftCheck(compilation, options) else {
            return try Self.stop(Report(compilation))
        }
        var report = Report()
        guard Self.read(file, into: &check, &report) else { return try Self.stop(report) }
        Self.show(report)
        let result = check.report()
        Console.print(format.render(result))
        if report.bag.hasErrors { throw ExitCode(2) }
        if result.hasDrift { throw ExitCode.failure }
    }

    /// Compares all traffic of a file.
    ///
    /// - Returns: Whether it can be read.
    private static func read(
        _ file: String, into check: inout DriftCheck, _ report: inout Report
    ) -> Bool {
        guard file.lowercased().hasSuffix(".jsonl") else {
            return HARFile.read(file, into: &report) { check.add($0) }
        }
        guard let bytes = ReplyFile.content(file, into: &report) else { return false }
        for line in ReportedViolation.lines(of: bytes) {
            switch line.content {
            case .success(let item):
                _ = check.add(item.violation, of: item.method, at: "line \(line.number)")
            case .failure(let problem):
                report.add(
                    .badReply, problem.message, at: "\(file):\(line.number)", help: problem.help)
            }
        }
        return true
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

extension DriftFormat: ExpressibleByArgument {
    /// Reads its name.
    public init?(argument: String) { self.init(named: argument) }

    /// The name, as the help shows it for the default.
    public var defaultValueDescription: String { name }

    /// The names of all forms.
    public static var allValueStrings: [String] { all.map(\.name) }
}
