import SpecDiagnostics
import SpecSyntax
import SpecTemplateRules

/// The templates of a spec, and which method each belongs to.
struct TemplateTable {
    /// A template as it is understood.
    struct Entry {
        let source: SourceFile
        let content: TemplateNode
        let reading: TemplateReading
    }

    /// The templates, by the API's names of their methods. Those with errors are missing.
    private(set) var entries: [String: Entry] = [:]
    /// The methods that have a template, also one with errors.
    private(set) var methods: Set<String> = []

    private let byName: [String: TemplateSyntax]
    private var used: Set<String> = []

    /// Finds and reads the templates.
    init(_ spec: Spec, into bag: inout DiagnosticBag) {
        byName = Dictionary(spec.templates.map { ($0.name, $0) }) { first, _ in first }
        var owners: [String: [String]] = [:]
        for group in spec.groups {
            for method in group.methods {
                let name = MethodSyntax.fullName(method.name.value, in: group.name)
                guard let template = template(of: method, name, spec, into: &bag) else { continue }
                owners[template, default: []].append(name)
                methods.insert(name)
            }
        }
        let compatibility = spec.api?.templateCompatibility?.value ?? .documented
        for template in spec.templates {
            if let entry = Self.read(template, compatibility, into: &bag) {
                for owner in owners[template.name] ?? [] { entries[owner] = entry }
            }
            if spec.isComplete, !used.contains(template.name) {
                Self.reportUnused(template, in: spec, into: &bag)
            }
        }
    }

    /// The name of the template of a method.
    private mutating func template(
        of method: MethodSyntax, _ name: String, _ spec: Spec, into bag: inout DiagnosticBag
    ) -> String? {
        let own = byName[name + TemplateSyntax.ending]
        if let own { used.insert(own.name) }
        guard let named = method.template else { return own?.name }
        guard byName[named.value] != nil else {
            if spec.isComplete { reportUnknown(named, into: &bag) }
            return nil
        }
        used.insert(named.value)
        if let own, own.name != named.value {
            let note = "`\(own.name)` is called like the method"
            bag.report(
                .severalTemplates,
                "`\(named.value)` and `\(own.name)` are both templates of `\(name)`",
                at: named.span, notes: [Diagnostic.Note(note, at: own.source.start)],
                help: "remove one of them, or leave `template` out")
        }
        return named.value
    }

    private func reportUnknown(_ name: Located<String>, into bag: inout DiagnosticBag) {
        let near =
            byName.keys.contains(name.value + TemplateSyntax.ending)
            ? name.value + TemplateSyntax.ending : nearest(to: name.value, among: byName.keys)
        bag.report(
            .unknownTemplate, "there is no template `\(name.value)`", at: name.span,
            help: near.map { "did you mean `\($0)`?" }
                ?? "write the reply to `templates/\(name.value)`, beside `api.yaml`")
    }

    private static func reportUnused(
        _ template: TemplateSyntax, in spec: Spec, into bag: inout DiagnosticBag
    ) {
        let names = spec.groups.flatMap { group in
            group.methods.map {
                MethodSyntax.fullName($0.name.value, in: group.name) + TemplateSyntax.ending
            }
        }
        let near = nearest(to: template.name, among: names)
        bag.report(
            .unusedTemplate, "no method has the template `\(template.name)`",
            at: template.source.start,
            help: near.map { "did you mean `\($0)`? A template is called like its method" }
                ?? "call it like its method, or name it there: `template: \(template.name)`")
    }

    /// A template without errors in its rules; its mistakes are reported.
    private static func read(
        _ template: TemplateSyntax, _ compatibility: TemplateCompatibility,
        into bag: inout DiagnosticBag
    ) -> Entry? {
        guard let content = template.content else { return nil }
        let reading = TemplateReading(content, compatibility: compatibility)
        for problem in reading.problems {
            let near = problem.misspelt.flatMap { didYouMean($0.word, among: $0.known) }
            bag.report(
                problem.isWarning ? .doubtfulTemplate : .badTemplate, problem.message,
                at: template.source.span(problem.range),
                help: near ?? problem.help)
        }
        return reading.isValid
            ? Entry(source: template.source, content: content, reading: reading) : nil
    }
}

extension SpecAnalyzer {
    /// The template of a method, by its whole name: the one that it names, or the one that is called
    /// like it.
    public static func template(of method: String, in spec: Spec) -> TemplateSyntax? {
        let syntax = self.method(method, in: spec)?.syntax
        let name = syntax?.template?.value ?? method + TemplateSyntax.ending
        return spec.templates.first { $0.name == name }
    }

    /// A method by its whole name, with its group.
    public static func method(
        _ name: String, in spec: Spec
    ) -> (group: GroupSyntax, syntax: MethodSyntax)? {
        for group in spec.groups {
            for syntax in group.methods
            where MethodSyntax.fullName(syntax.name.value, in: group.name) == name {
                return (group, syntax)
            }
        }
        return nil
    }
}
