import SpecIR

/// The scheduling settings as Swift expressions. Defaults of the runtime are left out.
extension OperationPolicy {
    /// `operation: OperationPolicy(…)`, or nil for the default rules.
    var layout: Layout? {
        var arguments: [Layout] = []
        if kind != .data { arguments.append(.text("kind: \(kind.swift)")) }
        if let queue { arguments.append(.string("queue: ", queue)) }
        if priority != .normal { arguments.append(.text("priority: .\(priority.rawValue)")) }
        if let throttle { arguments.append(throttle.layout) }
        if isCoalesced { arguments.append(.text("isCoalesced: true")) }
        if isSafe { arguments.append(.text("isSafe: true")) }
        if let retry { arguments.append(retry.layout) }
        if let idempotencyKey { arguments.append(.string("idempotencyKey: ", idempotencyKey)) }
        if let rate { arguments.append(rate.layout) }
        if let replyBytes {
            arguments.append(.text("replyBytes: \(SwiftLiteral.bound(replyBytes))"))
        }
        let network = [("constrained", onConstrained), ("expensive", onExpensive)]
            .filter { $0.1 != .use }.map { Layout.text("\($0.0): .\($0.1.rawValue)") }
        if !network.isEmpty { arguments.append(.call("network: NetworkRules", network)) }
        if let cache { arguments.append(cache.layout) }
        if let until { arguments.append(until.layout) }
        return arguments.isEmpty ? nil : .call("operation: OperationRules", arguments)
    }
}

extension OperationPolicy.Kind {
    fileprivate var swift: String {
        switch self {
        case .data: ".data"
        case .upload: ".upload"
        case .download: ".download"
        case .stream: ".stream"
        }
    }
}

extension StreamFormat {
    var layout: Layout {
        var arguments: [Layout] = []
        if let events { arguments.append(.strings("only: ", events)) }
        if let end { arguments.append(.string("until: ", end)) }
        return arguments.isEmpty ? .text(name) : .call(name, arguments)
    }

    private var name: String {
        switch framing {
        case .serverSentEvents: ".serverSentEvents"
        case .jsonLines: ".jsonLines"
        }
    }
}

extension Throttle {
    fileprivate var layout: Layout {
        var arguments: [Layout] = [.text(milliseconds(interval))]
        if !key.isEmpty { arguments.append(.strings("by: ", key)) }
        if policy != .refuse { arguments.append(.text("policy: .\(policy.rawValue)")) }
        if from != .start { arguments.append(.text("from: .\(from.rawValue)")) }
        return .call("throttle: Throttle", arguments)
    }
}

extension Polling {
    fileprivate var layout: Layout {
        var arguments: [Layout] = [.array("", conditions.map(\.layout))]
        if !failures.isEmpty { arguments.append(.array("failing: ", failures.map(\.layout))) }
        if let backoff { arguments.append(backoff.layout) }
        return .call("until: Polling", arguments)
    }
}

extension RequestRate {
    fileprivate var layout: Layout {
        let count = SwiftLiteral.bound(requests)
        let burst = burst.map { ", burst: \(SwiftLiteral.bound($0))" } ?? ""
        return .text("rate: RequestRate(\(count), per: \(milliseconds(interval))\(burst))")
    }
}

extension CachePolicy {
    fileprivate var layout: Layout {
        var arguments: [Layout] = []
        if let fresh { arguments.append(.text("fresh: \(milliseconds(fresh))")) }
        if let staleIfError {
            arguments.append(.text("staleIfError: \(milliseconds(staleIfError))"))
        }
        if store != .memory { arguments.append(.text("store: .\(store.rawValue)")) }
        return arguments.isEmpty
            ? .text("cache: CacheRules()") : .call("cache: CacheRules", arguments)
    }
}

extension Session {
    /// `session: …`, or nil for the shared one.
    var layout: Layout? {
        switch self {
        case .shared: nil
        case .ephemeral: .text("session: .ephemeral")
        case .named(let name): .call("session: .named", [.string("", name)])
        }
    }
}

extension Timeouts {
    /// `timeouts: Timeouts(…)`; without arguments for a method that resets all time-outs of the
    /// API.
    var layout: Layout {
        var arguments: [Layout] = []
        if let silence { arguments.append(.text("silence: \(milliseconds(silence))")) }
        if let attempt { arguments.append(.text("attempt: \(milliseconds(attempt))")) }
        if let total { arguments.append(.text("total: \(milliseconds(total))")) }
        if let pause { arguments.append(.text("pause: \(milliseconds(pause))")) }
        return .call("timeouts: Timeouts", arguments)
    }
}

extension RetryPolicy {
    /// `retry: RetryPolicy(…)`
    var layout: Layout {
        if self == .never { return .text("retry: .never") }
        var arguments: [Layout] = []
        if let attempts {
            arguments.append(.text("attempts: \(SwiftLiteral.bound(attempts))"))
        }
        if let conditions { arguments.append(.array("on: ", conditions.map(\.layout))) }
        if let backoff { arguments.append(backoff.layout) }
        return .call("retry: RetryPolicy", arguments)
    }
}

extension RetryPolicy.Condition {
    fileprivate var layout: Layout {
        switch self {
        case .transport: .text(".transport")
        case .statuses(let range): .text(".status(\(range.lowerBound)...\(range.upperBound))")
        case .code(let code): .call(".code", [.string("", code)])
        }
    }
}

extension Backoff {
    fileprivate var layout: Layout {
        var arguments: [Layout] = []
        if let initial { arguments.append(.text("initial: \(milliseconds(initial))")) }
        if let factor { arguments.append(.text("factor: \(factor)")) }
        if let jitter { arguments.append(.text("jitter: \(Double(jitter) / 100)")) }
        if let maximum { arguments.append(.text("maximum: \(milliseconds(maximum))")) }
        return .call("backoff: Backoff", arguments)
    }
}

extension Traffic {
    /// `traffic:`, `queues:` and `sessions:`, without empty ones.
    var layouts: [Layout] {
        var limits: [Layout] = []
        if let rate { limits.append(rate.layout) }
        if let concurrent {
            limits.append(.text("concurrent: \(SwiftLiteral.bound(concurrent))"))
        }
        if let perHost { limits.append(.text("perHost: \(SwiftLiteral.bound(perHost))")) }
        var layouts: [Layout] = []
        if !limits.isEmpty { layouts.append(.call("traffic: TrafficLimits", limits)) }
        if !queues.isEmpty { layouts.append(.array("queues: ", queues.map(\.layout))) }
        if !sessions.isEmpty { layouts.append(.array("sessions: ", sessions.map(\.layout))) }
        return layouts
    }
}

extension QueueRules {
    fileprivate var layout: Layout {
        let count = SwiftLiteral.bound(concurrent)
        return .call("QueueRules", [.string("", name), .text("concurrent: \(count)")])
    }
}

extension SessionRules {
    fileprivate var layout: Layout {
        var arguments: [Layout] = [.string("", name)]
        if isEphemeral { arguments.append(.text("isEphemeral: true")) }
        if let connections {
            let count = SwiftLiteral.bound(connections)
            arguments.append(.text("connectionsPerHost: \(count)"))
        }
        if isBackground { arguments.append(.text("isBackground: true")) }
        return .call("TransportSession", arguments)
    }
}

/// A `Duration`, in the largest unit that makes it whole.
func milliseconds(_ time: Int) -> String {
    let whole = time % 1000 == 0
    return whole
        ? ".seconds(\(SwiftLiteral.int64(String(time / 1000))))"
        : ".milliseconds(\(SwiftLiteral.int64(String(time))))"
}
