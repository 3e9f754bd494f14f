import TelexScheduling

/// The reports of live attempts.
extension SimulatedWorld {
    /// A random report of an attempt.
    mutating func attemptProgress() -> AttemptProgress {
        AttemptProgress(
            hasProgress: random.percent(60), isLast: random.percent(25),
            pause: random.percent(40) ? random.milliseconds(300) : nil,
            sendsWhenResumed: random.percent(30), isUnsent: random.percent(30))
    }

    /// An attempt reports its progress.
    mutating func stand(_ index: Int, _ attempt: Int, _ attemptProgress: AttemptProgress) {
        // An unrepeatable attempt that was suspended for too long continues in any case.
        let isFinal = operations[index].attemptProgress.isLast && !attemptProgress.isLast
        if isFinal, machine.phase(of: id(index))?.0 != .running { return }
        // Reports of stopped attempts are ignored.
        if machine.isCurrent(id(index), attempt) {
            var attemptProgress = attemptProgress
            if machine.phase(of: id(index))?.0 == .running { attemptProgress.isUnsent = false }
            if attemptProgress.isUnsent { takeBack(operations[index]) }
            operations[index].attemptProgress = attemptProgress
        }
        send(.attemptProgressed(id(index), attempt: attempt, attemptProgress))
    }

    /// The request that an attempt was to send is not counted, unless it was sent.
    mutating func takeBack(_ operation: SimulatedOperation) {
        guard operation.hasSeat, !operation.attemptProgress.isUnsent else { return }
        ledger.takeBack(operation.counted, by: operation)
    }

    /// An attempt has to wait before it sends another request.
    mutating func ask(_ index: Int, _ attempt: Int) {
        var attemptProgress = operations[index].attemptProgress
        attemptProgress.sendsWhenResumed = true
        stand(index, attempt, attemptProgress)
        send(.attemptAsks(id(index), attempt: attempt))
    }

    /// A failure contains the reports of its attempt.
    func stand(_ operation: SimulatedOperation, _ failure: inout AttemptFailure) {
        if operation.attemptProgress.isLast { failure.remedy = failure.remedy.withoutRepeating }
        if operation.attemptProgress.hasProgress {
            let isSuspicious = failure.isSuspicious
            failure = AttemptFailure(failure.remedy, "", hasProgress: true)
            failure.isSuspicious = isSuspicious
        }
        failure.pause = operation.attemptProgress.pause
    }
}
