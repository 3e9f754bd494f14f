import SpecDiagnostics
import SpecIR
import SpecImport
import SpecSemantics
import SpecSyntax
import SpecTemplateRules
import TelexCompiler
import TelexJSON

/// Edits the declarations of a spec so that they allow what traffic has. Comments stay.
struct SpecHealer {
    private let compilation: Compilation
    private let declarations: Declarations
    private var files: [FileID: SpecFileEditor] = [:]
    /// The types that were changed. Another change of one is for the next round, which sees the first.
    private var touched: Set<Span> = []

    init(_ compilation: Compilation, _ api: API) {
        self.compilation = compilation
        declarations = Declarations(compilation, api)
    }

    /// The folder with the changes.
    func healed(_ folder: SpecFolder) -> SpecFolder {
        var result = folder
        for (id, editor) in files {
            let path = compilation.sources[id].path
            guard let index = result.files.firstIndex(where: { $0.shownPath == path }) else {
                continue
            }
            result.files[index].bytes = editor.bytes
        }
        return result
    }

    /// Changes the spec so that a finding is none any more.
    ///
    /// - Returns: What it is about and what has become of it; nil if that takes a decision.
    mutating func heal(
        _ finding: DriftReport.Finding, of method: String
    ) -> (subject: String, result: String)? {
        guard let steps = SpecWalk.steps(finding.firstPath) else { return nil }
        if finding.rule == SpecNoteRule.undeclared || finding.rule == "closed" {
            return addField(finding, steps, method)
        }
        guard let found = declarations.declaration(of: steps, in: method, status: nil) else {
            return nil
        }
        var result: String?
        switch finding.rule {
        case "required": result = found.isField ? mark(found.declared, isOptional: true) : nil
        case "type" where finding.kinds == [.null]: result = mark(found.declared, isOptional: false)
        case "type": result = widen(found.declared, finding)
        case SpecNoteRule.unknownCase: result = addCases(found.type, finding)
        default: result = relax(found.chain, finding)
        }
        return result.map { (found.subject, $0) }
    }

    /// The editor of the file of a span, if the type there was not changed before.
    private mutating func editor(of span: Span) -> SpecFileEditor? {
        if let known = files[span.file] { return known }
        let editor = SpecFileEditor(compilation.sources[span.file])
        files[span.file] = editor
        return editor
    }

    /// Makes a change in the file of a type, once.
    private mutating func edit(
        _ span: Span, _ change: (inout SpecFileEditor) -> String?
    ) -> String? {
        guard !touched.contains(span), var editor = editor(of: span),
            let result = change(&editor)
        else { return nil }
        touched.insert(span)
        files[span.file] = editor
        return result
    }

    // MARK: Types

    private mutating func mark(_ type: TypeSyntax, isOptional: Bool) -> String? {
        if (isOptional ? type.optional : type.nullable) != nil { return nil }
        return edit(type.span) { $0.mark(type, isOptional: isOptional) }
    }

    /// Lets a type have more values.
    private mutating func widen(
        _ type: TypeSyntax, _ finding: DriftReport.Finding
    ) -> String? {
        guard case .named(let name) = type.form, type.arguments.isEmpty,
            TypeNames.scalars.contains(name), let kind = finding.kinds.first
        else { return nil }
        let numbers: Set<String> = ["int", "int32", "uint", "double", "decimal"]
        switch (name, kind) {
        case ("int32", .integer), ("uint", .integer):
            return edit(type.span) { $0.rename(type, to: "int") }
        case ("int", .integer), ("int", .number), ("int32", .number), ("uint", .number):
            return edit(type.span) { $0.rename(type, to: "double") }
        case (_, .string) where numbers.contains(name),
            ("string", .integer), ("string", .number):
            let isNumber = finding.found.allSatisfy { Double($0.filter { $0 != "\"" }) != nil }
            let either = isNumber ? edit(type.span) { $0.acceptBothForms(type) } : nil
            return either ?? edit(type.span) { $0.rename(type, to: "json", isBare: true) }
        case ("bool", _), ("string", _), ("json", _):
            return edit(type.span) { $0.rename(type, to: "json", isBare: true) }
        case (_, .string): return edit(type.span) { $0.rename(type, to: "string", isBare: true) }
        default: return edit(type.span) { $0.rename(type, to: "json", isBare: true) }
        }
    }

    // MARK: Rules

    /// Widens the bound that is broken, or removes another rule.
    private mutating func relax(
        _ chain: [TypeSyntax], _ finding: DriftReport.Finding
    ) -> String? {
        let rules = chain.flatMap(\.attributes.rules)
        guard let rule = rules.first(where: { $0.name.value.rawValue == finding.rule }) else {
            return nil
        }
        return edit(rule.name.span) { editor in
            guard let value = Self.bound(finding) ?? Self.choices(rule, finding) else {
                return editor.removeEntry(rule.name.span)
            }
            return editor.replaceValue(of: rule.name.span, by: value)
        }
    }

    /// The bound that allows all numbers that were found.
    private static func bound(_ finding: DriftReport.Finding) -> DraftValue? {
        guard let range = finding.range, range.lowerBound.magnitude < 1e15,
            range.upperBound.magnitude < 1e15
        else { return nil }
        let isLow = ["min", "above", "min-length", "min-bytes", "min-items", "min-keys"]
            .contains(finding.rule)
        var bound = isLow ? range.lowerBound : range.upperBound
        if finding.rule == "above" { bound -= 1 }
        if finding.rule == "below" { bound += 1 }
        return .word(bound == bound.rounded() ? String(Int64(bound)) : bound.description)
    }

    /// The values that were found besides those of the rule `in`.
    private static func choices(
        _ rule: RuleSyntax, _ finding: DriftReport.Finding
    ) -> DraftValue? {
        guard finding.rule == "in", rule.argument.kind == .sequence, !finding.samples.isEmpty
        else { return nil }
        let new = finding.samples.map { $0.asString.map(DraftValue.text) ?? .word($0.description) }
        return .list(rule.argument.items.map { DraftValue($0) } + new)
    }

    // MARK: Enumerations and fields

    private mutating func addCases(
        _ type: TypeSyntax, _ finding: DriftReport.Finding
    ) -> String? {
        guard case .enumeration(let values) = type.form, let last = values.cases.last else {
            return nil
        }
        let words = finding.samples.compactMap(\.asString)
        let isInteger = values.base?.value == .int || last.value.integer != nil
        let new = words.map { isInteger ? DraftValue.word($0) : .text($0) }
        guard !new.isEmpty else { return nil }
        return edit(values.span) { editor in
            editor.addCases(new, named: words, behind: last)
                ? "also " + words.prefix(10).joined(separator: ", ") : nil
        }
    }

    /// Adds a field for a key, with the types of its values.
    private mutating func addField(
        _ finding: DriftReport.Finding, _ steps: [SpecWalk.Step], _ method: String
    ) -> (subject: String, result: String)? {
        guard case .key(let key)? = steps.last, !finding.samples.isEmpty,
            let owner = declarations.declaration(
                of: Array(steps.dropLast()), in: method, status: nil),
            case .object(let fields) = owner.type.form, let last = fields.last
        else { return nil }
        let objects = finding.samples.map { JSONObject([JSONObject.Member(key: key, value: $0)]) }
        // Without the key in one of them, the field may be missing.
        let nodes = (objects.map(JSONValue.object) + [.object(JSONObject([]))])
            .compactMap { try? TemplateParser.parse(Array($0.description.utf8)) }
        let types = TypeInference.types(
            of: TemplateReading(replies: nodes).shape, named: owner.subject,
            taken: compilation.typeNames, in: compilation.spec.api)
        guard
            case .map(let declared)? = SpecFileEditor.entries("models:\n" + types.models)["models"],
            let wrapper = declared.first(where: { $0.key == types.reply }),
            case .map(let parts) = wrapper.value, case .map(let entries)? = parts["fields"],
            let field = entries.first
        else { return nil }
        let result = edit(last.key.span) { editor in
            editor.add(
                field, behind: last.key.span, models: declared.filter { $0.key != types.reply })
        }
        return result.map { ("\(owner.subject).\(field.key)", $0) }
    }
}

/// The names of notes among the rules of findings.
enum SpecNoteRule {
    static let undeclared = "undeclared"
    static let unknownCase = "enum"
}

extension SpecWalk.Found {
    /// The type as it is used: of the field, or of an element.
    fileprivate var declared: TypeSyntax { chain.first ?? type }
}
