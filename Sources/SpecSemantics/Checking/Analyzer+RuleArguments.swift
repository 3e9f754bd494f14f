import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers the arguments of rules.
extension Analyzer {
    mutating func number(_ rule: RuleSyntax, _ value: Value) -> String? {
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

    mutating func count(_ rule: RuleSyntax) -> Int? {
        if let count = rule.argument.integer, count >= 0 { return count }
        reportArgument(rule, expected: "an integer of at least 0")
        return nil
    }

    mutating func text(_ rule: RuleSyntax) -> String? {
        if rule.argument.kind == .scalar, !rule.argument.text.isEmpty { return rule.argument.text }
        reportArgument(rule, expected: "a text")
        return nil
    }

    /// Whether a rule without a value is `true`; `false` is reported.
    mutating func isOn(_ rule: RuleSyntax) -> Bool {
        if rule.argument.boolean == true { return true }
        reportArgument(rule, expected: "`true`")
        return false
    }

    mutating func pattern(_ rule: RuleSyntax) -> RuleKind? {
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

    mutating func choices(_ rule: RuleSyntax, _ value: Value) -> [Literal]? {
        guard rule.argument.kind == .sequence, !rule.argument.items.isEmpty else {
            reportArgument(rule, expected: "a list of values")
            return nil
        }
        let plain = Value(value.type)
        return rule.argument.items.compactMap { literal($0, for: plain) }
    }

    static let formats = [
        "base64", "date", "date-time", "email", "hostname", "ipv4", "ipv6", "json-pointer",
        "time", "uri", "uuid",
    ]

    mutating func format(_ rule: RuleSyntax) -> RuleKind? {
        guard let name = text(rule) else { return nil }
        if Self.formats.contains(name) { return .format(name) }
        bag.report(
            .unknownFormat, "unknown format `\(name)`", at: rule.argument.span,
            help: didYouMean(name, among: Self.formats).map { "did you mean `\($0)`?" }
                ?? "known formats: \(Self.formats.joined(separator: ", "))")
        return nil
    }

    /// `unique-by` names a field of the list's elements by its JSON key.
    mutating func uniqueBy(_ rule: RuleSyntax, _ value: Value) -> RuleKind? {
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
        return .uniqueBy(swift)
    }

    mutating func date(_ rule: RuleSyntax) -> String? {
        let node = rule.argument
        let problem = node.kind == .scalar ? DateSyntaxCheck.problem(of: node.text) : nil
        if node.kind == .scalar, problem == nil { return node.text }
        reportArgument(
            rule, expected: "a date such as `2026-01-31` or `2026-01-31T12:00:00Z`", help: problem)
        return nil
    }

    mutating func seconds(_ rule: RuleSyntax) -> Int? {
        if let time = Quantity.milliseconds(rule.argument.text), time.isMultiple(of: 1000) {
            return time / 1000
        }
        reportArgument(rule, expected: "a time of whole seconds such as `90s`, `24h` or `365d`")
        return nil
    }

    mutating func size(_ rule: RuleSyntax) -> Int? {
        if let size = Quantity.bytes(rule.argument.text) { return size }
        reportArgument(rule, expected: "a size such as `512`, `64KiB` or `50MiB`")
        return nil
    }

    mutating func mime(_ rule: RuleSyntax) -> [String]? {
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
