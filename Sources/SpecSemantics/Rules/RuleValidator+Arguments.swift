import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and resolves the arguments of rules.
extension RuleValidator {
    /// The argument of a rule; nil if it is invalid, which is reported.
    mutating func argument(
        of rule: RuleSyntax, on value: Value, literals: inout LiteralReader,
        into bag: inout DiagnosticBag
    ) -> RuleArgument? {
        switch rule.name.value.row.argument {
        case .flag: isOn(rule, into: &bag) ? .flag : nil
        case .number: number(rule, value, into: &bag).map { .number($0) }
        case .divisor: divisor(rule, value, into: &bag).map { .divisor($0) }
        case .count: count(rule, into: &bag).map { .count($0) }
        case .text: text(rule, into: &bag).map { .text($0) }
        case .pattern: pattern(rule, into: &bag)
        case .choices: choices(rule, value, literals: &literals, into: &bag).map { .choices($0) }
        case .format: format(rule, into: &bag).map { .format($0) }
        case .field: field(rule, value, into: &bag).map { .field($0) }
        case .date: date(rule, into: &bag).map { .date($0) }
        case .seconds: seconds(rule, into: &bag).map { .seconds($0) }
        case .size: size(rule, into: &bag).map { .size($0) }
        case .mimeTypes: mimeTypes(rule, into: &bag).map { .mimeTypes($0) }
        case .literal: literals.literal(rule.argument, for: value, into: &bag).map { .literal($0) }
        case .check: check(rule, into: &bag)
        }
    }

    private func report(
        _ rule: RuleSyntax, expected: String, help: String? = nil, into bag: inout DiagnosticBag
    ) {
        bag.report(
            .badRuleArgument,
            "rule `\(rule.name.value.rawValue)` takes \(expected), "
                + "found \(rule.argument.shown)",
            at: rule.argument.span, help: help)
    }

    private func divisor(
        _ rule: RuleSyntax, _ value: Value, into bag: inout DiagnosticBag
    ) -> String? {
        guard let digits = number(rule, value, into: &bag) else { return nil }
        if (Double(digits) ?? 0) > 0 { return digits }
        report(rule, expected: "a number above 0", into: &bag)
        return nil
    }

    private func number(
        _ rule: RuleSyntax, _ value: Value, into bag: inout DiagnosticBag
    ) -> String? {
        let node = rule.argument
        if case .integer(let width, _) = value.type {
            let problem = NumberProblem.ofInteger(node, width)
            if let integer = node.integer, problem == nil { return String(integer) }
            report(
                rule, expected: value.type.expectation,
                help: problem ?? value.type.helpToUnquote(node), into: &bag)
            return nil
        }
        let problem = node.numberText.flatMap { NumberProblem.of($0, value.type) }
        if let text = node.numberText, problem == nil { return text }
        report(
            rule, expected: "a number", help: problem ?? value.type.helpToUnquote(node),
            into: &bag)
        return nil
    }

    private func count(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> Int? {
        if let count = rule.argument.integer, count >= 0 { return count }
        report(
            rule, expected: "an integer of at least 0",
            help: ValueType.integer(.int, from: .native).helpToUnquote(rule.argument), into: &bag)
        return nil
    }

    private func text(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> String? {
        if rule.argument.kind == .scalar, !rule.argument.text.isEmpty { return rule.argument.text }
        report(rule, expected: "a text", into: &bag)
        return nil
    }

    /// Whether a rule without a value is `true`; `false` is reported.
    private func isOn(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> Bool {
        if rule.argument.boolean == true { return true }
        report(rule, expected: "`true`", into: &bag)
        return false
    }

    private func pattern(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> RuleArgument? {
        guard let source = text(rule, into: &bag) else { return nil }
        if let match = source.wholeMatch(of: #/\/(\^.*|.*\$)\/[a-z]*/#) {
            bag.report(
                .badPattern, "a pattern has no slashes and no flags around it",
                at: rule.argument.span, help: "write `\(match.1)`")
            return nil
        }
        do throws(PatternCompiler.Problem) {
            return .pattern(source, program: try PatternCompiler.compile(source))
        } catch {
            let scalars = source.unicodeScalars
            let start = scalars.prefix(error.offset).endIndex
            let end = scalars[start...].prefix(1).endIndex
            bag.report(
                .badPattern, "the pattern cannot be compiled: \(error.message)",
                at: rule.argument.place(ofText: source.utf8Range(start..<end)))
            return nil
        }
    }

    private func choices(
        _ rule: RuleSyntax, _ value: Value, literals: inout LiteralReader,
        into bag: inout DiagnosticBag
    ) -> [Literal]? {
        guard rule.argument.kind == .sequence, !rule.argument.items.isEmpty else {
            report(rule, expected: "a list of values", into: &bag)
            return nil
        }
        let plain = Value(value.type)
        return rule.argument.items.compactMap { literals.literal($0, for: plain, into: &bag) }
    }

    private func format(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> String? {
        guard let name = text(rule, into: &bag) else { return nil }
        if RuleName.formats.contains(name) { return name }
        bag.report(
            .unknownFormat, "unknown format `\(name)`", at: rule.argument.span,
            help: didYouMean(name, among: RuleName.formats)
                ?? "known formats: \(RuleName.formats.joined(separator: ", "))")
        return nil
    }

    /// `unique-by` names a field of the list's elements by its JSON key.
    private mutating func field(
        _ rule: RuleSyntax, _ value: Value, into bag: inout DiagnosticBag
    ) -> String? {
        guard let key = text(rule, into: &bag) else { return nil }
        guard case .list(let element) = value.type, case .object(let name) = element.type,
            let entry = symbols.model(swiftName: name),
            let fields = entry.syntax.type.fields?.filter({ !$0.isAdditional })
        else {
            bag.report(
                .ruleDoesNotApply, "rule `unique-by` needs a list of a named model",
                at: rule.name.span)
            return nil
        }
        let keys = fields.map { $0.sentKey.value }
        guard let index = keys.firstIndex(of: key),
            let swift = fields[index].type.attributes.swift.name?.value
                ?? symbols.namer.lowerCamel(fields[index].key.value)
        else {
            bag.report(
                .badRuleArgument, "model `\(entry.syntax.name.value)` has no field `\(key)`",
                at: rule.argument.span,
                help: didYouMean(key, among: keys))
            return nil
        }
        comparisons.append(Comparison(type: element.type, field: swift))
        return swift
    }

    private func check(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> RuleArgument? {
        let name = Located(rule.argument.text, at: rule.argument.span)
        let isType = TypeNames.scalars.contains(name.value)
        guard rule.argument.kind == .scalar, !name.value.isEmpty, !isType,
            rule.argument.boolean == nil
        else {
            report(
                rule, expected: "a name of your own, such as `iban`",
                help: isType
                    ? "for an object with a field called `rule`, write `{ fields: { … } }`" : nil,
                into: &bag)
            return nil
        }
        return symbols.namer.valueName(
            name, given: nil, reserved: ReservedNames.enumerationMembers,
            help: "name the rule with letters", into: &bag
        ).map { .check(id: name.value, function: $0) }
    }

    private func date(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> String? {
        let node = rule.argument
        let problem = node.kind == .scalar ? DateSyntaxCheck.problem(of: node.text) : nil
        if node.kind == .scalar, problem == nil { return node.text }
        report(
            rule, expected: "a date such as `2026-01-31` or `2026-01-31T12:00:00Z`", help: problem,
            into: &bag)
        return nil
    }

    private func seconds(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> Int? {
        if let time = Quantity.milliseconds(rule.argument.text), time.isMultiple(of: 1000) {
            return time / 1000
        }
        report(rule, expected: "a time of whole seconds such as `90s`, `24h` or `365d`", into: &bag)
        return nil
    }

    private func size(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> Int? {
        if let size = Quantity.bytes(rule.argument.text) { return size }
        report(rule, expected: "a size such as `512`, `64KiB` or `50MiB`", into: &bag)
        return nil
    }

    private func mimeTypes(_ rule: RuleSyntax, into bag: inout DiagnosticBag) -> [String]? {
        let nodes = rule.argument.kind == .sequence ? rule.argument.items : [rule.argument]
        for node in nodes {
            let parts = node.text.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) { continue }
            report(rule, expected: "MIME types such as `image/png` or `image/*`", into: &bag)
            return nil
        }
        return nodes.map(\.text)
    }
}
