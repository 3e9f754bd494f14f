import SpecDiagnostics
import SpecIR
import SpecSyntax

/// What an API does with all its calls at once.
extension Analyzer {
    static func traffic(_ syntax: APISyntax) -> Traffic {
        var traffic = Traffic()
        traffic.rate = syntax.limits.rate.map(rate)
        traffic.concurrent = syntax.limits.concurrent?.value
        traffic.perHost = syntax.limits.perHost?.value
        traffic.queues = syntax.queues.map {
            QueueRules(name: $0.name.value, concurrent: $0.concurrent)
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

    /// Reports sessions that nobody names. A queue can be named by a single call, in the app.
    mutating func reportUnusedSessions() {
        for name in spec.api?.sessions.map(\.name) ?? [] where !usedSessions.contains(name.value) {
            bag.report(
                .unusedSession, "session `\(name.value)` is not used", at: name.span,
                help: "remove it, or name it in a group or method: `session: \(name.value)`")
        }
    }
}
