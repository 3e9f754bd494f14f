import Foundation
import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import SpecTemplateRules
import TelexCompiler

/// Makes templates of replies for the methods of a spec folder, all of which are written together.
struct TemplateBench {
    /// The spec without its templates.
    let compilation: Compilation
    private let folder: SpecFolder
    private let base: SpecFolder
    private let specs: String
    private let proposes: Bool

    private struct Draft {
        let method: String
        let relativePath: String
        let count: Int
        let draft: TemplateDraft
        /// The shape of the replies of a method without `returns`.
        let undeclared: TemplateShape?
    }

    private var drafts: [Draft] = []

    init(_ folder: SpecFolder, at specs: String, proposes: Bool = false) {
        self.folder = folder
        self.specs = specs
        self.proposes = proposes
        let named = Set(
            TelexCompiler.check(folder).spec.groups.flatMap(\.methods)
                .compactMap(\.template?.value))
        // Null fits every type. A template that is only called like its method may be missing.
        var base = folder
        base.files = folder.files.compactMap { file in
            guard OutputName.isTemplate(file.relativePath) else { return file }
            guard named.contains(Self.name(of: file)) else { return nil }
            var file = file
            file.bytes = Array("null".utf8)
            return file
        }
        self.base = base
        compilation = TelexCompiler.compile(base)
    }

    private static func name(of file: SpecFolder.File) -> String {
        String(file.relativePath.drop { $0 != "/" }.dropFirst())
    }

    // MARK: Types

    /// The types of a reply of a method, as a text to paste into its group.
    func types(of method: String, _ shape: TemplateShape) -> String {
        let unwrap = compilation.method(named: method)?.reply ?? compilation.api?.reply
        let types = TypeInference.types(
            of: shape, at: unwrap?.unwrap ?? [], named: method, taken: compilation.typeNames,
            in: compilation.spec.api, proposes: proposes)
        let file = SpecAnalyzer.method(method, in: compilation.spec)?.group.path ?? ""
        return "# \(method), in \(file):\n    returns: \(types.reply)\n"
            + (types.models.isEmpty ? "" : "\nmodels:\n" + types.models)
    }

    // MARK: Templates

    /// Makes the template of a method; a method that cannot have one is reported.
    mutating func add(
        _ method: String, _ replies: [TemplateNode], replacing: Bool, into report: inout Report
    ) {
        guard let found = compilation.method(named: method),
            let syntax = SpecAnalyzer.method(method, in: compilation.spec)?.syntax
        else { return }
        let isDeclared = syntax.returns != nil || !syntax.replies.isEmpty
        if isDeclared {
            guard case .value = found.output, [.data, .upload].contains(found.operation.kind) else {
                return report.add(
                    .templateDoesNotApply, "the reply of `\(method)` is not one JSON value",
                    at: specs, help: "a template describes a reply that is one JSON value")
            }
        }
        let name = syntax.template?.value ?? method + TemplateSyntax.ending
        let path = "templates/\(name)"
        guard OutputName.isTemplate(path) else {
            return report.add(
                .unknownTemplate, "`\(name)` is no name of a file in `templates`", at: specs,
                help: "give `\(method)` a template with another name: `template: reply.json`")
        }
        let existing = folder.files.first { $0.relativePath == path }
        guard existing == nil || replacing else {
            return report.add(
                .templateExists, "`\(method)` has a template", at: "\(folder.shownPath)/\(path)",
                help: "`--replace` makes a new one and keeps its rules")
        }
        let draft = TemplateDraft(
            of: replies, for: found, in: compilation.api,
            keepingRulesOf: existing.flatMap { try? TemplateParser.parse($0.bytes) })
        drafts.append(
            Draft(
                method: method, relativePath: path, count: replies.count, draft: draft,
                undeclared: isDeclared ? nil : TemplateReading(replies: replies).shape))
    }

    /// Writes the templates, and prints what was written and the types of methods that declare none.
    ///
    /// - Returns: A report of what the templates and the declared types contradict each other in.
    func write() throws(OutputError) -> Report {
        for draft in drafts {
            try Self.write(draft.draft.text, to: "\(folder.shownPath)/\(draft.relativePath)")
            let replies = draft.count == 1 ? "1 reply" : "\(draft.count) replies"
            Console.print("wrote \(folder.shownPath)/\(draft.relativePath) from \(replies)\n")
            for key in draft.draft.keysLeftOut.prefix(10) {
                Console.print("  without `\(key)`, which a template would read as rules\n")
            }
            for key in draft.draft.rulesLeftOut.prefix(10) {
                Console.print("  without the rules of `\(key)`, which fit no value there\n")
            }
        }
        for draft in drafts {
            if let shape = draft.undeclared { Console.print("\n" + types(of: draft.method, shape)) }
        }
        return drift()
    }

    private func drift() -> Report {
        var checked = base
        for draft in drafts {
            checked.files.removeAll { $0.relativePath == draft.relativePath }
            checked.files.append(
                SpecFolder.File(
                    relativePath: draft.relativePath,
                    shownPath: "\(folder.shownPath)/\(draft.relativePath)",
                    bytes: Array(draft.draft.text.utf8)))
        }
        return Report(
            TelexCompiler.check(checked),
            only: [.badTemplate, .templateMismatch, .doubtfulTemplate])
    }

    /// Writes a file as a whole or not at all.
    static func write(_ text: String, to path: String) throws(OutputError) {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw OutputError(
                path: path, message: "cannot be written: \(error.localizedDescription)")
        }
    }
}
