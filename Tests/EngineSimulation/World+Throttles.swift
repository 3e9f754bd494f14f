import TelexScheduling

/// What is known of the starts of one throttled name.
struct Throttling {
    /// Nobody starts before this moment, on account of this operation.
    var until = Duration.zero
    var by: Int?
    /// Those who wait, in the order of coming. The one that makes way for the next stays here while it
    /// is suspended.
    var line: [Int] = []
}

/// Starts that come too soon after another.
extension World {
    private func throttling(_ index: Int) -> Throttling {
        actors[index].plan.throttle.flatMap { books.throttles[$0.name] } ?? Throttling()
    }

    private mutating func change(_ index: Int, _ change: (inout Throttling) -> Void) {
        guard let name = actors[index].plan.throttle?.name else { return }
        change(&books.throttles[name, default: Throttling()])
    }

    /// An operation is to start: who is due goes before it.
    mutating func throttle(_ index: Int) {
        guard let policy = actors[index].plan.throttle?.policy else { return }
        let isOver = throttling(index).until <= now
        actors[index].startsAtOnce = isOver && !isDue(index)
        if policy == .refuse { actors[index].isThrottled = !isOver }
        makeWay(for: index)
    }

    /// Whether somebody is to start before an operation that is wanted now.
    private func isDue(_ index: Int) -> Bool {
        let throttling = throttling(index)
        guard throttling.until <= now, let first = throttling.line.first else { return false }
        return actors[first].phase != .suspended
    }

    /// An operation is wanted: where the last one counts, nobody waits who came before.
    mutating func makeWay(for index: Int) {
        guard actors[index].plan.throttle?.policy == .latest, !isDue(index),
            let first = throttling(index).line.first, first != index
        else { return }
        actors[first].isReplaced = true
    }

    /// An operation is in another phase: has it started, or does it wait to?
    mutating func throttle(_ index: Int, from last: OperationMachine.Phase) {
        guard let policy = actors[index].plan.throttle?.policy else { return }
        let phase = actors[index].phase
        switch (last, phase) {
        case (.ready, .queued):
            expect(actors[index].startsAtOnce, index, "starts too soon after another")
            starts(index)
        case (.ready, .waiting):
            let mayWait = policy != .refuse && !actors[index].startsAtOnce
            expect(mayWait, index, "waits although it was to start, or to be refused")
            actors[index].isDelayed = true
            change(index) { $0.line.append(index) }
        case _ where !actors[index].isDelayed: break
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
        actors[index].isDelayed = false
        change(index) { $0.line.removeAll { $0 == index } }
    }

    private mutating func starts(_ index: Int) {
        expect(throttling(index).until <= now, index, "starts too soon after the last one")
        let end = now + (actors[index].plan.throttle?.interval ?? .zero)
        change(index) { throttling in
            throttling.until = end
            throttling.by = index
        }
    }

    /// One that never sent anything keeps nobody away.
    mutating func forgetStart(of index: Int) {
        guard !actors[index].hasSent, throttling(index).by == index else { return }
        change(index) { throttling in
            throttling.until = .zero
            throttling.by = nil
        }
    }

    /// Who waits for its start waits for a reason, and the next one knows until when.
    mutating func checkDelay(of index: Int) {
        guard actors[index].isDelayed, case .waiting(let moment) = actors[index].phase,
            throttling(index).line.first == index
        else { return }
        let end = throttling(index).until
        expect(now < end, index, "waits although it could start")
        expect(moment == end, index, "was not told when it starts")
    }
}
