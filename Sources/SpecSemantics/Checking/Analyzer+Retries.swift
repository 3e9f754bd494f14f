import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers retry policies.
extension Analyzer {
    mutating func retryPolicy(_ cascade: SettingsCascade) -> RetryPolicy {
        if cascade.noRetry != nil { return .never }
        let conditions = cascade.retryConditions?.value.compactMap { condition($0.value) }
        return RetryPolicy(
            attempts: cascade.retryAttempts?.value, conditions: conditions,
            backoff: cascade.hasBackoff ? Self.backoff(cascade) : nil)
    }

    private static func backoff(_ cascade: SettingsCascade) -> Backoff {
        // The runtime's default for the longest wait must not shorten an explicit first wait.
        let usual = 20_000
        let first = cascade.firstWait.flatMap { $0.value > usual ? $0.value : nil }
        return Backoff(
            initial: cascade.firstWait?.value, factor: cascade.waitFactor?.value,
            jitter: cascade.jitter?.value, maximum: cascade.longestWait?.value ?? first)
    }

    private func condition(_ syntax: RetrySyntax.Condition) -> RetryPolicy.Condition? {
        switch syntax {
        case .transport: .transport
        case .statuses(let range): .statuses(range)
        case .errorCase(let name):
            spec.api?.errors?.cases.first { $0.name.value == name }?.code.map { .code($0.value) }
        }
    }

    /// Reports unknown error cases, and conditions without an effect.
    mutating func checkConditions(_ cascade: SettingsCascade) {
        guard let list = cascade.retryConditions, cascade.isOwn(list) else { return }
        checkEffect(of: list, attempts: cascade.retryAttempts)
        let conditions = list.value
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

    /// Reports statuses after which a method that is not idempotent is not retried (RFC 9110
    /// §9.2.2). It is retried only after statuses that mean that the server did not process it.
    mutating func checkStatuses(of method: MethodSyntax, _ rules: OperationPolicy) {
        // If there is only one attempt, the whole `on` has been reported.
        guard let verb = method.verb, !method.isIdempotent, rules.idempotencyKey == nil,
            rules.retry?.attempts != 1
        else { return }
        for condition in method.settings.operation.retry?.conditions?.value ?? [] {
            guard case .statuses(let range) = condition.value,
                !Self.unprocessedStatuses.contains(where: range.contains)
            else { continue }
            bag.report(
                .noEffect,
                "a `\(verb.value.rawValue)` is not retried after this status, because the server may "
                    + "have processed it", at: condition.span,
                notes: [Diagnostic.Note("the verb is here", at: verb.span)],
                help: "remove it, or add `idempotency-key: true` if the server supports such keys")
        }
    }

    /// Too Many Requests (RFC 6585 §4), Service Unavailable (RFC 9110 §15.6.4) and Network
    /// Authentication Required (RFC 6585 §6).
    private static let unprocessedStatuses = [429, 503, 511]

    private mutating func checkEffect(
        of conditions: SettingsCascade.Setting<[Located<RetrySyntax.Condition>]>,
        attempts: SettingsCascade.Setting<Int>?
    ) {
        if let attempts, attempts.value == 1 {
            return reportNoEffect(
                "with one attempt, `on` has no effect",
                at: conditions.span, because: "`attempts`", at: attempts.span)
        }
        // Codes with `retry: true` are always retried.
        let isNothing = spec.api?.errors?.cases.contains(where: \.isRetryable) != true
        guard conditions.value.isEmpty, isNothing else { return }
        bag.report(
            .noEffect, "`on` is empty, so no call is retried", at: conditions.span,
            help: "write `retry: none` for calls that are sent once")
    }
}
