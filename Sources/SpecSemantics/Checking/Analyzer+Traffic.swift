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
}
