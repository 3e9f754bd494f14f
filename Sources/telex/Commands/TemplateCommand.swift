import ArgumentParser
import SpecDiagnostics
import SpecSemantics
import SpecTemplateRules
import TelexCompiler
import TelexJSON
import TelexTemplates

/// `telex template`
struct TemplateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template",
        abstract: "Make templates of replies, and check them.",
        discussion: """
            A template is a good reply of a method, kept as templates/METHOD.json in the spec folder. \
            It tells what every reply has to look like.

              telex template add users.get reply.json --spec specs/shop
              telex template from-har recording.har --spec specs/shop
              telex template check specs/shop
              telex template check specs/shop users.get --against reply.json
              telex template types users.get --spec specs/shop
            """,
        subcommands: [
            TemplateAdd.self, TemplateFromHAR.self, TemplateCheckCommand.self, TemplateTypes.self,
        ])
}

/// `telex template types`
struct TemplateTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Print the types that the template of a method declares.",
        discussion: """
            The types accept and refuse the same replies as the template. Names are derived from \
            keys; a name that the spec already has gets another one in front, or a number.

              telex template types users.get --spec specs/shop
            """)

    @Argument(help: "The method, with or without its group.")
    var method: String

    @Option(help: ArgumentHelp("The spec folder of the method.", valueName: "folder"))
    var spec = "."

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(spec, "--spec") }

    func run() throws {
        let folder = SpecFolderReader.read(spec)
        let found = TelexCompiler.check(folder)
        guard let name = found.methodName(method), let content = found.template(of: name)?.content
        else { return try reportMissing(found) }
        let bench = TemplateBench(folder, at: spec)
        let compatibility = found.spec.api?.templateCompatibility?.value ?? .documented
        let reading = TemplateReading(content, compatibility: compatibility)
        guard reading.isValid, bench.compilation.api != nil else {
            return try reporting.finish(Report(reading.isValid ? bench.compilation : found))
        }
        Console.print(bench.types(of: name, reading.shape))
    }

    private func reportMissing(_ found: Compilation) throws {
        var report = Report(found)
        if let name = found.methodName(method) {
            if found.template(of: name) == nil {
                report.addMissingTemplate(of: name, from: "reply.json", at: spec)
            }
        } else {
            report.addUnknownMethod(method, in: found, at: spec)
        }
        try reporting.finish(report)
    }
}

/// `telex template check`
struct TemplateCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the templates of a spec, or a reply against one.",
        discussion: """
            Reports what telex check reports. With a method and --against, the reply is checked \
            against the template of the method, too, and each violation is printed with its path. \
            Exits with 1 if there is any.

              telex template check specs/shop
              telex template check specs/shop users.get --against reply.json
            """)

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var specs: String

    @Argument(help: "The method that sent the reply.")
    var method: String?

    @Option(help: ArgumentHelp("A reply in a file.", valueName: "reply"))
    var against: String?

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        try requireFolder(specs, "The spec folder")
        guard (method == nil) == (against == nil) else {
            throw ValidationError("A reply is checked with both METHOD and --against REPLY.")
        }
    }

    func run() throws {
        let found = TelexCompiler.check(SpecFolderReader.read(specs))
        var report = Report(found)
        guard let method, let against, !reporting.fails(report.bag) else {
            return try reporting.finish(report)
        }
        guard let name = found.methodName(method) else {
            report.addUnknownMethod(method, in: found, at: specs)
            return try reporting.finish(report)
        }
        guard let syntax = found.template(of: name) else {
            report.addMissingTemplate(of: name, from: against, at: specs)
            return try reporting.finish(report)
        }
        guard let reply = ReplyFile.read(against, into: &report) else {
            return try reporting.finish(report)
        }
        reporting.show(report)
        // The compiler and the runtime each have a type of this name.
        let declared = found.spec.api?.templateCompatibility?.value.rawValue ?? ""
        let template = try Template(
            parsing: syntax.source.bytes, of: syntax.source.path,
            compatibility: TemplateCompatibility(rawValue: declared) ?? .documented)
        let violations = template.validate(reply.bytes).violations
        for violation in violations { Console.print("\(against): \(violation)\n") }
        if !violations.isEmpty { throw ExitCode.failure }
    }
}

extension Report {
    /// Adds that a method has no template, and how a reply becomes one.
    fileprivate mutating func addMissingTemplate(
        of method: String, from reply: String, at spec: String
    ) {
        add(
            .unknownTemplate, "`\(method)` has no template", at: spec,
            help: "`telex template add \(method) \(reply) --spec \(spec)` makes one")
    }
}
