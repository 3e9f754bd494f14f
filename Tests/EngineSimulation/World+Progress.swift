import TelexScheduling

/// What attempts say of themselves while they are live.
extension World {
    /// Something that an attempt may say.
    mutating func attemptProgress() -> AttemptProgress {
        AttemptProgress(
            hasProgress: random.percent(60), isLast: random.percent(25),
            pause: random.percent(40) ? random.milliseconds(300) : nil,
            sendsWhenResumed: random.percent(30), isUnsent: random.percent(30))
    }

    /// An attempt says something.
    mutating func stand(_ index: Int, _ attempt: Int, _ attemptProgress: AttemptProgress) {
        // What was held for too long because it could not be repeated goes on, whatever comes.
        let isFinal = actors[index].attemptProgress.isLast && !attemptProgress.isLast
        if isFinal, machine.phase(of: id(index))?.0 != .running { return }
        // Of an attempt that was given up nobody wants to know.
        if machine.isCurrent(id(index), attempt) {
            var attemptProgress = attemptProgress
            if machine.phase(of: id(index))?.0 == .running { attemptProgress.isUnsent = false }
            if attemptProgress.isUnsent { takeBack(actors[index]) }
            actors[index].attemptProgress = attemptProgress
        }
        send(.attemptProgressed(id(index), attempt: attempt, attemptProgress))
    }

    /// What an attempt was to send counts no longer, unless that is known.
    mutating func takeBack(_ actor: Actor) {
        guard actor.hasSeat, !actor.attemptProgress.isUnsent else { return }
        books.takeBack(actor.counted, by: actor)
    }

    /// An attempt has to wait before it sends another request.
    mutating func ask(_ index: Int, _ attempt: Int) {
        var attemptProgress = actors[index].attemptProgress
        attemptProgress.sendsWhenResumed = true
        stand(index, attempt, attemptProgress)
        send(.attemptAsks(id(index), attempt: attempt))
    }

    /// A failure says what the attempt has said of itself.
    func stand(_ actor: Actor, _ failure: inout AttemptFailure) {
        if actor.attemptProgress.isLast { failure.remedy = failure.remedy.withoutRepeating }
        if actor.attemptProgress.hasProgress {
            let isSuspicious = failure.isSuspicious
            failure = AttemptFailure(failure.remedy, "", hasProgress: true)
            failure.isSuspicious = isSuspicious
        }
        failure.pause = actor.attemptProgress.pause
    }
}
