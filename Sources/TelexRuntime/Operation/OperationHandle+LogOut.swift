/// What logging out has to know of an operation.
extension OperationHandle {
    /// Whether it carries the token or, as a group, runs or has run what does: then it would go on with
    /// the token of whoever logs in next.
    var carriesToken: Bool {
        facts.showsToken || live.withLock { $0.rare?.hasCarriedToken } == true
            || members.contains(where: \.carriesToken)
    }

    /// Whether it is part of a log-out: it tells the server, with a credential of its own, or is a
    /// group that waits for that.
    var isLeaving: Bool {
        let (errand, logOuts) = live.withLock { ($0.rare?.errand, $0.rare?.logOuts ?? 0) }
        if let errand, errand.farewell != nil, errand.isOpen(for: engine) { return true }
        return logOuts > 0 || members.contains(where: \.isLeaving)
    }

    /// What runs inside of it, of its own engine's.
    private var members: [OperationHandle] {
        let members = live.withLock { $0.rare?.members }
        return members?().filter { $0.engine === engine } ?? []
    }
}
