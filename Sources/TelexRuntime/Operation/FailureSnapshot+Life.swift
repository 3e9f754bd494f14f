extension FailureSnapshot {
    init(_ live: OperationLife, in state: OperationState) {
        let current = live.isAtWork ? live.current?.contents : nil
        self.state = state
        attempts = live.attempts
        count = live.attempt
        isAtWork = live.isAtWork
        status = current?.head?.status.code
        phase = state == .postponed ? .auth : .queue
        guard isAtWork else { return }
        phase = status != nil ? .receive : current?.hop != nil ? .send : .build
    }
}
