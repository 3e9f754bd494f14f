import SpecIR
import SpecSyntax

extension Traffic {
    /// The limits of all calls of an API together.
    init(_ api: APISyntax) {
        self.init()
        rate = api.limits.rate?.value
        concurrent = api.limits.concurrent?.value
        perHost = api.limits.perHost?.value
        queues = api.queues.map {
            QueueRules(name: $0.name.value, concurrent: $0.concurrent.value)
        }
        sessions = api.sessions.map {
            SessionRules(
                name: $0.name.value, isEphemeral: $0.isEphemeral,
                isBackground: $0.isBackground, connections: $0.connections?.value)
        }
    }
}

extension ReplyLimits {
    /// The limits of replies; those of the runtime by default.
    init(_ syntax: LimitsSyntax) {
        self.init()
        if let bytes = syntax.bytes { self.bytes = bytes.value }
        if let depth = syntax.depth { self.depth = depth.value }
    }
}
