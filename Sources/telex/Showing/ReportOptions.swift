import ArgumentParser
import SpecDiagnostics

/// The options for the format of diagnostics, and for failing on warnings.
struct ReportOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case terminal, line, sarif
    }

    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    @Option(
        help: ArgumentHelp(
            "The form of diagnostics.",
            discussion: """
                terminal shows the text they are about; line is for Xcode and build logs; sarif \
                is JSON for tools, on standard output. Default: terminal if standard error is \
                one, otherwise line.
                """))
    var format: Format?

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
        let format = format ?? (Console.isTerminal ? .terminal : .line)
        defer {
            // The form of a terminal ends with it.
            if format != .terminal, report.bag.droppedCount > 0 {
                Console.printError(report.bag.summary + "\n")
            }
        }
        switch format {
        case .terminal:
            let renderer = TerminalRenderer(colors: isColored)
            Console.printError(renderer.render(report.bag, in: report.sources))
        case .line:
            Console.printError(LineRenderer().render(report.bag, in: report.sources))
        case .sarif:
            let renderer = SARIFRenderer(toolVersion: Telex.version)
            Console.print(renderer.render(report.bag, in: report.sources))
        }
    }

    private var isColored: Bool {
        switch color {
        case .auto: Console.wantsColors
        case .always: true
        case .never: false
        }
    }
}
