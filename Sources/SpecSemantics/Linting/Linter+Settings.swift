import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Warnings about settings that groups and methods inherit. Each is reported where it is declared.
extension Linter {
    mutating func checkSettings(_ cascade: SettingsCascade) {
        checkPause(cascade)
        checkConditions(cascade)
        checkValidation(cascade)
        if let expired = cascade.own.expired { checkCodes(of: expired, cascade) }
    }

    private mutating func checkPause(_ cascade: SettingsCascade) {
        if let pause = cascade.pause, cascade.isOwn(pause), let total = cascade.total?.unwrapped,
            pause.value > total.value
        {
            bag.reportNoEffect(
                "`pause` is longer than `total`, and would never be reached", at: pause.span,
                because: "`total`", at: total.span)
        }
    }

    /// Reports parts of `validate` without an effect.
    private mutating func checkValidation(_ cascade: SettingsCascade) {
        guard let own = cascade.own.validation else { return }
        if let checks = own.checks {
            bag.reportRepeated(checks.value, "`checks`")
            if cascade.validationMode?.value != .custom {
                bag.reportEmpty(checks, name: "`checks`", help: "write `validate: off` for none")
            }
        }
        guard let mode = cascade.validationMode, mode.value == .off else { return }
        for (name, span) in [("checks", own.checks?.span), ("sample", own.sample?.span)] {
            guard let span else { continue }
            bag.reportNoEffect(
                "with `validate: off`, `\(name)` has no effect", at: span, because: "`off`",
                at: mode.span)
        }
    }

    // MARK: Retry

    /// Reports conditions without an effect.
    private mutating func checkConditions(_ cascade: SettingsCascade) {
        guard let list = cascade.retryConditions, cascade.isOwn(list) else { return }
        checkEffect(of: list, cascade)
        bag.reportRepeated(list.value, "`on`")
    }

    private mutating func checkEffect(
        of conditions: SettingsCascade.Setting<[Located<RetrySyntax.Condition>]>,
        _ cascade: SettingsCascade
    ) {
        if let attempts = cascade.retryAttempts, attempts.value == 1 {
            return bag.reportNoEffect(
                "with one attempt, `on` has no effect",
                at: conditions.span, because: "`attempts`", at: attempts.span)
        }
        // Codes with `retry: true` are always retried.
        let isNothing = !cascade.errorCases.contains(where: \.isRetryable)
        guard conditions.value.isEmpty, isNothing else { return }
        bag.report(
            .noEffect, "`on` is empty, so no call is retried", at: conditions.span,
            help: "write `retry: none` for calls that are sent once")
    }
}
