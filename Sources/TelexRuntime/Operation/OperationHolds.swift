/// Who holds an operation: what it is a part of, and is suspended. It may be a step of several groups,
/// and goes on when none of them holds it any more.
struct OperationHolds {
    private var holders: Set<OperationID> = []
    /// What the engine has yet to be told: whether the operation is held.
    private var news: Bool?
    /// Whether a thread sees to that.
    private var isTelling = false

    /// One of them holds it, or lets go of it; nothing if it has done so already.
    mutating func change(_ isHeld: Bool, by holder: OperationID) {
        if isHeld {
            // Somebody may have made it go on meanwhile, so the engine hears of every one.
            if holders.insert(holder).inserted { news = true }
        } else if holders.remove(holder) != nil, holders.isEmpty {
            news = false
        }
    }

    /// Nobody else wants it suspended any more; nothing if one of them holds it.
    mutating func letGoOn() {
        if holders.isEmpty { news = false }
    }

    /// What to tell the engine next. One thread at a time does, until there is nothing: of two that
    /// did so, one could be overtaken, and what it tells would be true no more.
    ///
    /// - Parameter isMine: Whether it is this thread that does.
    /// - Returns: Nil if there is nothing to tell, or another thread does it.
    mutating func next(isMine: Bool) -> Bool? {
        guard isMine || !isTelling else { return nil }
        defer { news = nil }
        isTelling = news != nil
        return news
    }
}

extension OperationHandle {
    /// Suspends it as long as this one holds it; then it goes on, unless another does, or somebody has
    /// suspended it on its own.
    func hold(_ isHeld: Bool, by holder: OperationID) {
        live.withLock { $0.requireColdState().holds.change(isHeld, by: holder) }
        tellHolds()
    }

    /// Lets it go on after `suspend`, unless it is held.
    func letGoOn() {
        live.withLock { live in
            live.staysSuspended = false
            live.requireColdState().holds.letGoOn()
        }
        tellHolds()
    }

    private func tellHolds() {
        var isMine = false
        while let isHeld = live.withLock({ $0.requireColdState().holds.next(isMine: isMine) }) {
            isMine = true
            if isHeld {
                engine.send(.suspend(id))
            } else if !live.withLock({ $0.staysSuspended }) {
                engine.send(.resume(id))
            }
        }
    }
}
