import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers the arguments of rules.
extension Analyzer {
    /// The argument of a rule; nil if it is invalid, which is reported.
    mutating func argument(of rule: RuleSyntax, on value: Value) -> RuleArgument? {
        switch rule.name.value.row.argument {
        case .flag: isOn(rule) ? .flag : nil
        case .number: number(rule, value).map { .number($0) }
        case .divisor: divisor(rule, value).map { .divisor($0) }
        case .count: count(rule).map { .count($0) }
        case .text: text(rule).map { .text($0) }
        case .pattern: pattern(rule)
        case .choices: choices(rule, value).map { .choices($0) }
        case .format: format(rule).map { .format($0) }
        case .field: field(rule, value).map { .field($0) }
        case .date: date(rule).map { .date($0) }
        case .seconds: seconds(rule).map { .seconds($0) }
        case .size: size(rule).map { .size($0) }
        case .mimeTypes: mimeTypes(rule).map { .mimeTypes($0) }
        case .literal: literal(rule.argument, for: value).map { .literal($0) }
        }
    }

    private mutating func reportArgument(
        _ rule: RuleSyntax, expected: String, help: String? = nil
    ) {
        bag.report(
            .badRuleArgument,
            "rule `\(rule.name.value.rawValue)` takes \(expected), "
                + "found \(Self.shown(rule.argument))",
            at: rule.argument.span, help: help)
    }

    private mutating func divisor(_ rule: RuleSyntax, _ value: Value) -> String? {
        guard let digits = number(rule, value) else { return nil }
        if (Double(digits) ?? 0) > 0 { return digits }
        reportArgument(rule, expected: "a number above 0")
        return nil
    }

    private mutating func number(_ rule: RuleSyntax, _ value: Value) -> String? {
        let node = rule.argument
        if case .integer(let width, _) = value.type {
            let problem = node.integer.flatMap { NumberProblem.ofInteger($0, width) }
            if let integer = node.integer, problem == nil { return String(integer) }
            reportArgument(rule, expected: Self.name(of: value.type), help: problem)
            return nil
        }
        let problem = node.numberText.flatMap { NumberProblem.of($0, value.type) }
        if let text = node.numberText, problem == nil { return text }
        reportArgument(rule, expected: "a number", help: problem)
        return nil
    }

    private mutating func count(_ rule: RuleSyntax) -> Int? {
        if let count = rule.argument.integer, count >= 0 { return count }
        reportArgument(rule, expected: "an integer of at least 0")
        return nil
    }

    private mutating func text(_ rule: RuleSyntax) -> String? {
        if rule.argument.kind == .scalar, !rule.argument.text.isEmpty { return rule.argument.text }
        reportArgument(rule, expected: "a text")
        return nil
    }

    /// Whether a rule without a value is `true`; `false` is reported.
    private mutating func isOn(_ rule: RuleSyntax) -> Bool {
        if rule.argument.boolean == true { return true }
        reportArgument(rule, expected: "`true`")
        return false
    }

    private mutating func pattern(_ rule: RuleSyntax) -> RuleArgument? {
        guard let source = text(rule) else { return nil }
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

    private mutating func choices(_ rule: RuleSyntax, _ value: Value) -> [Literal]? {
        guard rule.argument.kind == .sequence, !rule.argument.items.isEmpty else {
            reportArgument(rule, expected: "a list of values")
            return nil
        }
        let plain = Value(value.type)
        return rule.argument.items.compactMap { literal($0, for: plain) }
    }

    private static let formats = [
        "base64", "date", "date-time", "email", "hostname", "ipv4", "ipv6", "json-pointer",
        "time", "uri", "uuid",
    ]

    private mutating func format(_ rule: RuleSyntax) -> String? {
        guard let name = text(rule) else { return nil }
        if Self.formats.contains(name) { return name }
        bag.report(
            .unknownFormat, "unknown format `\(name)`", at: rule.argument.span,
            help: didYouMean(name, among: Self.formats).map { "did you mean `\($0)`?" }
                ?? "known formats: \(Self.formats.joined(separator: ", "))")
        return nil
    }

    /// `unique-by` names a field of the list's elements by its JSON key.
    private mutating func field(_ rule: RuleSyntax, _ value: Value) -> String? {
        guard let key = text(rule) else { return nil }
        guard case .list(let element) = value.type, case .object(let name) = element.type,
            let entry = symbols.model(swiftName: name),
            case .object(let fields) = entry.syntax.type.form
        else {
            bag.report(
                .ruleDoesNotApply, "rule `unique-by` needs a list of a named model",
                at: rule.name.span)
            return nil
        }
        let keys = fields.map { $0.sentKey.value }
        guard let index = keys.firstIndex(of: key),
            let swift = fields[index].type.attributes.swift.name?.value
                ?? namer.lowerCamel(fields[index].key.value)
        else {
            bag.report(
                .badRuleArgument, "model `\(entry.syntax.name.value)` has no field `\(key)`",
                at: rule.argument.span,
                help: didYouMean(key, among: keys).map { "did you mean `\($0)`?" })
            return nil
        }
        comparisons.append(
            Comparison(span: rule.argument.span, type: element.type, field: swift))
        return swift
    }

    private mutating func date(_ rule: RuleSyntax) -> String? {
        let node = rule.argument
        let problem = node.kind == .scalar ? DateSyntaxCheck.problem(of: node.text) : nil
        if node.kind == .scalar, problem == nil { return node.text }
        reportArgument(
            rule, expected: "a date such as `2026-01-31` or `2026-01-31T12:00:00Z`", help: problem)
        return nil
    }

    private mutating func seconds(_ rule: RuleSyntax) -> Int? {
        if let time = Quantity.milliseconds(rule.argument.text), time.isMultiple(of: 1000) {
            return time / 1000
        }
        reportArgument(rule, expected: "a time of whole seconds such as `90s`, `24h` or `365d`")
        return nil
    }

    private mutating func size(_ rule: RuleSyntax) -> Int? {
        if let size = Quantity.bytes(rule.argument.text) { return size }
        reportArgument(rule, expected: "a size such as `512`, `64KiB` or `50MiB`")
        return nil
    }

    private mutating func mimeTypes(_ rule: RuleSyntax) -> [String]? {
        let nodes = rule.argument.kind == .sequence ? rule.argument.items : [rule.argument]
        for node in nodes {
            let parts = node.text.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) { continue }
            reportArgument(rule, expected: "MIME types such as `image/png` or `image/*`")
            return nil
        }
        return nodes.map(\.text)
    }
}
