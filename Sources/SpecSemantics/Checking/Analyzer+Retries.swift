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
        let first = cascade.firstWait.flatMap {
            $0.value > RuntimeDefaults.longestWait ? $0.value : nil
        }
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
}
