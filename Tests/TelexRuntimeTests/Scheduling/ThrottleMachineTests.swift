import Testing

@testable import TelexRuntime

@Suite("The engine machine, for starts within a throttle interval")
struct ThrottleMachineTests {
    private typealias Bench = EngineMachineHarness

    private func scheduling(
        _ policy: Throttle.Policy, _ name: String = "t", total: Duration? = nil
    ) -> SchedulingRequest {
        SchedulingRequest(
            slot: .init(host: "a.test"), throttle: key(policy, name), totalTimeout: total)
    }

    private func key(
        _ policy: Throttle.Policy, _ name: String = "t"
    ) -> SchedulingRequest.ThrottleKey {
        .init(name: name, interval: .seconds(2), policy: policy)
    }

    private func id(_ number: UInt64) -> OperationID { OperationID(number: number) }

    private func start(
        _ numbers: ClosedRange<UInt64>, _ scheduling: SchedulingRequest, _ bench: inout Bench
    ) {
        for number in numbers { bench.start(number, scheduling) }
    }

    private func waits(_ number: UInt64, until moment: Duration, _ bench: Bench) -> Bool {
        bench.machine.phase(of: id(number))?.0 == .waiting(until: moment)
    }

    // MARK: Delayed

    @Test("the engine machine delays them by an interval each, in their order")
    func delays() {
        var bench = Bench()
        start(1...4, scheduling(.delay), &bench)
        #expect(bench.launched == [1])
        for number in 2...4 as ClosedRange<UInt64> {
            #expect(waits(number, until: .seconds(2 * (number - 1)), bench))
        }
        bench.send(.tick, at: .seconds(1.9))
        #expect(bench.launched == [1])
        bench.send(.tick, at: .seconds(2))
        #expect(bench.launched == [1, 2])
        bench.send(.tick, at: .seconds(4))
        bench.send(.tick, at: .seconds(6))
        #expect(bench.launched == [1, 2, 3, 4])
        #expect(bench.completed.isEmpty)
    }

    @Test("the engine machine does not let a new start overtake another at its moment")
    func inTime() {
        var bench = Bench()
        start(1...2, scheduling(.delay), &bench)
        bench.start(3, scheduling(.delay), at: .seconds(2))
        #expect(bench.launched == [1, 2])
        #expect(waits(3, until: .seconds(4), bench))
    }

    @Test("the throttle interval is kept after a late start, and the next start's moment updated")
    func late() {
        var bench = Bench()
        start(1...3, scheduling(.delay), &bench)
        bench.send(.tick, at: .seconds(3))
        #expect(bench.launched == [1, 2])
        #expect(waits(3, until: .seconds(5), bench))
        bench.send(.tick, at: .seconds(4))
        #expect(bench.launched == [1, 2])
        bench.send(.tick, at: .seconds(5))
        #expect(bench.launched == [1, 2, 3])
    }

    @Test("the engine machine gives the place of one that ends before its start to the next ones")
    func givesPlaceBack() {
        var bench = Bench()
        start(1...5, scheduling(.delay), &bench)
        bench.send(.cancel(id(3)), at: .seconds(1))
        bench.send(.cancel(id(2)), at: .seconds(1))
        #expect(waits(4, until: .seconds(2), bench))
        bench.send(.tick, at: .seconds(2))
        #expect(waits(5, until: .seconds(4), bench))
        bench.send(.tick, at: .seconds(4))
        #expect(bench.launched == [1, 4, 5])
    }

    @Test("the engine machine ends one at its time-out, though it has not been started")
    func outlived() {
        var bench = Bench()
        start(1...1, scheduling(.delay), &bench)
        bench.start(2, scheduling(.delay, total: .seconds(1)))
        bench.start(3, scheduling(.delay))
        bench.send(.tick, at: .seconds(1))
        #expect(bench.completed == [2: .failed(.timedOut(after: .seconds(1)))])
        #expect(waits(3, until: .seconds(2), bench))
    }

    @Test("the engine machine lets later ones pass a suspended one, which resumes behind them")
    func suspended() {
        var bench = Bench()
        start(1...3, scheduling(.delay), &bench)
        bench.send(.suspend(id(2)), at: .seconds(1))
        bench.send(.suspend(id(2)), at: .seconds(1))
        #expect(waits(3, until: .seconds(2), bench))
        bench.send(.resume(id(2)), at: .seconds(1))
        #expect(waits(2, until: .seconds(4), bench))
        bench.send(.tick, at: .seconds(2))
        #expect(bench.launched == [1, 3])
        bench.send(.suspend(id(2)), at: .seconds(3))
        bench.send(.tick, at: .seconds(10))
        #expect(bench.launched == [1, 3])
        bench.send(.resume(id(2)), at: .seconds(10))
        #expect(bench.launched == [1, 3, 2])
        bench.start(4, scheduling(.delay), at: .seconds(11))
        #expect(waits(4, until: .seconds(12), bench))
    }

    @Test("a throttled operation starts at once if the last one ends without sending anything")
    func unsent() {
        var bench = Bench()
        bench.start(1, scheduling(.delay), isBlocked: true)
        bench.start(2, scheduling(.delay))
        bench.start(3, scheduling(.delay))
        bench.send(.cancel(id(1)), at: .seconds(1))
        #expect(bench.launched == [2])
        #expect(waits(3, until: .seconds(3), bench))
    }

    @Test("the engine machine counts the start of one with prerequisites, which may be sent later")
    func blocked() {
        var bench = Bench()
        bench.start(1, scheduling(.delay))
        bench.start(2, scheduling(.delay), isBlocked: true)
        bench.start(3, scheduling(.delay))
        bench.send(.tick, at: .seconds(2))
        #expect(bench.machine.phase(of: id(2))?.0 == .queued)
        bench.send(.tick, at: .seconds(4))
        #expect(bench.launched == [1, 3])
        bench.send(.unblock(id(2)), at: .seconds(5))
        #expect(bench.launched == [1, 3, 2])
        // If its prerequisites end before its moment, it waits for that.
        bench.start(4, scheduling(.delay), isBlocked: true, at: .seconds(5))
        bench.send(.unblock(id(4)), at: .seconds(5.5))
        #expect(bench.launched == [1, 3, 2])
        bench.send(.tick, at: .seconds(6))
        #expect(bench.launched == [1, 3, 2, 4])
    }

    @Test("all waiting throttled starts have one alarm, however many, and are cancelled together")
    func crowd() {
        var bench = Bench()
        start(1...10_000, scheduling(.delay), &bench)
        #expect(bench.machine.timerCount == 1)
        bench.send(.cancelAll((2..<10_000).map { id($0) }), at: .seconds(1))
        #expect(bench.machine.timerCount == 2)
        #expect(waits(10_000, until: .seconds(2), bench))
        bench.send(.cancelAll([id(1), id(10_000)]), at: .seconds(1))
        bench.send(.tick, at: .seconds(2))
        #expect(bench.machine.isIdle && bench.machine.timerCount == 0)
    }

    @Test("the engine machine forgets no awaited start, however many names there are")
    func names() {
        var bench = Bench()
        for number in 1...2_000 as ClosedRange<UInt64> {
            bench.start(number, scheduling(.delay, "\(number)"))
        }
        bench.start(2_001, scheduling(.delay, "1"))
        for number in 3_000...6_000 as ClosedRange<UInt64> {
            bench.start(number, scheduling(.delay, "\(number)"), at: .seconds(1))
        }
        #expect(waits(2_001, until: .seconds(2), bench))
    }

    // MARK: From the end

    private func fromEnd(_ policy: Throttle.Policy) -> SchedulingRequest {
        SchedulingRequest(
            slot: .init(host: "a.test"),
            throttle: .init(name: "t", interval: .seconds(2), policy: policy, isFromEnd: true))
    }

    @Test("throttled starts are refused until an operation ends, and for an interval from then on")
    func refusesUntilEnd() {
        var bench = Bench()
        bench.start(1, fromEnd(.refuse))
        bench.start(2, fromEnd(.refuse), at: .seconds(5))
        #expect(bench.completed[2] == .failed(.throttled(until: .seconds(7))))
        bench.send(.attemptSucceeded(id(1), attempt: 1), at: .seconds(10))
        bench.start(3, fromEnd(.refuse), at: .seconds(11))
        #expect(bench.completed[3] == .failed(.throttled(until: .seconds(12))))
        bench.start(4, fromEnd(.refuse), at: .seconds(12))
        #expect(bench.launched == [1, 4])
    }

    @Test("throttled starts wait until an interval after an operation ends, even by cancellation")
    func delaysUntilEnd() {
        var bench = Bench()
        bench.start(1, fromEnd(.delay))
        bench.start(2, fromEnd(.delay))
        bench.start(3, fromEnd(.delay))
        bench.send(.tick, at: .seconds(9))
        #expect(bench.launched == [1])
        bench.send(.cancel(id(1)), at: .seconds(10))
        bench.send(.tick, at: .seconds(12))
        #expect(bench.launched == [1, 2])
        bench.send(.attemptSucceeded(id(2), attempt: 1), at: .seconds(13))
        bench.send(.tick, at: .seconds(15))
        #expect(bench.launched == [1, 2, 3])
    }

    // MARK: The latest

    @Test("the last throttled call starts when the interval is over, and ends those before it")
    func latest() {
        var bench = Bench()
        start(1...4, scheduling(.latest), &bench)
        #expect(bench.completed == [2: .failed(.replaced), 3: .failed(.replaced)])
        #expect(waits(4, until: .seconds(2), bench))
        bench.send(.tick, at: .seconds(2))
        #expect(bench.launched == [1, 4])
        bench.start(5, scheduling(.latest), at: .seconds(3))
        #expect(waits(5, until: .seconds(4), bench))
        bench.start(6, scheduling(.latest), at: .seconds(4))
        #expect(bench.launched == [1, 4, 5])
        #expect(waits(6, until: .seconds(6), bench))
        #expect(bench.completed.count == 2)
    }

    @Test("a throttled call suspended while it waited is replaced, also when the interval is over")
    func suspendedLatest() {
        for (moment, waits) in [(1, true), (3, false)] {
            var bench = Bench()
            start(1...2, scheduling(.latest), &bench)
            bench.send(.suspend(id(2)), at: .seconds(1))
            bench.start(3, scheduling(.latest), at: .seconds(moment))
            #expect(bench.completed == [2: .failed(.replaced)])
            #expect(self.waits(3, until: .seconds(2), bench) == waits)
            bench.send(.tick, at: .seconds(3))
            #expect(bench.launched == [1, 3])
        }
    }

    @Test("a throttled call that was suspended while it waited resumes if none came after it")
    func resumedLatest() {
        for (moment, launched) in [(1, [1]), (3, [1, 2])] as [(Int, [UInt64])] {
            var bench = Bench()
            start(1...2, scheduling(.latest), &bench)
            bench.send(.suspend(id(2)), at: .seconds(1))
            bench.send(.tick, at: .seconds(moment))
            #expect(bench.launched == [1])
            bench.send(.resume(id(2)), at: .seconds(moment))
            #expect(bench.launched == launched)
            bench.send(.tick, at: .seconds(3))
            #expect(bench.launched == [1, 2])
        }
    }

    @Test("the engine machine leaves none behind that is cancelled while it waits")
    func cancelledLatest() {
        var bench = Bench()
        start(1...2, scheduling(.latest), &bench)
        bench.send(.cancel(id(2)), at: .seconds(1))
        bench.start(3, scheduling(.latest), at: .seconds(1))
        #expect(bench.completed == [2: .cancelled])
        bench.send(.tick, at: .seconds(2))
        #expect(bench.launched == [1, 3])
    }

    @Test("a waiting throttled call ends when another joins a request in flight or just ended")
    func joined() {
        for (ends, policy) in [(false, .latest), (true, .latest), (false, .delay)]
            as [(Bool, Throttle.Policy)]
        {
            var bench = Bench()
            start(1...2, scheduling(policy), &bench)
            if ends { bench.succeed(1) }
            bench.send(.join(id(2), key(policy)))
            #expect(bench.completed[2] == nil)
            bench.send(.join(id(1), key(policy)), at: .seconds(1))
            #expect(bench.completed[2] == (policy == .latest ? .failed(.replaced) : nil))
            bench.send(.tick, at: .seconds(2))
            #expect(bench.launched == (policy == .latest ? [1] : [1, 2]))
        }
    }

    @Test("the engine machine starts one that is due before another joins a request in flight")
    func joinedInTime() {
        var bench = Bench()
        start(1...2, scheduling(.latest), &bench)
        bench.send(.join(id(1), key(.latest)), at: .seconds(2))
        #expect(bench.launched == [1, 2] && bench.completed.isEmpty)
    }

    // MARK: Errands

    @Test(
        "privileged tasks start at once in a throttle interval, and replace or delay no others",
        arguments: [Throttle.Policy.refuse, .delay, .latest])
    func errands(_ policy: Throttle.Policy) {
        var bench = Bench()
        bench.startErrand(1, scheduling(policy))
        bench.start(2, scheduling(policy))
        if policy != .refuse { bench.start(3, scheduling(policy)) }
        bench.startErrand(4, scheduling(policy))
        #expect(bench.launched == [1, 2, 4] && bench.completed.isEmpty)
        for number in [1, 4] as [UInt64] { bench.send(.cancel(id(number))) }
        bench.send(.tick, at: .seconds(2))
        #expect(bench.launched == (policy == .refuse ? [1, 2, 4] : [1, 2, 4, 3]))
    }
}
