import SpecDiagnostics
import SpecIR
import SpecSyntax

/// When calls are sent again.
extension Analyzer {
    mutating func policy(_ syntax: RetrySyntax) -> RetryPolicy {
        if syntax.never != nil { return .never }
        let conditions = syntax.conditions?.value.compactMap { condition($0.value) }
        return RetryPolicy(
            attempts: syntax.attempts?.value, conditions: conditions,
            backoff: syntax.backoff.map(Self.backoff))
    }

    private static func backoff(_ syntax: BackoffSyntax) -> Backoff {
        // Without a word, the longest wait is the runtime's; it is not meant to cut the first.
        let usual = 20_000
        let first = syntax.initial.flatMap { $0.value > usual ? $0.value : nil }
        return Backoff(
            initial: syntax.initial?.value, factor: syntax.factor?.value,
            jitter: syntax.jitter?.value, maximum: syntax.maximum?.value ?? first)
    }

    private func condition(_ syntax: RetrySyntax.Condition) -> RetryPolicy.Condition? {
        switch syntax {
        case .transport: .transport
        case .statuses(let range): .statuses(range)
        case .errorCase(let name):
            spec.api?.errors?.cases.first { $0.name.value == name }?.code.map { .code($0.value) }
        }
    }

    /// Reports names that no error case has, and conditions that nothing comes of.
    mutating func checkConditions(of retry: RetrySyntax, in outer: RetrySyntax?) {
        checkEffect(of: retry, retry.inheriting(from: outer))
        let conditions = retry.conditions?.value ?? []
        reportRepeated(conditions, "`on`")
        let names = spec.api?.errors?.cases.map(\.name.value) ?? []
        for condition in conditions {
            guard case .errorCase(let name) = condition.value, !names.contains(name) else {
                continue
            }
            bag.report(
                .unknownErrorCase, "no error case is called `\(name)`", at: condition.span,
                help: didYouMean(name, among: names + ["transport"]).map {
                    "did you mean `\($0)`?"
                } ?? "write `transport`, a status, or a name of `errors.cases`")
        }
    }

    /// Reports statuses after which a method is not sent again, although it says so: whoever cannot
    /// repeat it without harm (RFC 9110 §9.2.2) does so only if the server proves to have done nothing.
    mutating func checkStatuses(of method: MethodSyntax, _ rules: OperationPolicy) {
        // Of a call that is sent once, that is told of all of `on`.
        guard let verb = method.verb, !method.isIdempotent, rules.idempotencyKey == nil,
            rules.retry?.attempts != 1
        else { return }
        for condition in method.settings.operation.retry?.conditions?.value ?? [] {
            guard case .statuses(let range) = condition.value,
                !Self.unprocessedStatuses.contains(where: range.contains)
            else { continue }
            bag.report(
                .noEffect,
                "a `\(verb.value.lowercased())` is not sent again after this status: the server may "
                    + "have done what it was asked", at: condition.span,
                notes: [Diagnostic.Note("the verb is here", at: verb.span)],
                help: "remove it, or add `idempotency-key: true` if the server knows such keys")
        }
    }

    /// Too many requests (RFC 6585 §4), a busy server that says when to come again (RFC 9110
    /// §15.6.4), and a network that wants a log-in (RFC 6585 §6).
    private static let unprocessedStatuses = [429, 503, 511]

    private mutating func checkEffect(of own: RetrySyntax, _ whole: RetrySyntax) {
        guard let conditions = own.conditions else { return }
        if let attempts = whole.attempts, attempts.value == 1 {
            return reportNoEffect(
                "a call that is sent once is not sent again, whatever `on` says",
                at: conditions.span, because: "`attempts`", at: attempts.span)
        }
        // Codes that are marked `retry: true` count whatever is said here.
        let isNothing = spec.api?.errors?.cases.contains(where: \.isRetryable) != true
        guard conditions.value.isEmpty, isNothing else { return }
        bag.report(
            .noEffect, "`on` names nothing after which a call is sent again", at: conditions.span,
            help: "write `retry: none` for calls that are sent once")
    }
}

extension RetrySyntax {
    /// This policy, with what it leaves open taken from another. `none` leaves nothing
    /// open, and has nothing to give.
    func inheriting(from other: RetrySyntax?) -> RetrySyntax {
        guard never == nil, let other, other.never == nil else { return self }
        var result = self
        result.attempts = attempts ?? other.attempts
        result.conditions = conditions ?? other.conditions
        result.backoff = backoff?.inheriting(from: other.backoff) ?? other.backoff
        return result
    }
}

extension BackoffSyntax {
    /// These waits, with what they leave open taken from others.
    func inheriting(from other: BackoffSyntax?) -> BackoffSyntax {
        var result = self
        result.initial = initial ?? other?.initial
        result.factor = factor ?? other?.factor
        result.jitter = jitter ?? other?.jitter
        result.maximum = maximum ?? other?.maximum
        return result
    }
}
