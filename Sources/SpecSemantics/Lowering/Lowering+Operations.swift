import SpecIR
import SpecSyntax

/// Lowers the scheduling settings of methods.
extension Lowering {
    func operation(_ method: ResolvedMethod) -> OperationPolicy {
        let (call, cascade) = (method.syntax.call, method.cascade)
        var policy = OperationPolicy()
        policy.kind = method.kind
        policy.queue = cascade.queue?.value
        policy.priority = cascade.priority?.value ?? .normal
        policy.throttle = throttle(method)
        policy.isCoalesced = call.coalesce != nil
        policy.isSafe = call.safe != nil
        if cascade.overridesAPI({ $0.operation.retry != nil }) {
            policy.retry = retryPolicy(cascade)
        }
        policy.idempotencyKey = cascade.idempotencyKey?.value.header?.value
        policy.rate = call.rate?.value
        policy.until = call.until.map(polling)
        policy.replyBytes = call.bytes?.value
        policy.onConstrained = cascade.onConstrained?.value ?? .use
        policy.onExpensive = cascade.onExpensive?.value ?? .use
        policy.cache = cache(method)
        return policy
    }

    private func cache(_ method: ResolvedMethod) -> CachePolicy? {
        guard let cache = method.cascade.cache?.value, cache.word != CacheSyntax.Word.none,
            method.cascade.session?.value != .ephemeral
        else { return nil }
        return CachePolicy(
            fresh: cache.fresh?.value, staleIfError: cache.staleIfError?.value,
            store: spec.hasSensitiveReply(method) ? .memory : cache.store?.value ?? .memory)
    }

    private func throttle(_ method: ResolvedMethod) -> Throttle? {
        guard let throttle = method.syntax.call.throttle, let interval = throttle.interval else {
            return nil
        }
        return Throttle(
            interval: interval.value,
            key: (throttle.keys?.value ?? []).compactMap { method.parameterKey($0.value) },
            policy: throttle.policy?.value ?? .refuse, from: throttle.from?.value ?? .start)
    }

    private func polling(_ syntax: PollingSyntax) -> Polling {
        Polling(
            conditions: (syntax.conditions?.value ?? []).map(\.lowered),
            failures: (syntax.failures?.value ?? []).map(\.lowered),
            backoff: syntax.interval.map { interval in
                let first = interval.initial?.value
                return Backoff(
                    initial: first, factor: interval.factor?.value, jitter: interval.jitter?.value,
                    maximum: interval.maximum?.value
                        ?? first.flatMap { $0 > RuntimeDefaults.longestWait ? $0 : nil })
            })
    }

    // MARK: Retry

    func retryPolicy(_ cascade: SettingsCascade) -> RetryPolicy {
        if cascade.noRetry != nil { return .never }
        let conditions = cascade.retryConditions?.value.compactMap { condition($0.value, cascade) }
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

    private func condition(
        _ syntax: RetrySyntax.Condition, _ cascade: SettingsCascade
    ) -> RetryPolicy.Condition? {
        switch syntax {
        case .transport: .transport
        case .statuses(let range): .statuses(range)
        case .errorCase(let name):
            cascade.errorCases.first { $0.name.value == name }.flatMap { item in
                item.status.map { .statuses($0.value...$0.value) }
                    ?? item.code.map { .code($0.value) }
            }
        }
    }
}

extension Timeouts {
    /// The effective time-outs.
    init(_ cascade: SettingsCascade) {
        self.init(
            silence: cascade.silence?.value, attempt: cascade.attempt?.value,
            total: cascade.total?.value, pause: cascade.pause?.value)
    }

    /// The time-outs of a method; `nil` if they are the API's.
    init?(ownOf cascade: SettingsCascade) {
        guard cascade.overridesAPI({ $0.operation.timeout != nil }) else { return nil }
        self.init(cascade)
    }
}
