import ArgumentParser
import SpecDiagnostics

/// The options for the format of diagnostics, and for failing on warnings.
struct ReportOptions: ParsableArguments {
    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    @Option(
        help: ArgumentHelp(
            "The form of diagnostics.",
            discussion: ReportFormat.all.map { "\($0.name) \($0.purpose)" }.joined(separator: "; ")
                + """
                . Those after github are documents on standard output. Default: github in \
                GitHub Actions; terminal if standard error is one; otherwise line.
                """))
    var format: ReportFormat?

    @Option(
        help: ArgumentHelp(
            "Colours of the form terminal.",
            discussion: "auto: on a terminal, unless NO_COLOR is set."))
    var color: Color = .auto

    @Flag(help: "Fail on warnings too.")
    var strict = false

    /// Whether these diagnostics fail the run.
    func fails(_ bag: DiagnosticBag) -> Bool {
        bag.hasErrors || strict && bag.warningCount > 0
    }

    /// Shows diagnostics and ends the run if they fail it.
    func finish(_ report: Report) throws {
        show(report)
        if fails(report.bag) { throw ExitCode.failure }
    }

    /// Shows diagnostics and ends the run if there are errors; otherwise it continues.
    func stop(_ report: Report) throws {
        guard report.bag.hasErrors else { return }
        try finish(report)
    }

    /// Shows diagnostics.
    func show(_ report: Report) {
        let format = format ?? Self.usualFormat
        let context = ReportFormat.Context(toolVersion: Telex.version, isColored: isColored)
        let text = format.renderer(context).render(report.bag, in: report.sources)
        if format.isDocument { Console.print(text) } else { Console.printError(text) }
        // The form of a terminal ends with it.
        if format.name != ReportFormat.terminal.name, report.bag.droppedCount > 0 {
            Console.printError(report.bag.summary + "\n")
        }
    }

    private static var usualFormat: ReportFormat {
        // A build system reads what the tool of the plugin prints.
        #if !TELEX_PLUGIN
            if Console.isInGitHubActions { return .github }
        #endif
        return Console.isTerminal ? .terminal : .line
    }

    private var isColored: Bool {
        switch color {
        case .auto: Console.wantsColors
        case .always: true
        case .never: false
        }
    }
}

extension ReportFormat: ExpressibleByArgument {
    /// Reads its name.
    public init?(argument: String) { self.init(named: argument) }

    /// The names of all forms.
    public static var allValueStrings: [String] { all.map(\.name) }
}
