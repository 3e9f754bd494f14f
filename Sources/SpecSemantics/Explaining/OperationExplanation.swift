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
            "timeout", cascade.silence, default: RuntimeDefaults.silence, shown: Self.time)
        values.add("timeout of an attempt", cascade.attempt, default: nil, shown: Self.limit)
        values.add("timeout in total", cascade.total, default: nil, shown: Self.limit)
        values.add(
            "longest pause", cascade.pause, default: RuntimeDefaults.pause, shown: Self.time)
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
        values.add("first wait", cascade.firstWait, default: first, shown: Self.time)
        values.add(
            "further waits", cascade.waitFactor, default: RuntimeDefaults.waitFactor,
            shown: Self.factor)
        values.add("jitter", cascade.jitter, default: RuntimeDefaults.jitter) { "±\($0)%" }
        values.add(
            "longest wait", cascade.longestWait,
            default: max(cascade.firstWait?.value ?? first, RuntimeDefaults.longestWait),
            shown: Self.time)
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
                Self.time(interval.value) + (keys.isEmpty ? "" : " by \(keys)") + policy + from
            values.add("throttle", value: value, at: interval.span, origin: .method)
        }
        if let place = call.coalesce {
            values.add("coalesce", value: "true", at: place, origin: .method)
        }
        if let rate = call.rate { add(rate, .method) }
        if let until = call.until, let conditions = until.conditions {
            values.add(
                "until", value: Explainer.shown(conditions.value), at: until.span, origin: .method)
        }
        if let size = call.bytes {
            values.add("response", value: Self.size(size.value), at: size.span, origin: .method)
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
            values.add("response", value: Self.size(size.value), at: size.span, origin: .api)
        }
        if let depth = limits.depth {
            values.add("depth", value: "\(depth.value)", at: depth.span, origin: .api)
        }
    }

    private mutating func add(_ rate: Located<RateSyntax>, _ origin: ExplainedValue.Origin) {
        let burst = rate.value.burst.map { " burst \($0)" } ?? ""
        let value = "\(rate.value.requests)/\(Self.time(rate.value.milliseconds))\(burst)"
        values.add("requests", value: value, at: rate.span, origin: origin)
    }

    // MARK: Words

    /// A duration in the largest unit that makes it whole, in the notation of a spec.
    private static func time(_ milliseconds: Int) -> String {
        let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")]
        let unit = units.first { milliseconds % $0.0 == 0 } ?? (1, "ms")
        return "\(milliseconds / unit.0)\(unit.1)"
    }

    /// A size in the largest unit that makes it whole, in the notation of a spec.
    private static func size(_ bytes: Int) -> String {
        let units = [
            (1 << 30, "GiB"), (1_000_000_000, "GB"), (1 << 20, "MiB"), (1_000_000, "MB"),
            (1024, "KiB"), (1000, "KB"),
        ]
        let unit = units.first { bytes % $0.0 == 0 } ?? (1, "B")
        return "\(bytes / unit.0)\(unit.1)"
    }

    private static func cache(_ cache: CacheSyntax) -> String {
        if let word = cache.word { return word.rawValue }
        let parts = [
            cache.fresh.map { "fresh for \(time($0.value))" },
            cache.staleIfError.map { "for \(time($0.value)) more if the server fails" },
            cache.store.map { "in \($0.value.rawValue)" },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func limit(_ milliseconds: Int?) -> String {
        milliseconds.map(time) ?? "none"
    }

    private static func factor(_ factor: Double) -> String {
        factor == factor.rounded() ? "x\(Int(factor))" : "x\(factor)"
    }
}
