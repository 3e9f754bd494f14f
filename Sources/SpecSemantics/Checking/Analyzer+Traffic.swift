import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The limits of all calls of an API together.
extension Analyzer {
    static func traffic(_ syntax: APISyntax) -> Traffic {
        var traffic = Traffic()
        traffic.rate = syntax.limits.rate.map(rate)
        traffic.concurrent = syntax.limits.concurrent?.value
        traffic.perHost = syntax.limits.perHost?.value
        traffic.queues = syntax.queues.map {
            QueueRules(name: $0.name.value, concurrent: $0.concurrent.value)
        }
        traffic.sessions = syntax.sessions.map {
            SessionRules(
                name: $0.name.value, isEphemeral: $0.isEphemeral,
                isBackground: $0.isBackground, connections: $0.connections?.value)
        }
        return traffic
    }

    static func rate(_ syntax: Located<RateSyntax>) -> RequestRate {
        RequestRate(requests: syntax.value.requests, interval: syntax.value.milliseconds)
    }

    /// Reports limits of concurrent calls that a smaller limit makes unreachable.
    mutating func checkBounds(of syntax: APISyntax) {
        guard let most = syntax.limits.concurrent else { return }
        let queues = syntax.queues.map { ("queue `\($0.name.value)`", $0.concurrent) }
        let hosts = syntax.limits.perHost.map { [("`per-host`", $0)] } ?? []
        for (name, bound) in hosts + queues where bound.value > most.value {
            reportNoEffect(
                "\(name) allows more calls than `concurrent`, and would never be reached",
                at: bound.span, because: "`concurrent`", at: most.span)
        }
    }

    /// Reports a rate limit of a method that the API's rate limit makes unreachable. The API's
    /// limit is scaled to the number of its intervals in the method's interval.
    mutating func checkRate(of method: Method, syntax: MethodSyntax, api: APISyntax) {
        // A whole URL may be on a host that the API's rate limit does not apply to.
        guard let own = syntax.call.rate, let most = api.limits.rate, !method.isWholeAddress else {
            return
        }
        let parts = (own.value.milliseconds - 1) / most.value.milliseconds + 1
        let (count, overflow) = most.value.requests.multipliedReportingOverflow(by: parts)
        guard !overflow, own.value.requests > count else { return }
        reportNoEffect(
            "the rate is higher than the API's `requests`, and would never be reached",
            at: own.span,
            because: "the API's `requests`", at: most.span)
    }
}
