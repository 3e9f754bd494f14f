import EngineSimulation
import TestSupport
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("The whole engine in simulation")
struct SimulationTests {
    @Test(
        "the whole engine in simulation obeys its rules in twenty thousand random schedules",
        arguments: 0..<4)
    func schedules(part: UInt64) async {
        await onThreadForLongTests {
            let first = part * 5_000
            let report = Simulation.run(
                seeds: first..<first + 5_000, size: Simulation.Size(operations: 6, controls: 3))
            #expect(report.failure == nil)
            #expect(report.schedules == 5_000)
            #expect(report.events > 5_000)
        }
    }

    @Test("the whole engine in simulation obeys its rules in larger worlds as well")
    func large() {
        let size = Simulation.Size(operations: 40, controls: 6)
        let report = Simulation.run(seeds: 1_000_000..<1_000_100, size: size)
        #expect(report.failure == nil)
        #expect(report.schedules == 100)
    }
}

extension OperationMachine.Phase {
    fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

/// Regressions that the simulation has found.
@Suite("The engine machine, event by event")
struct EngineMachineTests {
    private func scheduling(
        queue: String? = nil, host: String = "a.test", owner: OperationOwner? = nil,
        credential: Bool = false
    ) -> SchedulingRequest {
        SchedulingRequest(
            slot: .init(
                queue: queue, host: host, owner: owner, schemes: credential ? [.login] : []),
            retry: RetryPolicy(attempts: 3), mayRepeat: true)
    }

    private typealias Bench = EngineMachineHarness

    @Test("the engine machine rotates between owners, even if they call different hosts")
    func owners() {
        var bench = Bench(TrafficLimits(concurrent: 1))
        let (busy, quiet) = (OperationOwner("busy"), OperationOwner("quiet"))
        for number in 1...5 as ClosedRange<UInt64> {
            bench.start(number, scheduling(host: "a.test", owner: busy))
        }
        bench.start(6, scheduling(host: "b.test", owner: quiet))
        for _ in 1...5 { bench.succeed(bench.launched[bench.launched.count - 1]) }
        #expect(bench.launched == [1, 2, 6, 3, 4, 5])
    }

    @Test("the machine queues no operation behind one that was suspended between two attempts")
    func suspendedInQueue() {
        var bench = Bench()
        bench.start(1, scheduling(queue: "serial"))
        bench.start(2, scheduling(queue: "serial"))
        bench.fail(1, AttemptFailure(.retry(after: .seconds(9)), "dropped"))
        #expect(bench.launched == [1])
        bench.send(.suspend(OperationID(number: 1)))
        #expect(bench.launched == [1, 2])
    }

    @Test("an operation suspended between two attempts starts no sooner than without suspension")
    func suspendedWhileWaiting() {
        let (one, two) = (OperationID(number: 1), OperationID(number: 2))
        var bench = Bench()
        for number in 1...2 as ClosedRange<UInt64> {
            bench.start(number, scheduling())
            bench.fail(number, AttemptFailure(.retry(after: .seconds(10)), "dropped"))
        }
        for id in [one, two] { bench.send(.suspend(id), at: .seconds(1)) }
        bench.send(.resume(one), at: .seconds(2))
        #expect(bench.machine.phase(of: one)?.0.isWaiting == true)
        bench.send(.tick, at: .seconds(9))
        #expect(bench.launched == [1, 2])
        bench.send(.tick, at: .seconds(11))
        #expect(bench.launched == [1, 2, 1])
        #expect(bench.machine.phase(of: two)?.0 == .suspended)
        bench.send(.resume(two), at: .seconds(11))
        #expect(bench.launched == [1, 2, 1, 2])
    }

    @Test("the machine counts failures in a suspension, and pauses the server as long as usual")
    func failedWhileHeld() {
        let one = OperationID(number: 1)
        var bench = Bench()
        bench.start(1, scheduling())
        for (attempt, second) in [(1, 0), (2, 20)] {
            bench.send(.suspend(one), at: .seconds(second))
            bench.fail(
                1, attempt: attempt, AttemptFailure(.retry(after: .seconds(10)), "status 503"))
            #expect(bench.machine.phase(of: one)?.0 == .suspended)
            bench.send(.resume(one), at: .seconds(second))
            #expect(bench.machine.phase(of: one)?.0.isWaiting == true)
            bench.send(.tick, at: .seconds(second + 20))
        }
        #expect(bench.launched == [1, 1, 1])
        bench.fail(1, attempt: 3, AttemptFailure(.retry(after: .seconds(10)), "status 503"))
        #expect(bench.completed == [1: .failed(.attempt)])
    }

    @Test("the machine pauses the server after a failure while an operation waits to resume")
    func failedWhileQueued() {
        let one = OperationID(number: 1)
        var bench = Bench(TrafficLimits(concurrent: 1))
        bench.start(1, scheduling())
        bench.start(2, scheduling())
        bench.send(.suspend(one))
        bench.send(.resume(one))
        #expect(bench.machine.phase(of: one)?.0 == .queued)
        bench.fail(1, AttemptFailure(.retry(after: .seconds(10)), "dropped"))
        bench.succeed(2)
        #expect(bench.launched == [1, 2])
        bench.send(.tick, at: .seconds(11))
        #expect(bench.launched == [1, 2, 1])
    }

    @Test("the machine spreads the operations that a server deferred, and starts none too soon")
    func returning() {
        var bench = Bench()
        let all = 1...100 as ClosedRange<UInt64>
        for number in all {
            bench.start(number, scheduling())
            var failure = AttemptFailure(.retry(after: .seconds(20)), "status 429")
            failure.isRateLimited = true
            bench.fail(number, failure)
        }
        let moments = all.compactMap { number -> Duration? in
            let phase = bench.machine.phase(of: OperationID(number: number))?.0
            return if case .waiting(let moment) = phase { moment } else { nil }
        }
        #expect(moments.allSatisfy { $0 >= .seconds(20) && $0 <= .seconds(21) })
        #expect(Set(moments).count == 100)
    }

    /// Starts a call with an attempt time-out of a second.
    private func startTimed(_ bench: inout Bench, _ attemptProgress: AttemptProgress) -> OperationID
    {
        let id = OperationID(number: 1)
        let scheduling = SchedulingRequest(
            slot: .init(host: "a.test"), retry: RetryPolicy(backoff: Backoff(initial: .zero)),
            mayRepeat: true, attemptTimeout: .seconds(1))
        bench.start(1, scheduling)
        bench.send(.attemptProgressed(id, attempt: 1, attemptProgress))
        return id
    }

    @Test("the engine machine fails an unrepeatable call after a time-out")
    func lastAttemptTimedOut() {
        var bench = Bench()
        _ = startTimed(&bench, AttemptProgress(hasProgress: true, isLast: true))
        bench.send(.tick, at: .seconds(1))
        #expect(bench.launched == [1])
        #expect(bench.completed == [1: .failed(.attemptTimedOut(after: .seconds(1)))])
        #expect(bench.machine.isIdle)
    }

    @Test("the engine machine gives a suspended unrepeatable call the same time again")
    func lastAttemptHeld() {
        var bench = Bench()
        let id = startTimed(&bench, AttemptProgress(isLast: true))
        bench.send(.suspend(id))
        bench.send(.tick, at: .seconds(5))
        bench.send(.resume(id), at: .seconds(5))
        bench.send(.tick, at: .milliseconds(5_999))
        #expect(bench.launched == [1] && bench.completed.isEmpty)
        bench.send(.tick, at: .seconds(6))
        #expect(bench.completed == [1: .failed(.attemptTimedOut(after: .seconds(1)))])
    }

    @Test("the engine machine does not count time-outs of attempts with progress, however many")
    func timedOutWithProgress() {
        var bench = Bench()
        let id = startTimed(&bench, AttemptProgress(hasProgress: true))
        for attempt in 1...20 {
            bench.send(.tick, at: .seconds(attempt))
            bench.send(.tick, at: .seconds(attempt))
            #expect(bench.launched.count == attempt + 1)
            // The last one never ends.
            guard attempt < 19 else { continue }
            let forward = AttemptProgress(hasProgress: true)
            bench.send(.attemptProgressed(id, attempt: attempt + 1, forward), at: .seconds(attempt))
        }
        #expect(bench.completed.isEmpty)
        bench.send(.tick, at: .seconds(21))
        bench.send(.tick, at: .seconds(22))
        #expect(bench.completed == [1: .failed(.attemptTimedOut(after: .seconds(1)))])
    }

    @Test("the machine pauses a server as long as it asks after an attempt, suspended or not")
    func pauseAfterTimeOut() {
        for isHeld in [false, true] {
            var bench = Bench()
            let id = startTimed(&bench, AttemptProgress(pause: .seconds(10)))
            if isHeld { bench.send(.suspend(id)) }
            bench.send(.tick, at: .seconds(1))
            if isHeld { bench.send(.resume(id), at: .seconds(2)) }
            bench.send(.tick, at: .milliseconds(10_999))
            #expect(bench.launched == [1])
            #expect(bench.machine.phase(of: id)?.0.isWaiting == true)
            bench.send(.tick, at: .seconds(12))
            #expect(bench.launched == [1, 1])
        }
    }

    @Test("the engine machine waits for the longer of its own delay and the server's pause")
    func pauseAfterFailure() {
        for (pause, seconds) in [(1, 8), (30, 30)] as [(Int, Int)] {
            var bench = Bench()
            let backoff = Backoff(initial: .seconds(8), jitter: 0)
            bench.start(
                1,
                SchedulingRequest(slot: .init(host: "a.test"), retry: RetryPolicy(backoff: backoff))
            )
            var failure = AttemptFailure(.retry(after: nil), "dropped")
            failure.pause = .seconds(pause)
            bench.fail(1, failure)
            bench.send(.tick, at: .seconds(seconds) - .milliseconds(1))
            #expect(bench.launched == [1])
            bench.send(.tick, at: .seconds(seconds + 1))
            #expect(bench.launched == [1, 1])
        }
    }

    @Test("the engine machine ignores events of an attempt that it has stopped")
    func lateProgress() {
        var bench = Bench()
        let id = startTimed(&bench, AttemptProgress())
        bench.send(.tick, at: .seconds(1))
        bench.send(.tick, at: .seconds(1))
        bench.send(
            .attemptProgressed(id, attempt: 1, AttemptProgress(isLast: true)), at: .seconds(1))
        bench.send(.tick, at: .seconds(2))
        bench.send(.tick, at: .seconds(2))
        #expect(bench.launched == [1, 1, 1])
        #expect(bench.machine.isCurrent(id, 3) && !bench.machine.isCurrent(id, 1))
    }

    @Test("the machine keeps little state for each operation, because a hundred thousand may wait")
    func size() {
        #expect(MemoryLayout<EngineMachine.Entry>.size <= 80)
    }

    @Test("the machine keeps an operation in its queue that was suspended while it held a slot")
    func leftPlace() {
        // #1 returns to the serial queue, whose slot it has kept, and waits there only for its
        // host; then it is suspended. Its place in the line must not let it pass the queue.
        var bench = Bench(TrafficLimits(perHost: 1))
        let one = OperationID(number: 1)
        bench.start(1, scheduling(queue: "serial"))
        bench.fail(1, AttemptFailure(.retry(after: .seconds(1)), "dropped"))
        bench.start(2, scheduling())
        bench.start(3, scheduling())
        bench.send(.tick, at: .seconds(2))
        bench.send(.suspend(one), at: .seconds(2))
        bench.start(4, scheduling(queue: "serial", host: "b.test"))
        bench.send(.resume(one), at: .seconds(2))
        bench.succeed(2)
        #expect(bench.launched == [1, 2, 4, 3])
        bench.succeed(3)
        #expect(bench.launched == [1, 2, 4, 3])
        bench.succeed(4)
        #expect(bench.launched == [1, 2, 4, 3, 1])
    }

    @Test("the failure of a refresh is shared with calls whose expired token is reported later")
    func lateRefusals() {
        var bench = Bench()
        for number in 1...3 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: false))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 1)
        #expect(
            bench.completed == [
                1: .failed(.notRefreshed(.login)), 2: .failed(.notRefreshed(.login)),
            ])
        bench.start(4, scheduling(credential: true))
        bench.fail(4, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 2)
    }

    @Test(
        "calls reported long after a failed refresh get another, because a log-in is possible")
    func muchLaterRefusals() {
        var bench = Bench()
        for number in 1...3 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: false))
        bench.send(.tick, at: .seconds(5))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        bench.fail(3, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 2)
        #expect(bench.completed == [1: .failed(.notRefreshed(.login))])
    }

    @Test("the machine does not refresh again for calls whose new token is refused in two steps")
    func lateRefusalsOfTheNewToken() {
        var bench = Bench()
        for number in 1...2 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: true))
        bench.fail(1, attempt: 2, AttemptFailure(.refresh(.login), "expired"))
        bench.fail(2, attempt: 1, AttemptFailure(.refresh(.login), "expired"))
        bench.fail(2, attempt: 2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 1)
        #expect(bench.completed == [1: .failed(.attempt), 2: .failed(.attempt)])
    }

    @Test("the engine machine does not refresh again for waiting calls whose new token is refused")
    func refusedAfterWaiting() {
        var bench = Bench()
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.start(2, scheduling(credential: true))
        bench.send(.refreshEnded(number: 1, succeeded: true))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 1)
        #expect(bench.completed == [2: .failed(.attempt)])
    }

    @Test("a call that was suspended during one refresh is not excluded from the next one")
    func toggledWhilePostponed() {
        var bench = Bench()
        let both = [OperationID(number: 1), OperationID(number: 2)]
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.start(2, scheduling(credential: true))
        for id in both + both + both + both + both + both + both {
            bench.send(.suspend(id))
            bench.send(.resume(id))
            #expect(bench.machine.phase(of: id)?.0 == .postponed)
        }
        bench.send(.refreshEnded(number: 1, succeeded: true))
        #expect(bench.launched == [1, 1, 2])
        // The new token is accepted, and later expires.
        bench.start(3, scheduling(credential: true))
        bench.succeed(3)
        bench.send(.tick, at: .seconds(9))
        bench.fail(1, attempt: 2, AttemptFailure(.refresh(.login), "expired"))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 2 && bench.completed == [3: .succeeded])
        bench.send(.refreshEnded(number: 2, succeeded: true))
        for (number, attempt) in [(1, 3), (2, 2)] as [(UInt64, Int)] {
            bench.succeed(number, attempt: attempt)
        }
        #expect(bench.completed == [1: .succeeded, 2: .succeeded, 3: .succeeded])
        #expect(bench.machine.isIdle)
    }

    @Test("a call that waited until the new token expired has another refresh, but not endlessly")
    func oldTokens() {
        var bench = Bench()
        bench.start(1, scheduling(credential: true))
        for attempt in 1...7 {
            bench.fail(1, attempt: attempt, AttemptFailure(.refresh(.login), "expired"))
            #expect(bench.machine.refreshes == attempt)
            bench.send(.suspend(OperationID(number: 1)))
            bench.send(.refreshEnded(number: attempt, succeeded: true))
            bench.send(.resume(OperationID(number: 1)), at: .seconds(2 * attempt))
        }
        bench.fail(1, attempt: 8, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.completed == [1: .failed(.attempt)])
    }

    @Test(
        "the machine refreshes again for a slow refusal of a new token that was accepted before",
        arguments: [true, false])
    func slowRefusals(isProven: Bool) {
        var bench = Bench()
        for number in 1...2 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        for number in 1...2 as ClosedRange<UInt64> {
            bench.fail(number, AttemptFailure(.refresh(.login), "expired"))
        }
        bench.send(.refreshEnded(number: 1, succeeded: true))
        if isProven { bench.succeed(2, attempt: 2) }
        let one = OperationID(number: 1)
        bench.send(
            .attemptFailed(one, attempt: 2, AttemptFailure(.refresh(.login), "expired")),
            at: CredentialGate.newnessPeriod)
        #expect(bench.machine.refreshes == (isProven ? 2 : 1))
        #expect((bench.completed[1] == nil) == isProven)
    }

    @Test("the engine machine refreshes for later calls if the refused call is unrepeatable")
    func renewal() {
        var bench = Bench()
        for number in 1...3 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        bench.fail(1, AttemptFailure(.renew(.login), "expired"))
        bench.fail(2, AttemptFailure(.renew(.login), "expired"))
        #expect(bench.machine.refreshes == 1)
        #expect(bench.completed == [1: .failed(.attempt), 2: .failed(.attempt)])
        bench.send(.refreshEnded(number: 1, succeeded: true))
        bench.fail(3, AttemptFailure(.renew(.login), "expired"))
        #expect(bench.machine.refreshes == 1)
    }

    @Test("the engine machine refreshes again for an operation with progress since the refusal")
    func progressBetweenRefusals() {
        var bench = Bench()
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: true))
        bench.fail(
            1, attempt: 2, AttemptFailure(.retry(after: .zero), "dropped", hasProgress: true))
        bench.fail(1, attempt: 3, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 2)
    }

    @Test("the engine machine resets the failure count after progress")
    func failuresAfterProgress() {
        var bench = Bench()
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        bench.start(
            1, SchedulingRequest(slot: .init(host: "a.test"), retry: retry, mayRepeat: true))
        for (index, hasProgress) in [false, false, true, false, false, true].enumerated() {
            let failure = AttemptFailure(
                .retry(after: nil), "dropped", hasProgress: hasProgress)
            bench.fail(1, attempt: index + 1, failure)
        }
        #expect(bench.launched.count == 7 && bench.completed.isEmpty)
    }

    @Test("the engine machine fails a suspended call that failed and is never repeated")
    func failedWhileHeldForGood() {
        var bench = Bench()
        bench.start(1, SchedulingRequest(slot: .init(host: "a.test"), mayRepeat: true))
        bench.send(.suspend(OperationID(number: 1)))
        bench.fail(1, AttemptFailure(.retry(after: .zero), "dropped"))
        #expect(bench.completed == [1: .failed(.attempt)])
    }

    @Test("the engine machine keeps the queue slot of an attempt that sends another request")
    func asksInPlace() {
        var bench = Bench()
        let serial = SchedulingRequest(slot: .init(queue: "serial", host: "a.test"))
        bench.start(1, serial)
        bench.start(2, serial)
        bench.send(.attemptAsks(OperationID(number: 1), attempt: 1))
        #expect(bench.launched == [1])
        bench.succeed(1)
        #expect(bench.launched == [1, 2])
    }

    @Test("a call fails with its own error if its deadline comes before the next attempt")
    func overAtTheNextAttempt() {
        var bench = Bench()
        let retry = RetryPolicy(backoff: Backoff(initial: .seconds(2), jitter: 0))
        bench.start(
            1,
            SchedulingRequest(
                slot: .init(host: "a.test"), retry: retry, mayRepeat: true,
                totalTimeout: .seconds(2)))
        bench.fail(1, AttemptFailure(.retry(after: nil), "dropped"))
        bench.send(.tick, at: .seconds(2))
        #expect(bench.completed == [1: .failed(.attempt)])
    }

    @Test("a call without a token is no proof for the machine that the new token is accepted")
    func othersProveNothing() {
        var bench = Bench()
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: true))
        bench.start(2, scheduling())
        bench.succeed(2)
        bench.send(
            .attemptFailed(
                OperationID(number: 1), attempt: 2, AttemptFailure(.refresh(.login), "expired")),
            at: CredentialGate.newnessPeriod)
        #expect(bench.machine.refreshes == 1)
        #expect(bench.completed[1] == .failed(.attempt))
    }

    /// An operation that was suspended while it waited for a refresh, which failed.
    private func suspendedDuringRefresh() -> (Bench, OperationID) {
        var bench = Bench()
        let one = OperationID(number: 1)
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.suspend(one))
        bench.send(.refreshEnded(number: 1, succeeded: false))
        #expect(bench.completed.isEmpty)
        #expect(bench.machine.phase(of: one)?.0 == .suspended)
        return (bench, one)
    }

    @Test("the machine fails a call that was suspended during a failed refresh once it resumes")
    func suspendedDuringFailure() {
        var (bench, one) = suspendedDuringRefresh()
        bench.send(.resume(one), at: .seconds(4))
        // It finds the same token, which it does not send.
        bench.fail(1, attempt: 2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.completed == [1: .failed(.notRefreshed(.login))])
        #expect(bench.machine.refreshes == 1 && bench.machine.isIdle)
        // A log-in elsewhere, or a return of the network, is possible since then.
        (bench, one) = suspendedDuringRefresh()
        bench.send(.resume(one), at: .seconds(3_600))
        #expect(bench.launched == [1, 1])
    }

    @Test("a call suspended in a failed refresh resumes if a log-in or refresh gave a new token")
    func suspendedUntilLogIn() {
        var (bench, one) = suspendedDuringRefresh()
        bench.send(.loggedIn)
        bench.send(.resume(one))
        #expect(bench.launched == [1, 1])
        (bench, one) = suspendedDuringRefresh()
        bench.start(2, scheduling(credential: true))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 2, succeeded: true))
        bench.send(.resume(one))
        #expect(bench.launched == [1, 2, 2, 1])
    }

    @Test("a call that resumes after a failed refresh awaits one in flight, and shares its result")
    func suspendedUntilNextRefresh() {
        for isGood in [true, false] {
            var (bench, one) = suspendedDuringRefresh()
            bench.start(2, scheduling(credential: true))
            bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
            bench.send(.resume(one))
            #expect(bench.machine.phase(of: one)?.0 == .postponed)
            bench.send(.refreshEnded(number: 2, succeeded: isGood))
            #expect(bench.launched == (isGood ? [1, 2, 1, 2] : [1, 2]))
            #expect(isGood || bench.completed[1] == .failed(.notRefreshed(.login)))
        }
    }

    @Test("the engine machine makes calls that missed a failed refresh wait for the one in flight")
    func refusedBetweenRefreshes() {
        var bench = Bench()
        for number in 1...2 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: false))
        bench.start(3, scheduling(credential: true))
        bench.fail(3, AttemptFailure(.refresh(.login), "expired"))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 2)
        #expect(bench.completed == [1: .failed(.notRefreshed(.login))])
        bench.send(.refreshEnded(number: 2, succeeded: true))
        #expect(bench.launched == [1, 2, 3, 2, 3])
    }

    @Test("the machine does not refresh for an unrepeatable call if a refresh has just failed")
    func renewalAfterFailure() {
        var bench = Bench()
        for number in 1...2 as ClosedRange<UInt64> {
            bench.start(number, scheduling(credential: true))
        }
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: false))
        bench.fail(2, AttemptFailure(.renew(.login), "expired"))
        #expect(bench.machine.refreshes == 1)
    }

    @Test("the machine starts no refresh for a call that serves one, even without waiting calls")
    func renewalWhileRefreshing() {
        var bench = Bench(refreshTimeout: .seconds(5))
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.tick, at: .seconds(5))
        #expect(bench.completed == [1: .failed(.notRefreshed(.login))])
        let two = OperationID(number: 2)
        bench.machine.add(two)
        bench.send(
            .start(two, scheduling(credential: true), isBlocked: false, privilege: .login),
            at: .seconds(5))
        bench.send(
            .attemptFailed(two, attempt: 1, AttemptFailure(.renew(.login), "expired")),
            at: .seconds(5))
        #expect(bench.machine.refreshes == 1)
        #expect(bench.completed[2] == .failed(.attempt))
    }

    @Test("the machine blocks no call for longer than the refresh time-out, however many alarms")
    func refreshInACrowd() {
        var bench = Bench(refreshTimeout: .seconds(5))
        bench.start(1, scheduling(credential: true))
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        let slow = SchedulingRequest(slot: .init(host: "a.test"), totalTimeout: .seconds(60))
        for number in 2...1_000 as ClosedRange<UInt64> { bench.start(number, slow) }
        bench.send(.tick, at: .seconds(5))
        #expect(bench.completed == [1: .failed(.notRefreshed(.login))])
    }

    @Test("the engine machine spreads equal calls, however many others there are")
    func throttledInACrowd() {
        var bench = Bench()
        func throttled(_ name: String) -> SchedulingRequest {
            SchedulingRequest(throttle: .init(name: name, interval: .seconds(2)))
        }
        for number in 1...2_000 as ClosedRange<UInt64> {
            bench.start(number, throttled("\(number)"))
        }
        bench.start(2_001, throttled("1"))
        #expect(bench.completed == [2_001: .failed(.throttled(until: .seconds(2)))])
    }

    @Test("the engine machine earns no retries by retries")
    func retriesOfOneCall() {
        var bench = Bench()
        let retry = RetryPolicy(attempts: 100, backoff: Backoff(initial: .zero))
        bench.start(
            1, SchedulingRequest(slot: .init(host: "a.test"), retry: retry, mayRepeat: true))
        for attempt in 1...11 {
            bench.fail(1, attempt: attempt, AttemptFailure(.retry(after: nil), "dropped"))
        }
        #expect(bench.launched.count == 1 + Int(RetryBudget.reserve))
        #expect(bench.completed == [1: .failed(.attempt)])
    }

    @Test("an attempt that has sent its request continues, though the one before it had not")
    func heldAgain() {
        var bench = Bench(TrafficLimits(rate: RequestRate(2, per: .seconds(60))))
        let id = startTimed(&bench, AttemptProgress(sendsWhenResumed: true))
        bench.send(.suspend(id))
        bench.send(.tick, at: .seconds(1))
        bench.send(.resume(id), at: .seconds(1))
        #expect(bench.launched == [1, 1])
        bench.send(.suspend(id), at: .seconds(1))
        bench.send(.resume(id), at: .seconds(1))
        #expect(bench.machine.phase(of: id)?.0 == .running)
    }

    @Test("a host is paused for an operation that was to resume, but has a request to send")
    func asksAgainInLine() {
        var bench = Bench(TrafficLimits(concurrent: 1))
        let one = OperationID(number: 1)
        bench.start(1, scheduling())
        bench.start(2, scheduling())
        bench.send(.suspend(one))
        bench.send(.resume(one))
        bench.send(.attemptProgressed(one, attempt: 1, AttemptProgress(sendsWhenResumed: true)))
        bench.send(.pauseHost("a.test", .seconds(5)))
        bench.succeed(2)
        #expect(bench.machine.phase(of: one)?.0 == .queued)
        bench.send(.tick, at: .seconds(5))
        #expect(bench.machine.phase(of: one)?.0 == .running)
    }

    @Test("the request of an attempt counts if its suspension is reported after it has resumed")
    func heldForAMoment() {
        var bench = Bench(TrafficLimits(rate: RequestRate(1, per: .seconds(10))))
        let one = OperationID(number: 1)
        bench.start(1, scheduling())
        bench.send(.suspend(one))
        bench.send(.resume(one))
        let held = AttemptProgress(sendsWhenResumed: true, isUnsent: true)
        for attemptProgress in [held, AttemptProgress()] {
            bench.send(.attemptProgressed(one, attempt: 1, attemptProgress))
        }
        bench.start(2, scheduling())
        #expect(bench.launched == [1])
    }

    @Test("the engine machine frees the throttle after an operation that sent nothing")
    func unsentThrottle() {
        var bench = Bench()
        let throttled = SchedulingRequest(throttle: .init(name: "tap", interval: .seconds(2)))
        let (one, two) = (OperationID(number: 1), OperationID(number: 2))
        for id in [one, two] { bench.machine.add(id) }
        bench.send(.start(one, throttled, isBlocked: true))
        bench.send(.start(two, throttled, isBlocked: false))
        #expect(bench.completed[2] == .failed(.throttled(until: .seconds(2))))
        bench.send(.cancel(one))
        bench.start(3, throttled)
        #expect(bench.launched == [3])
        bench.send(.cancel(OperationID(number: 3)))
        bench.start(4, throttled)
        #expect(bench.completed[4] == .failed(.throttled(until: .seconds(2))))
    }

    @Test("an operation restarts at once if the last one had no token and sent nothing")
    func unsentAndThrottled() {
        for remedy in [AttemptFailure.Remedy.refresh(.login), .renew(.login)] {
            for sentNothing in [true, false] {
                var bench = Bench()
                let throttled = SchedulingRequest(
                    slot: scheduling(credential: true).slot,
                    throttle: .init(name: "tap", interval: .seconds(2)))
                bench.start(1, throttled)
                var failure = AttemptFailure(remedy, "the token has expired")
                failure.sentNothing = sentNothing
                bench.fail(1, failure)
                bench.send(.refreshEnded(number: 1, succeeded: false))
                #expect(bench.completed[1] != nil)
                bench.start(2, throttled)
                #expect((bench.completed[2] == nil) == sentNothing)
            }
        }
    }

    @Test("the machine takes back no other call's request for a privileged one that sent nothing")
    func unsentInRefresh() {
        var bench = Bench(TrafficLimits(rate: RequestRate(1, per: .seconds(60))))
        bench.start(1, scheduling())
        let two = OperationID(number: 2)
        bench.machine.add(two)
        bench.send(.start(two, scheduling(credential: true), isBlocked: false, privilege: .login))
        var failure = AttemptFailure(.none, "the token has expired")
        failure.sentNothing = true
        bench.fail(2, failure)
        bench.start(3, scheduling())
        #expect(bench.launched == [1, 2])
    }
}
