import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers success rules.
extension Analyzer {
    /// The success rules of a method; nil if they are the API's.
    func successRules(_ settings: SettingsSyntax, _ api: APISyntax) -> SuccessRules? {
        if settings.success == nil, settings.unwrap == nil { return nil }
        return Self.successRules(settings.inheriting(from: api.settings))
    }

    static func successRules(_ settings: SettingsSyntax) -> SuccessRules {
        var rules = SuccessRules()
        if let statuses = settings.success?.statuses { rules.statuses = statuses.value }
        rules.absent = settings.success?.absent?.value ?? []
        rules.present = settings.success?.present?.value ?? []
        rules.conditions = settings.success?.conditions?.value.map(\.lowered) ?? []
        rules.unwrap = settings.unwrap?.value ?? []
        return rules
    }

    /// Checks that the own success rules do not contradict each other or inherited ones.
    /// Contradictions among inherited rules are reported where they are declared.
    mutating func checkSuccess(_ settings: SettingsSyntax, _ outer: SettingsSyntax) {
        checkValue(settings, outer)
        guard let own = settings.success, let whole = outer.success else { return }
        for conflict in whole.conflicts
        where own.declares(conflict.first) || own.declares(conflict.second) {
            // The rule that is declared here is underlined.
            let isSecond = own.declares(conflict.second)
            let (mark, other) =
                isSecond ? (conflict.second, conflict.first) : (conflict.first, conflict.second)
            bag.report(
                .impossibleSuccess, conflict.message, at: mark.span,
                label: "no reply would ever be a success",
                notes: [Diagnostic.Note("`\(other.shown)` is set here", at: other.span)],
                help: "keep one of the two")
        }
        let expired = outer.expired ?? spec.api?.auth?.expired
        for condition in own.conditions?.value ?? [] { checkCodes(of: condition, expired) }
    }

    /// Checks that the value does not lie under an `absent` key path.
    private mutating func checkValue(_ settings: SettingsSyntax, _ outer: SettingsSyntax) {
        guard let absent = outer.success?.absent, !absent.value.isEmpty, let unwrap = outer.unwrap,
            unwrap.value.starts(with: absent.value)
        else { return }
        let saysUnwrap = settings.unwrap?.span == unwrap.span
        guard saysUnwrap || settings.success?.absent?.span == absent.span else { return }
        let (mark, other) = saysUnwrap ? (unwrap, absent) : (absent, unwrap)
        bag.report(
            .impossibleSuccess,
            "a reply that has no `\(absent.shown)` has no value at `\(unwrap.shown)`",
            at: mark.span, label: "no reply would ever have a value",
            notes: [Diagnostic.Note("`\(other.shown)` is set here", at: other.span)],
            help: "change one of the two")
    }

    /// Checks that a required error code is neither retryable nor a sign of an expired token.
    private mutating func checkCodes(
        of condition: SuccessConditionSyntax, _ expired: ExpirySyntax?
    ) {
        guard let errors = spec.api?.errors, let code = errors.code?.value,
            condition.path.value == (errors.at?.value ?? []) + code
        else { return }
        let expired = expired?.codes.map { Self.code($0.value, of: errors) } ?? []
        for value in condition.values {
            guard let code = value.value.code else { continue }
            let named = errors.cases.first { $0.code?.value == code }
            guard named?.isRetryable == true || expired.contains(code) else { continue }
            let why = expired.contains(code) ? "the token has expired" : "the call is retried"
            bag.report(
                .impossibleSuccess, "the code \(code) means that \(why)", at: value.span,
                label: "a reply with this code is not a success",
                notes: named.map { [Diagnostic.Note("the case is here", at: $0.name.span)] } ?? [],
                help: "remove the code from one of the two")
        }
    }
}

// MARK: Statuses without a body

extension Analyzer {
    /// Warns of a success status without a body in a method that returns a value, because such a
    /// reply always fails. A nullable value is then null.
    mutating func checkBodiless(_ syntax: MethodSyntax, _ method: Method) {
        guard [.data, .upload].contains(method.operation.kind),
            case .value(let value) = method.output,
            !value.isNullable, value.type != .json,
            let statuses = syntax.settings.success?.statuses, let returns = syntax.returns,
            let status = [204, 205, 304].first(where: { statuses.value.contains($0...$0) })
        else { return }
        let remedy =
            status == 304
            ? "leave 304 out: it is then an error with `reason == .status(304)`, which an app that "
                + "sends `If-None-Match` catches; or write `T | null`"
            : "write `T | null` if there may be no value, or leave \(status) out"
        bag.report(
            .bodilessSuccess, "a reply with the status \(status) has no body, so it has no value",
            at: statuses.span,
            notes: [Diagnostic.Note("a value is returned here", at: returns.span)], help: remedy)
    }
}

extension SuccessSyntax {
    /// Returns these conditions, with unset ones taken from `other`.
    func inheriting(from other: SuccessSyntax?) -> SuccessSyntax {
        var result = self
        result.statuses = statuses ?? other?.statuses
        result.absent = absent ?? other?.absent
        result.present = present ?? other?.present
        result.conditions = conditions ?? other?.conditions
        return result
    }

    /// Two conditions that no reply can meet together.
    fileprivate struct Conflict {
        let first: Located<[String]>
        let second: Located<[String]>
        let message: String
    }

    fileprivate var conflicts: [Conflict] {
        let constants = (conditions?.value ?? []).map(\.path)
        let wanted = (present.map { [$0] } ?? []).filter { !$0.value.isEmpty } + constants
        var result: [Conflict] = []
        if let absent, !absent.value.isEmpty {
            result += wanted.filter { $0.value.starts(with: absent.value) }.map {
                Conflict(
                    first: absent, second: $0,
                    message: "a reply that has no `\(absent.shown)` cannot have `\($0.shown)`")
            }
        }
        for value in constants {
            result += wanted.filter { $0.value.count > value.value.count }
                .filter { $0.value.starts(with: value.value) }
                .map {
                    Conflict(
                        first: value, second: $0,
                        message: "`\(value.shown)` is a value, and has no `\($0.shown)` in it")
                }
        }
        return result
    }

    /// Whether a key path is declared here and not inherited.
    fileprivate func declares(_ path: Located<[String]>) -> Bool {
        ([absent, present].compactMap { $0 } + (conditions?.value ?? []).map(\.path)).contains {
            $0.span == path.span
        }
    }
}

extension Located<[String]> {
    fileprivate var shown: String { value.joined(separator: ".") }
}

extension SuccessConditionSyntax {
    fileprivate var lowered: ReplyCondition {
        ReplyCondition(
            path: path.value,
            values: values.map { item in
                switch item.value {
                case .flag(let flag): .flag(flag)
                case .integer(let integer): .integer(integer)
                case .text(let text): .text(text)
                }
            })
    }
}

extension SuccessConditionSyntax.Literal {
    /// The value as an error code; nil for a Boolean.
    fileprivate var code: String? {
        switch self {
        case .flag: nil
        case .integer(let integer): String(integer)
        case .text(let text): text
        }
    }
}
