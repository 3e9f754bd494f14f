import TelexScheduling

/// The starts of one throttle name.
struct ThrottleRecord {
    /// No operation starts before this moment because of this one.
    var until = Duration.zero
    var by: Int?
    /// The waiting operations in their order. A replaced one stays here while it is suspended.
    var line: [Int] = []
}

/// Starts within a throttle interval.
extension SimulatedWorld {
    private func throttling(_ index: Int) -> ThrottleRecord {
        operations[index].plan.throttle.flatMap { ledger.throttles[$0.name] } ?? ThrottleRecord()
    }

    private mutating func change(_ index: Int, _ change: (inout ThrottleRecord) -> Void) {
        guard let name = operations[index].plan.throttle?.name else { return }
        change(&ledger.throttles[name, default: ThrottleRecord()])
    }

    /// Starts an operation; one that is due starts before it.
    mutating func throttle(_ index: Int) {
        guard let policy = operations[index].plan.throttle?.policy else { return }
        let isOver = throttling(index).until <= now
        operations[index].startsAtOnce = isOver && !isDue(index)
        if policy == .refuse { operations[index].isThrottled = !isOver }
        makeWay(for: index)
    }

    /// Whether another operation is due before this one.
    private func isDue(_ index: Int) -> Bool {
        let throttling = throttling(index)
        guard throttling.until <= now, let first = throttling.line.first else { return false }
        return operations[first].phase != .suspended
    }

    /// Replaces the earlier waiting operations under the policy `latest`.
    mutating func makeWay(for index: Int) {
        guard operations[index].plan.throttle?.policy == .latest, !isDue(index),
            let first = throttling(index).line.first, first != index
        else { return }
        operations[first].isReplaced = true
    }

    /// Records the start or the wait of an operation in a new phase.
    mutating func throttle(_ index: Int, from last: OperationMachine.Phase) {
        guard let policy = operations[index].plan.throttle?.policy else { return }
        let phase = operations[index].phase
        switch (last, phase) {
        case (.ready, .queued):
            expect(operations[index].startsAtOnce, index, "starts too soon after another")
            starts(index)
        case (.ready, .waiting):
            let mayWait = policy != .refuse && !operations[index].startsAtOnce
            expect(mayWait, index, "waits although it was to start, or to be refused")
            operations[index].isDelayed = true
            change(index) { $0.line.append(index) }
        case _ where !operations[index].isDelayed: break
        case (.waiting, .waiting(let moment)):
            let isNext = throttling(index).line.first == index
            expect(isNext && moment == throttling(index).until, index, "is told a wrong moment")
        case (.waiting, .suspended) where policy == .delay:
            change(index) { $0.line.removeAll { $0 == index } }
        case (.suspended, .waiting) where policy == .delay:
            change(index) { $0.line.append(index) }
        case (_, .queued):
            let line = throttling(index).line
            expect(line.first ?? index == index, index, "starts before one that came earlier")
            leave(index)
            starts(index)
        case _ where phase.isTerminal: leave(index)
        default: break
        }
    }

    private mutating func leave(_ index: Int) {
        operations[index].isDelayed = false
        change(index) { $0.line.removeAll { $0 == index } }
    }

    private mutating func starts(_ index: Int) {
        expect(throttling(index).until <= now, index, "starts too soon after the last one")
        let end = now + (operations[index].plan.throttle?.interval ?? .zero)
        change(index) { throttling in
            throttling.until = end
            throttling.by = index
        }
    }

    /// An operation that never sent anything delays no other.
    mutating func forgetStart(of index: Int) {
        guard !operations[index].hasSent, throttling(index).by == index else { return }
        change(index) { throttling in
            throttling.until = .zero
            throttling.by = nil
        }
    }

    /// Checks that a waiting operation has a reason, and that the next one knows the moment.
    mutating func checkDelay(of index: Int) {
        guard operations[index].isDelayed, case .waiting(let moment) = operations[index].phase,
            throttling(index).line.first == index
        else { return }
        let end = throttling(index).until
        expect(now < end, index, "waits although it could start")
        expect(moment == end, index, "was not told when it starts")
    }
}
