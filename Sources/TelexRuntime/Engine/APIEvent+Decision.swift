import TelexScheduling

extension APIEvent.Kind {
    init(_ decision: EngineDecision, _ engine: Engine) {
        switch decision {
        case .started: self = .started
        case .queued(let reason): self = .queued(because: reason)
        case .suspended: self = .suspended
        case .resumed: self = .resumed
        case .postponed(let reason): self = .postponed(because: reason)
        case .retrying(let time, let reason): self = .retrying(after: time, because: reason)
        case .notRetried(let reason): self = .notRetried(because: reason)
        case .throttled(let moment): self = .throttled(until: engine.date(of: moment))
        }
    }
}
