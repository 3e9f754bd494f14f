import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Collects the scheduling settings of a method.
struct OperationExplanation {
    private(set) var values: [ExplainedValue] = []

    init(_ cascade: SettingsCascade, method: MethodSyntax) {
        addTimes(cascade)
        addRetry(cascade)
        values.add("session", cascade.session, shown: \.word)
        values.add("queue", cascade.queue) { $0 ?? "none" }
        values.add("priority", cascade.priority, shown: \.rawValue)
        values.add("on-constrained", cascade.onConstrained, shown: \.rawValue)
        values.add("on-expensive", cascade.onExpensive, shown: \.rawValue)
        values.add("idempotency-key", cascade.idempotencyKey) { $0.header?.value ?? "none" }
        values.add("cache", cascade.cache, shown: Self.cache)
        add(method.call)
        add(cascade.api.limits)
    }

    private mutating func addTimes(_ cascade: SettingsCascade) {
        values.add(
            "timeout", cascade.silence, default: RuntimeDefaults.silence,
            shown: Quantity.text(milliseconds:))
        values.add("timeout of an attempt", cascade.attempt, default: nil, shown: Self.limit)
        values.add("timeout in total", cascade.total, default: nil, shown: Self.limit)
        values.add(
            "longest pause", cascade.pause, default: RuntimeDefaults.pause,
            shown: Quantity.text(milliseconds:))
    }

    private mutating func addRetry(_ cascade: SettingsCascade) {
        if let never = cascade.noRetry {
            values.add("retry", value: "none", at: never.span, origin: never.origin)
            return
        }
        values.add(
            "retry attempts", cascade.retryAttempts, default: RuntimeDefaults.attempts
        ) { "\($0)" }
        values.add("retry on", conditions(cascade), default: Self.usualConditions) {
            $0.map(Self.shown).joined(separator: ", ")
        }
        let first = RuntimeDefaults.firstWait
        values.add(
            "first wait", cascade.firstWait, default: first, shown: Quantity.text(milliseconds:))
        values.add(
            "further waits", cascade.waitFactor, default: RuntimeDefaults.waitFactor,
            shown: Self.factor)
        values.add("jitter", cascade.jitter, default: RuntimeDefaults.jitter) { "±\($0)%" }
        values.add(
            "longest wait", cascade.longestWait,
            default: max(cascade.firstWait?.value ?? first, RuntimeDefaults.longestWait),
            shown: Quantity.text(milliseconds:))
    }

    private static let usualConditions: [RetrySyntax.Condition] =
        [.transport] + RuntimeDefaults.statuses.map { .statuses($0...$0) }

    private func conditions(
        _ cascade: SettingsCascade
    ) -> SettingsCascade.Setting<[RetrySyntax.Condition]>? {
        cascade.retryConditions.map {
            SettingsCascade.Setting(
                value: $0.value.map(\.value), span: $0.span, origin: $0.origin)
        }
    }

    private static func shown(_ condition: RetrySyntax.Condition) -> String {
        switch condition {
        case .transport: "transport"
        case .errorCase(let name): name
        case .statuses(let range):
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
        }
    }

    // MARK: The method's own

    private mutating func add(_ call: CallSyntax) {
        if let kind = call.kind {
            values.add("kind", value: kind.value.rawValue, at: kind.span, origin: .method)
        }
        if let stream = call.stream { add(stream) }
        if let throttle = call.throttle, let interval = throttle.interval {
            let keys = throttle.keys?.value.map(\.value).joined(separator: ", ") ?? ""
            let policy = throttle.policy.map { ", policy \($0.value.rawValue)" } ?? ""
            let from = throttle.from.map { ", from \($0.value.rawValue)" } ?? ""
            let value =
                Quantity.text(milliseconds: interval.value) + (keys.isEmpty ? "" : " by \(keys)")
                + policy + from
            values.add("throttle", value: value, at: interval.span, origin: .method)
        }
        if let place = call.coalesce {
            values.add("coalesce", value: "true", at: place, origin: .method)
        }
        if let place = call.safe {
            values.add("safe", value: "true", at: place, origin: .method)
        }
        if let rate = call.rate { add(rate, .method) }
        if let until = call.until, let conditions = until.conditions {
            values.add(
                "until", value: Explainer.shown(conditions.value), at: until.span, origin: .method)
        }
        if let size = call.bytes {
            values.add(
                "response", value: Quantity.text(bytes: size.value), at: size.span, origin: .method)
        }
    }

    private mutating func add(_ stream: StreamSyntax) {
        let names = stream.events.map {
            ", events " + $0.value.map(\.value).joined(separator: ", ")
        }
        let end = stream.end.map { ", up to \($0.value)" }
        values.add(
            "stream", value: stream.label.value + (names ?? "") + (end ?? ""),
            at: stream.label.span, origin: .method)
    }

    private mutating func add(_ limits: LimitsSyntax) {
        if let rate = limits.rate { add(rate, .api) }
        if let count = limits.concurrent {
            values.add("concurrent", value: "\(count.value)", at: count.span, origin: .api)
        }
        if let count = limits.perHost {
            values.add("per host", value: "\(count.value)", at: count.span, origin: .api)
        }
        if let size = limits.bytes {
            values.add(
                "response", value: Quantity.text(bytes: size.value), at: size.span, origin: .api)
        }
        if let depth = limits.depth {
            values.add("depth", value: "\(depth.value)", at: depth.span, origin: .api)
        }
    }

    private mutating func add(_ rate: Located<RequestRate>, _ origin: ExplainedValue.Origin) {
        let burst = rate.value.burst.map { " burst \($0)" } ?? ""
        let value =
            "\(rate.value.requests)/\(Quantity.text(milliseconds: rate.value.interval))\(burst)"
        values.add("requests", value: value, at: rate.span, origin: origin)
    }

    // MARK: Words

    private static func cache(_ cache: CacheSyntax) -> String {
        if let word = cache.word { return word.rawValue }
        let parts = [
            cache.fresh.map { "fresh for \(Quantity.text(milliseconds: $0.value))" },
            cache.staleIfError.map {
                "for \(Quantity.text(milliseconds: $0.value)) more if the server fails"
            },
            cache.store.map { "in \($0.value.rawValue)" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func limit(_ milliseconds: Int?) -> String {
        milliseconds.map(Quantity.text(milliseconds:)) ?? "none"
    }

    private static func factor(_ factor: Double) -> String {
        factor == factor.rounded() ? "x\(Int(factor))" : "x\(factor)"
    }
}
