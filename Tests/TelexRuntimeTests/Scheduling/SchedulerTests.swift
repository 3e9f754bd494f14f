import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("Turns in the scheduler")
struct SchedulerTests {
    private func ids(_ count: Int) -> [OperationID] { (0..<count).map { _ in .next() } }

    private func scheduling(
        queue: String? = nil, host: String = "a", _ priority: CallPriority = .normal,
        owner: String? = nil, rate: SchedulingRequest.MethodRate? = nil, isOutsideAPI: Bool = false,
        usesCredential: Bool = false
    ) -> SchedulingRequest {
        SchedulingRequest(
            slot: .init(
                queue: queue, host: host, priority: priority,
                owner: owner.map { OperationOwner($0) },
                rate: rate, schemes: usesCredential ? [.login] : [], isOutsideAPI: isOutsideAPI))
    }

    /// Returns all operations that may start at this moment, in order.
    private func turns(_ scheduler: inout Scheduler, at now: Duration = .zero) -> [OperationID] {
        var turns: [OperationID] = []
        while let id = scheduler.next(at: now) {
            scheduler.recordRequest(id, at: now)
            turns.append(id)
        }
        return turns
    }

    @Test("the scheduler's turns come in the order of creation, urgent operations first")
    func priority() {
        var scheduler = Scheduler(TrafficLimits(concurrent: 1), queues: [])
        let ids = ids(6)
        let priorities: [CallPriority] = [.low, .normal, .high, .low, .normal, .high]
        for (id, priority) in zip(ids, priorities) {
            scheduler.add(id, scheduling: scheduling(priority))
        }
        var order: [OperationID] = []
        while let id = scheduler.next(at: .zero) {
            order.append(id)
            scheduler.remove(id, returns: false)
        }
        // The first one was started while everything was free, before the others existed.
        #expect(Set(order) == Set(ids))
        #expect(order.filter { $0 != ids[0] } == [ids[2], ids[5], ids[1], ids[4], ids[3]])
    }

    @Test("the scheduler's turns are shared by owners: a thousand calls of one delay no other")
    func fairness() {
        var scheduler = Scheduler(TrafficLimits(concurrent: 1), queues: [])
        let ids = ids(1_001)
        for id in ids.dropLast() { scheduler.add(id, scheduling: scheduling(owner: "many")) }
        scheduler.add(ids[1_000], scheduling: scheduling(owner: "one"))
        var order: [OperationID] = []
        for _ in 0..<3 {
            guard let id = scheduler.next(at: .zero) else { break }
            order.append(id)
            scheduler.remove(id, returns: false)
        }
        #expect(order.contains(ids[1_000]))
    }

    @Test("the scheduler's turns are limited for the API, for each host and for each queue")
    func limits() {
        let queues = [QueueRules("q", concurrent: 2)]
        var scheduler = Scheduler(TrafficLimits(concurrent: 5, perHost: 3), queues: queues)
        let ids = ids(12)
        for id in ids[0..<4] { scheduler.add(id, scheduling: scheduling(queue: "q", host: "a")) }
        for id in ids[4..<8] { scheduler.add(id, scheduling: scheduling(host: "a")) }
        for id in ids[8..<12] { scheduler.add(id, scheduling: scheduling(host: "b")) }
        let turns = turns(&scheduler)
        #expect(turns == [ids[0], ids[1], ids[4], ids[8], ids[9]])
        scheduler.remove(ids[0], returns: false)
        #expect(self.turns(&scheduler) == [ids[2]])
    }

    @Test("turns are never more in an interval than the rate allows, wherever the interval begins")
    func rate() {
        let rate = RequestRate(3, per: .seconds(1))
        var scheduler = Scheduler(TrafficLimits(rate: rate), queues: [])
        for id in ids(20) { scheduler.add(id, scheduling: scheduling()) }
        var moments: [Duration] = []
        var now = Duration.milliseconds(900)
        while moments.count < 20 {
            moments += turns(&scheduler, at: now).map { _ in now }
            guard let opening = scheduler.opening(after: now) else { break }
            #expect(opening > now)
            now = opening
        }
        #expect(moments.count == 20)
        for (index, moment) in moments.enumerated().dropFirst(3) {
            #expect(moment - moments[index - 3] >= .seconds(1))
        }
    }

    @Test("the turns of a method with its own rate do not delay other methods")
    func methodRate() {
        var scheduler = Scheduler(TrafficLimits(), queues: [])
        let rate = SchedulingRequest.MethodRate(method: "m", rate: RequestRate(1, per: .seconds(1)))
        let ids = ids(4)
        for id in ids[0..<2] { scheduler.add(id, scheduling: scheduling(rate: rate)) }
        for id in ids[2..<4] { scheduler.add(id, scheduling: scheduling()) }
        #expect(turns(&scheduler) == [ids[0], ids[2], ids[3]])
        #expect(turns(&scheduler, at: .seconds(1)) == [ids[1]])
    }

    @Test("the turns at a paused host come when the pause is over")
    func closedHost() {
        var scheduler = Scheduler(TrafficLimits(), queues: [])
        let ids = ids(2)
        scheduler.close("a", for: .seconds(5), at: .zero)
        scheduler.add(ids[0], scheduling: scheduling(host: "a"))
        scheduler.add(ids[1], scheduling: scheduling(host: "b"))
        #expect(turns(&scheduler) == [ids[1]])
        #expect(scheduler.opening(after: .zero) == .seconds(5))
        #expect(turns(&scheduler, at: .seconds(5)) == [ids[0]])
    }

    /// Returns when each of `count` operations starts at a host with a pause, and which one; each
    /// alarm is late by `lateness`.
    private func comeBack(
        _ count: Int, after pause: Duration, seed: UInt64 = 1, lateness: Duration = .zero
    ) -> (moments: [Duration], order: [OperationID], ids: [OperationID]) {
        // With a limit, because a burst to a host without one begins gently.
        var scheduler = Scheduler(TrafficLimits(perHost: 10_000), queues: [], seed: seed)
        scheduler.close("a", for: pause, at: .zero)
        let ids = ids(count)
        for id in ids { scheduler.add(id, scheduling: scheduling()) }
        var moments: [Duration] = []
        var order: [OperationID] = []
        var now = Duration.zero
        while order.count < count {
            for id in turns(&scheduler, at: now) {
                order.append(id)
                moments.append(now)
            }
            guard let opening = scheduler.opening(after: now) else { break }
            now = opening + lateness
        }
        return (moments, order, ids)
    }

    @Test("the turns at a host after a pause come one after another, all within a second")
    func spreadCrowd() {
        let (moments, order, ids) = comeBack(1_000, after: .seconds(30))
        #expect(order == ids)
        #expect(moments.first == .seconds(30))
        #expect(moments.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(31) })
        // No tenth of the second has more than a fifth of them, and few start at one moment.
        let tenths = Dictionary(grouping: moments) { Int(($0 - .seconds(30)) / .milliseconds(100)) }
        #expect(tenths.values.allSatisfy { $0.count < 200 })
        let crowds = Dictionary(grouping: moments) { $0 }
        #expect(crowds.values.allSatisfy { $0.count < 20 })
    }

    @Test("the turns at a host after a pause keep their time even if every alarm is late")
    func spreadLate() {
        let (moments, _, _) = comeBack(
            10_000, after: .seconds(30), lateness: .milliseconds(1))
        #expect(moments.count == 10_000)
        let crowds = Dictionary(grouping: moments) { $0 }
        #expect(crowds.values.allSatisfy { $0.count < 200 })
    }

    @Test("the turns of few waiting operations are close, and differ by the seed")
    func spreadFew() {
        let moments = comeBack(3, after: .seconds(30)).moments
        #expect(moments.first == .seconds(30) && moments.count == 3)
        for (one, next) in zip(moments, moments.dropFirst()) {
            #expect((.milliseconds(20)...(.milliseconds(75))).contains(next - one))
        }
        #expect(comeBack(3, after: .seconds(30)).moments == moments)
        #expect(comeBack(3, after: .seconds(30), seed: 2).moments != moments)
        #expect(comeBack(50, after: .zero).moments.allSatisfy { $0 == .zero })
    }

    @Test("a turn without a request waits for no rate and no pause, and causes no distance")
    func goingOn() {
        let rate = RequestRate(1, per: .seconds(9))
        var scheduler = Scheduler(TrafficLimits(rate: rate), queues: [])
        let ids = ids(4)
        scheduler.add(ids[0], scheduling: scheduling())
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.close("a", for: .seconds(5), at: .zero)
        scheduler.add(ids[1], scheduling: scheduling())
        let method = SchedulingRequest.MethodRate(method: "m", rate: rate)
        scheduler.add(ids[2], scheduling: scheduling(rate: method), sends: false)
        #expect(scheduler.next(at: .zero) == ids[2])
        #expect(scheduler.next(at: .zero) == nil)
        // Between the end of the pause and the shared time, one starts and one resumes.
        var paused = Scheduler(TrafficLimits(), queues: [])
        paused.close("a", for: .seconds(5), at: .zero)
        for id in ids[0..<2] { paused.add(id, scheduling: scheduling()) }
        paused.add(ids[3], scheduling: scheduling(), sends: false)
        #expect(paused.next(at: .seconds(1)) == ids[3])
        #expect(paused.opening(after: .seconds(1)) == .seconds(5))
        #expect(paused.next(at: .seconds(5)) == ids[0])
        #expect(paused.next(at: .seconds(5)) == nil)
    }

    @Test("the turns at outside hosts neither count for the API's rate nor wait for it")
    func foreign() {
        let rate = RequestRate(1, per: .seconds(1))
        var scheduler = Scheduler(TrafficLimits(rate: rate), queues: [])
        let ids = ids(6)
        for id in ids[0..<2] {
            scheduler.add(id, scheduling: scheduling(host: "cdn", isOutsideAPI: true))
        }
        for id in ids[2..<4] { scheduler.add(id, scheduling: scheduling()) }
        #expect(turns(&scheduler) == [ids[0], ids[1], ids[2]])
        scheduler.add(ids[4], scheduling: scheduling(host: "cdn", isOutsideAPI: true))
        #expect(turns(&scheduler) == [ids[4]])
        #expect(turns(&scheduler, at: .seconds(1)) == [ids[3]])
    }

    @Test("the turns at outside hosts obey the rate of their method, and other limits")
    func foreignLimits() {
        var scheduler = Scheduler(TrafficLimits(concurrent: 3, perHost: 2), queues: [])
        let rate = SchedulingRequest.MethodRate(method: "m", rate: RequestRate(1, per: .seconds(1)))
        let ids = ids(6)
        for id in ids[0..<2] {
            scheduler.add(id, scheduling: scheduling(host: "x", rate: rate, isOutsideAPI: true))
        }
        for id in ids[2..<5] {
            scheduler.add(id, scheduling: scheduling(host: "cdn", isOutsideAPI: true))
        }
        scheduler.add(ids[5], scheduling: scheduling())
        #expect(turns(&scheduler) == [ids[0], ids[2], ids[3]])
        scheduler.remove(ids[2], returns: false)
        #expect(turns(&scheduler) == [ids[4]])
        scheduler.remove(ids[3], returns: false)
        #expect(turns(&scheduler) == [ids[5]])
        scheduler.remove(ids[5], returns: false)
        #expect(scheduler.opening(after: .zero) == .seconds(1))
        #expect(turns(&scheduler, at: .seconds(1)) == [ids[1]])
    }

    @Test("the turns in a serial queue are kept for an operation between its attempts")
    func serial() {
        var scheduler = Scheduler(TrafficLimits(), queues: [QueueRules("s", concurrent: 1)])
        let ids = ids(2)
        for id in ids { scheduler.add(id, scheduling: scheduling(queue: "s")) }
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.remove(ids[0], returns: true)
        #expect(turns(&scheduler) == [])
        scheduler.add(ids[0], scheduling: scheduling(queue: "s"))
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.remove(ids[0], returns: false)
        #expect(turns(&scheduler) == [ids[1]])
    }

    @Test("turns in a serial queue come to calls without a token while another waits for one")
    func login() {
        var scheduler = Scheduler(TrafficLimits(), queues: [QueueRules("s", concurrent: 1)])
        let ids = ids(5)
        scheduler.add(ids[0], scheduling: scheduling(queue: "s", usesCredential: true))
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.remove(ids[0], returns: true, allowsTokenless: true)
        scheduler.add(ids[1], scheduling: scheduling(queue: "s", usesCredential: true))
        for id in ids[2...4] { scheduler.add(id, scheduling: scheduling(queue: "s")) }
        // One at a time.
        #expect(turns(&scheduler) == [ids[2]])
        // It returns, after the running one and before all others.
        scheduler.add(ids[0], scheduling: scheduling(queue: "s", usesCredential: true))
        #expect(turns(&scheduler) == [])
        scheduler.remove(ids[2], returns: true)
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.remove(ids[0], returns: false)
        #expect(turns(&scheduler) == [])
        scheduler.add(ids[2], scheduling: scheduling(queue: "s"))
        #expect(turns(&scheduler) == [ids[2]])
        for (last, next) in [(2, 1), (1, 3), (3, 4)] {
            scheduler.remove(ids[last], returns: false)
            #expect(turns(&scheduler) == [ids[next]])
        }
        scheduler.remove(ids[4], returns: false)
        #expect(scheduler.isIdle)
    }

    @Test("turns in a serial queue come to a tokenless call, too, if the other returns to a queue")
    func loginLater() {
        var scheduler = Scheduler(TrafficLimits(), queues: [QueueRules("s", concurrent: 1)])
        let ids = ids(2)
        scheduler.add(ids[0], scheduling: scheduling(queue: "s", usesCredential: true))
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.remove(ids[0], returns: true)
        scheduler.add(ids[0], scheduling: scheduling(queue: "s", usesCredential: true))
        scheduler.add(ids[1], scheduling: scheduling(queue: "s"))
        scheduler.remove(ids[0], returns: true, allowsTokenless: true)
        #expect(turns(&scheduler) == [ids[1]])
    }

    @Test("the turns of an operation with a raised priority come no later for that")
    func raised() {
        var scheduler = Scheduler(TrafficLimits(concurrent: 1), queues: [])
        let ids = ids(3)
        scheduler.add(ids[0], scheduling: scheduling())
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.add(ids[1], scheduling: scheduling(owner: "a"))
        scheduler.add(ids[2], scheduling: scheduling(.high, owner: "b"))
        scheduler.change(ids[1], to: scheduling(.high, owner: "a"))
        scheduler.remove(ids[0], returns: false)
        #expect(turns(&scheduler) == [ids[1]])
    }

    @Test("the turns rotate between owners, call by call, even if each calls a host of its own")
    func alternation() {
        var scheduler = Scheduler(TrafficLimits(concurrent: 1), queues: [])
        let ids = ids(7)
        scheduler.add(ids[0], scheduling: scheduling())
        #expect(turns(&scheduler) == [ids[0]])
        for id in ids[1...3] { scheduler.add(id, scheduling: scheduling(host: "a", owner: "a")) }
        for id in ids[4...6] { scheduler.add(id, scheduling: scheduling(host: "b", owner: "b")) }
        scheduler.remove(ids[0], returns: false)
        var order: [OperationID] = []
        while let id = scheduler.next(at: .zero) {
            order.append(id)
            scheduler.remove(id, returns: false)
        }
        #expect(order == [1, 4, 2, 5, 3, 6].map { ids[$0] })
    }

    @Test("the scheduler's turns come to all remaining operations after most of a crowd has left")
    func crowdLeaves() {
        var scheduler = Scheduler(TrafficLimits(concurrent: 1), queues: [])
        let ids = ids(500)
        for id in ids { scheduler.add(id, scheduling: scheduling()) }
        #expect(turns(&scheduler) == [ids[0]])
        for id in ids[1..<450] { scheduler.remove(id, returns: false) }
        var last = ids[0]
        var order: [OperationID] = []
        repeat {
            scheduler.remove(last, returns: false)
            guard let next = scheduler.next(at: .zero) else { break }
            order.append(next)
            last = next
        } while true
        #expect(order == Array(ids[450...]))
    }

    @Test("the turns that were counted but not used are taken back where they were counted")
    func takenBack() {
        let rate = RequestRate(1, per: .seconds(1))
        var scheduler = Scheduler(TrafficLimits(rate: rate), queues: [])
        let ids = ids(3)
        let foreign = scheduling(
            host: "cdn", rate: .init(method: "m", rate: rate), isOutsideAPI: true)
        scheduler.add(ids[0], scheduling: scheduling())
        scheduler.add(ids[1], scheduling: foreign)
        #expect(turns(&scheduler) == [ids[0], ids[1]])
        if let slot = foreign.slot { scheduler.takeBackRequest(slot, at: .zero) }
        scheduler.add(ids[2], scheduling: scheduling())
        #expect(turns(&scheduler) == [])
    }

    @Test("the turns at a host after a pause are shared by the operations with a request")
    func spreadSenders() {
        var scheduler = Scheduler(TrafficLimits(), queues: [QueueRules("q", concurrent: 1)])
        let ids = ids(103)
        scheduler.add(ids[0], scheduling: scheduling(queue: "q"))
        #expect(turns(&scheduler) == [ids[0]])
        scheduler.close("a", for: .seconds(10), at: .zero)
        for id in ids[1...100] {
            scheduler.add(id, scheduling: scheduling(queue: "q"), sends: false)
        }
        for id in ids[101...102] { scheduler.add(id, scheduling: scheduling()) }
        #expect(turns(&scheduler, at: .seconds(10)) == [ids[101]])
        let opening = scheduler.opening(after: .seconds(10)) ?? .zero
        #expect(opening - .seconds(10) >= .milliseconds(20))
    }
}

@Suite("The retry budget")
struct RetryBudgetTests {
    /// Returns how many retries are available at a moment, and withdraws them.
    private func take(_ budget: inout RetryBudget, at now: Duration = .zero) -> Int {
        var count = 0
        while count < 1_000, budget.withdraw(at: now) { count += 1 }
        return count
    }

    @Test("the retry budget holds a hundred at most, however many calls were sent")
    func most() {
        var budget = RetryBudget()
        for _ in 0..<5_000 { budget.deposit(at: .zero) }
        #expect(take(&budget) == 100)
    }

    @Test("the retry budget refills its reserve over time, but counts none before its first use")
    func reserve() {
        var budget = RetryBudget()
        #expect(take(&budget, at: .seconds(1_000)) == 10)
        #expect(take(&budget, at: .seconds(1_010)) == 1)
        #expect(take(&budget, at: .seconds(9_000)) == 10)
    }
}

@Suite("Back-off delays")
struct BackoffTests {
    @Test("back-off delays grow, vary, and have a limit")
    func backoff() {
        let backoff = Backoff(
            initial: .seconds(1), factor: 2, jitter: 0.5, maximum: .seconds(5))
        #expect(
            (1...5).map { backoff.delay(after: $0, chance: 0.5) }
                == [1, 2, 4, 5, 5].map { .seconds($0) })
        #expect(backoff.delay(after: 1, chance: 0) == .milliseconds(500))
        #expect(backoff.delay(after: 1, chance: 1) == .milliseconds(1_500))
        #expect(backoff.delay(after: 4, chance: 1) == .seconds(5))
    }

    @Test(
        "back-off delays of extreme policies are finite",
        arguments: [1e300, .infinity, .nan, -5, 0])
    func absurd(_ factor: Double) {
        let backoff = Backoff(
            initial: .seconds(1), factor: factor, jitter: factor, maximum: .seconds(20))
        for failures in [1, 2, 50, .max] {
            let delay = backoff.delay(after: failures, chance: 1)
            #expect(delay >= .zero && delay <= .seconds(20))
        }
    }

    @Test("back-off delays of an attempt that timed out start after its end")
    func attemptTimeout() async throws {
        let (sent, arrived) = (Counter(), Gate())
        let client = TestClient { _ in
            let isFirst = sent.next() == 1
            arrived.open()
            if isFirst { await Gate().wait() }
            return .json(#"{"response":[]}"#)
        }
        var options = TestClient.retrying
        options.timeouts = Timeouts(attempt: .seconds(3))
        let call = client.call(options)
        call.start()
        await arrived.wait()
        client.pass(.seconds(3))
        // The attempt has been stopped, and its end recorded, when the next one is awaited.
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(call.attempts.map(\.duration) == [.seconds(3), .zero])
        #expect(call.attempts.map { $0.error == nil } == [false, true])
    }
}
