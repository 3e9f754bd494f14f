import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and resolves enumerations.
extension LiteralReader {
    /// Resolves the declaration of an enumeration.
    func enumeration(
        _ syntax: EnumerationSyntax, name: String, into bag: inout DiagnosticBag
    ) -> Enumeration {
        let isInteger = syntax.isInteger
        var scope = NameScope("enumeration `\(name)`")
        var values: [String: Span] = [:]
        var cases: [EnumerationCase] = []
        if syntax.cases.isEmpty {
            bag.report(
                .emptyEnumeration, "enumeration `\(name)` has no values", at: syntax.span,
                help: "list them: `enum: [first, second]`")
        }
        for item in namedApart(syntax.cases, isInteger: isInteger) {
            guard let resolved = enumerationCase(item, isInteger: isInteger, into: &bag) else {
                continue
            }
            if let first = values.updateValue(item.value.span, forKey: resolved.value) {
                bag.report(
                    .duplicateCase, "value `\(resolved.value)` is listed twice",
                    at: item.value.span, notes: [Diagnostic.Note("first listed here", at: first)])
                continue
            }
            let span = item.name?.span ?? item.value.span
            scope.declare(
                resolved.name, for: "value `\(resolved.value)`", at: span, into: &bag,
                help: "give one of them a name of its own: `enum: { name: value }`")
            cases.append(resolved)
        }
        return Enumeration(isInteger: isInteger, cases: cases)
    }

    /// The cases, with names for those that only signs tell apart: `name` and `-name`, `GMT+1` and
    /// `GMT-1`.
    private func namedApart(
        _ cases: [EnumerationCaseSyntax], isInteger: Bool
    ) -> [EnumerationCaseSyntax] {
        func name(_ item: EnumerationCaseSyntax) -> String? {
            symbols.namer.lowerCamel(item.name?.value ?? caseSource(item.value.text, isInteger))
        }
        let counts = Dictionary(cases.map { (name($0), 1) }, uniquingKeysWith: +)
        return cases.map { item in
            guard item.name == nil, counts[name(item), default: 0] > 1,
                let spelt = SwiftNamer.spellingSigns(in: item.value.text)
            else { return item }
            var item = item
            item.name = Located(spelt, at: item.value.span)
            return item
        }
    }

    private func enumerationCase(
        _ syntax: EnumerationCaseSyntax, isInteger: Bool, into bag: inout DiagnosticBag
    ) -> EnumerationCase? {
        let node = syntax.value
        guard node.kind == .scalar, !isInteger || node.integer != nil else {
            bag.report(
                .badCase,
                "expected \(isInteger ? "an integer" : "a text") as a value, found "
                    + node.shown, at: node.span)
            return nil
        }
        let text = isInteger ? String(node.integer ?? 0) : node.text
        let source = syntax.name ?? Located(caseSource(text, isInteger), at: node.span)
        let name = symbols.namer.valueName(
            source, given: nil, reserved: ReservedNames.enumerationMembers,
            help: "give it one: `enum: { name: value }`", into: &bag)
        DocumentationChecker.check(syntax.documentation, into: &bag)
        return name.map {
            EnumerationCase(
                name: $0, value: text, documentation: Documentation(syntax.documentation))
        }
    }

    /// The source of an unnamed value's Swift name: the text itself, or `value5`, `empty`.
    private func caseSource(_ text: String, _ isInteger: Bool) -> String {
        if isInteger, !text.hasPrefix("-") { return "value\(text)" }
        return text.isEmpty ? "empty" : text
    }
}

extension EnumerationSyntax {
    /// Whether the values are integers, as set by `type`; otherwise they are text.
    var isInteger: Bool { base?.value == .int }
}
