import ArgumentParser
import SpecDiagnostics
import TelexCompiler

/// `telex explain`
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain a diagnostic, or the settings of a method.",
        discussion: """
            Given a code, prints the meaning of the diagnostic, its fix and an example. Given a \
            method, prints its effective settings, including those inherited from its group and \
            from api.yaml, with the file and line of each value.

              telex explain T0101
              telex explain users.get --spec specs/vk
            """)

    @Argument(help: ArgumentHelp("A code such as T0101, or a method.", valueName: "code-or-method"))
    var subject: String

    @Option(help: ArgumentHelp("The spec folder of the method.", valueName: "folder"))
    var spec = "."

    @OptionGroup var reporting: ReportOptions

    /// Whether the subject is a code, `T` with four digits; otherwise it is a method.
    private var isCode: Bool {
        let digits = subject.dropFirst()
        return subject.uppercased().hasPrefix("T") && digits.count == 4
            && digits.allSatisfy { ("0"..."9").contains($0) }
    }

    func validate() throws {
        try requireFolder(spec, "--spec")
        guard isCode, DiagnosticCode.find(subject) == nil else { return }
        let known = nearest(to: subject.uppercased(), among: DiagnosticCode.all.map(\.id))
        let help = known.map { " Did you mean \($0)?" } ?? ""
        throw ValidationError("There is no diagnostic \(subject.uppercased()).\(help)")
    }

    func run() throws {
        if let code = isCode ? DiagnosticCode.find(subject) : nil {
            Console.print(CodePage(code).text)
        } else {
            try explainMethod()
        }
    }

    private func explainMethod() throws {
        let compilation = TelexCompiler.check(SpecFolderReader.read(spec))
        if let explanation = compilation.explanation(of: subject) {
            Console.print(MethodPage(explanation, in: compilation.sources).text)
            return
        }
        var report = Report(compilation)
        report.addUnknownMethod(subject, in: compilation, at: spec)
        try reporting.finish(report)
    }
}
