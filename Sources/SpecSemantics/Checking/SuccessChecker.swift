import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks when a reply is a success, and when the token has expired.
struct SuccessChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = SuccessChecker(spec: spec)
        for cascade in spec.cascades { checker.checkSuccess(cascade) }
        checker.checkExpired()
        bag.report(contentsOf: checker.bag)
    }

    /// Checks that the own success rules do not contradict each other or inherited ones.
    /// Contradictions among inherited rules are reported where they are declared.
    private mutating func checkSuccess(_ cascade: SettingsCascade) {
        checkValue(cascade)
        for conflict in cascade.successConflicts
        where cascade.isOwn(conflict.first) || cascade.isOwn(conflict.second) {
            // The rule that is declared here is underlined.
            let isSecond = cascade.isOwn(conflict.second)
            let (mark, other) =
                isSecond ? (conflict.second, conflict.first) : (conflict.first, conflict.second)
            bag.report(
                .impossibleSuccess, conflict.message, at: mark.span,
                label: "no reply would ever be a success",
                notes: [Diagnostic.Note("`\(other.shown)` is set here", at: other.span)],
                help: "keep one of the two")
        }
        for condition in cascade.own.success?.conditions?.value ?? [] {
            checkCodes(of: condition, cascade)
        }
    }

    /// Checks that the value does not lie under an `absent` key path.
    private mutating func checkValue(_ cascade: SettingsCascade) {
        guard let absent = cascade.absent, !absent.value.isEmpty, let unwrap = cascade.unwrap,
            unwrap.value.starts(with: absent.value.map(PathStep.key))
        else { return }
        let isOwnUnwrap = cascade.isOwn(unwrap)
        guard isOwnUnwrap || cascade.isOwn(absent) else { return }
        let marks = [(unwrap.value.shown, unwrap.span), (absent.shown, absent.span)]
        let (mark, other) = isOwnUnwrap ? (marks[0], marks[1]) : (marks[1], marks[0])
        bag.report(
            .impossibleSuccess,
            "a reply that has no `\(absent.shown)` has no value at `\(unwrap.value.shown)`",
            at: mark.1, label: "no reply would ever have a value",
            notes: [Diagnostic.Note("`\(other.0)` is set here", at: other.1)],
            help: "change one of the two")
    }

    /// Checks that a required error code is neither retryable nor a sign of an expired token.
    private mutating func checkCodes(
        of condition: SuccessConditionSyntax, _ cascade: SettingsCascade
    ) {
        guard let code = cascade.errorCode?.value,
            condition.path.value.map(PathStep.key)
                == (cascade.errorsAt?.value ?? []) + code.map(PathStep.key)
        else { return }
        let expired = cascade.expired?.value.codes.map { cascade.errorCode($0.value) } ?? []
        for value in condition.values {
            guard let code = value.value.code else { continue }
            let named = cascade.errorCases.first { $0.code?.value == code }
            guard named?.isRetryable == true || expired.contains(code) else { continue }
            let why = expired.contains(code) ? "the token has expired" : "the call is retried"
            bag.report(
                .impossibleSuccess, "the code \(code) means that \(why)", at: value.span,
                label: "a reply with this code is not a success",
                notes: named.map { [Diagnostic.Note("the case is here", at: $0.name.span)] } ?? [],
                help: "remove the code from one of the two")
        }
    }

    // MARK: Expired tokens

    /// Checks `expired` of the API, of the groups and of the methods.
    private mutating func checkExpired() {
        let api = SuccessRules(SettingsCascade(spec.api))
        if let auth = spec.api.auth, auth.placement != nil, let expired = auth.expired {
            checkExpired(expired, rules: [api] + spec.groups.flatMap(Self.rules))
        }
        for group in spec.groups {
            if let expired = group.syntax.settings.expired {
                checkExpired(expired, rules: Self.rules(of: group))
            }
            for method in group.methods {
                guard let expired = method.syntax.settings.expired else { continue }
                checkExpired(expired, rules: [SuccessRules(method.cascade)])
            }
        }
    }

    /// The success rules of a group and of its methods.
    private static func rules(of group: ResolvedGroup) -> [SuccessRules] {
        ([group.cascade] + group.methods.map(\.cascade)).map { SuccessRules($0) }
    }

    /// Checks the signs of an expired token.
    ///
    /// - Parameter rules: The success rules of all methods that `expired` applies to.
    private mutating func checkExpired(_ expired: ExpirySyntax, rules: [SuccessRules]) {
        // A status is a sign only if a reply with it can fail.
        for status in expired.statuses where rules.allSatisfy({ $0.accept(status.value) }) {
            bag.report(
                .badStatus, "a reply with the status \(status.value) is a success",
                at: status.span, label: "no token would ever count as expired",
                help: "remove the status from `success`, or here")
        }
    }
}

extension SettingsCascade {
    /// Two conditions that no reply can meet together.
    fileprivate struct SuccessConflict {
        let first: Setting<[String]>
        let second: Setting<[String]>
        let message: String
    }

    fileprivate var successConflicts: [SuccessConflict] {
        let constants = conditionPaths
        let wanted = (present.map { [$0] } ?? []).filter { !$0.value.isEmpty } + constants
        var result: [SuccessConflict] = []
        if let absent, !absent.value.isEmpty {
            result += wanted.filter { $0.value.starts(with: absent.value) }.map {
                SuccessConflict(
                    first: absent, second: $0,
                    message: "a reply that has no `\(absent.shown)` cannot have `\($0.shown)`")
            }
        }
        for value in constants {
            result += wanted.filter { $0.value.count > value.value.count }
                .filter { $0.value.starts(with: value.value) }
                .map {
                    SuccessConflict(
                        first: value, second: $0,
                        message: "`\(value.shown)` is a value, and has no `\($0.shown)` in it")
                }
        }
        return result
    }

    private var conditionPaths: [Setting<[String]>] {
        guard let conditions else { return [] }
        return conditions.value.map {
            Setting(value: $0.path.value, span: $0.path.span, origin: conditions.origin)
        }
    }
}

extension SettingsCascade.Setting<[String]> {
    fileprivate var shown: String { value.joined(separator: ".") }
}

extension ReplyCondition.Constant {
    /// The value as an error code; nil for a Boolean and an id.
    fileprivate var code: String? {
        switch self {
        case .flag, .callID: nil
        case .integer(let integer): String(integer)
        case .text(let text): text
        }
    }
}
