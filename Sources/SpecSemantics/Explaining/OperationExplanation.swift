import SpecDiagnostics
import SpecSyntax

/// Collects the scheduling settings of a method.
struct OperationExplanation {
    private(set) var values: [ExplainedValue] = []

    init(
        _ api: APISyntax, layers: [(ExplainedValue.Origin, OperationSyntax)],
        method: MethodSyntax
    ) {
        addTimes(layers)
        addRetry(layers)
        values.add("session", from: layers) { $0.session.map { ($0.value.word, $0.span) } }
        values.add("queue", from: layers) { $0.queue.map { ($0.value ?? "none", $0.span) } }
        values.add("priority", from: layers) { $0.priority.map { ($0.value.rawValue, $0.span) } }
        addIdempotencyKey(layers, method)
        add(method.call)
        add(api.limits)
    }

    private mutating func addTimes(_ layers: [(ExplainedValue.Origin, OperationSyntax)]) {
        let parts: [(String, (TimeoutSyntax) -> Located<Int?>?)] = [
            ("timeout", { $0.silence?.optional }), ("timeout of an attempt", { $0.attempt }),
            ("timeout in total", { $0.total }), ("longest pause", { $0.pause?.optional }),
        ]
        for (name, part) in parts {
            values.add(name, from: layers) { settings in
                settings.timeout.flatMap(part).map { ($0.value.map(Self.time) ?? "none", $0.span) }
            }
        }
    }

    // MARK: Retry

    private mutating func addRetry(_ layers: [(ExplainedValue.Origin, OperationSyntax)]) {
        if let (origin, first) = layers.first(where: { $1.retry != nil }),
            let never = first.retry?.never
        {
            values.add("retry", value: "none", at: never, origin: origin)
            return
        }
        let inner = layers.filter { $1.retry?.never == nil }
        values.add("retry attempts", from: inner) {
            $0.retry?.attempts.map { ("\($0.value)", $0.span) }
        }
        values.add("retry on", from: inner) { settings in
            settings.retry?.conditions.map { conditions in
                (
                    conditions.value.map { Self.shown($0.value) }.joined(separator: ", "),
                    conditions.span
                )
            }
        }
        addBackoff(inner)
    }

    private mutating func addBackoff(_ layers: [(ExplainedValue.Origin, OperationSyntax)]) {
        values.add("first wait", from: layers) {
            $0.retry?.backoff?.initial.map { (Self.time($0.value), $0.span) }
        }
        values.add("further waits", from: layers) {
            $0.retry?.backoff?.factor.map { (Self.factor($0.value), $0.span) }
        }
        values.add("jitter", from: layers) {
            $0.retry?.backoff?.jitter.map { ("±\($0.value)%", $0.span) }
        }
        values.add("longest wait", from: layers) {
            $0.retry?.backoff?.maximum.map { (Self.time($0.value), $0.span) }
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

    private mutating func addIdempotencyKey(
        _ layers: [(ExplainedValue.Origin, OperationSyntax)], _ method: MethodSyntax
    ) {
        values.add("idempotency-key", from: method.isIdempotent ? Array(layers.prefix(1)) : layers)
        {
            $0.idempotencyKey.map { ($0.header?.value ?? "none", $0.span) }
        }
    }

    private mutating func add(_ call: CallSyntax) {
        if let kind = call.kind {
            values.add("kind", value: kind.value.rawValue, at: kind.span, origin: .method)
        }
        if let stream = call.stream { add(stream) }
        if let throttle = call.throttle, let interval = throttle.interval {
            let keys = throttle.keys?.value.map(\.value).joined(separator: ", ") ?? ""
            let policy = throttle.policy.map { ", policy \($0.value.rawValue)" } ?? ""
            let value = Self.time(interval.value) + (keys.isEmpty ? "" : " by \(keys)") + policy
            values.add("throttle", value: value, at: interval.span, origin: .method)
        }
        if let place = call.coalesce {
            values.add("coalesce", value: "true", at: place, origin: .method)
        }
        if let rate = call.rate { add(rate, .method) }
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
        let value = "\(rate.value.requests)/\(Self.time(rate.value.milliseconds))"
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

    private static func factor(_ factor: Double) -> String {
        factor == factor.rounded() ? "x\(Int(factor))" : "x\(factor)"
    }
}
