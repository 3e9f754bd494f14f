import Dispatch
import Foundation
import TelexJSON
import TelexTesting
import Testing

@Suite("A virtual clock")
struct VirtualClockTests {
    /// Runs tasks one at a time in the order of their resumption, so that the order of the clock's
    /// wakes is observable.
    private final class Line: TaskExecutor {
        private let queue = DispatchQueue(label: "line")
        let log = Lock<[Int]>([])

        /// The numbers of the tasks that have resumed.
        var woken: [Int] { log.withLock { $0 } }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test("a virtual clock stands still until it is advanced, and never goes back")
    func now() {
        let clock = VirtualClock()
        #expect(clock.now == .zero)
        clock.advance(by: .seconds(5))
        clock.advance(by: .seconds(-3))
        #expect(clock.now == .seconds(5))
    }

    @Test("a virtual clock does not suspend a sleep until now or before")
    func past() async throws {
        let clock = VirtualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: .seconds(5))
        try await clock.sleep(until: .seconds(-1))
        try await clock.sleep(for: .zero)
        #expect(clock.sleeperCount == 0)
    }

    @Test("a virtual clock wakes sleepers in the order of deadlines, then of arrival")
    func order() async throws {
        let (clock, line) = (VirtualClock(), Line())
        var tasks: [Task<Void, any Error>] = []
        for (number, deadline) in [7, 3, 5, 3, 9].enumerated() {
            tasks.append(
                Task(executorPreference: line) {
                    try await clock.sleep(until: .seconds(deadline))
                    line.log.withLock { $0.append(number) }
                })
            await clock.waitForSleepers(number + 1)
        }
        clock.advance(by: .seconds(8))
        for number in 0..<4 { try await tasks[number].value }
        #expect(line.woken == [1, 3, 2, 0])
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await tasks[4].value
        #expect(line.woken == [1, 3, 2, 0, 4])
    }

    @Test("a virtual clock wakes no sleeper before its deadline")
    func early() async throws {
        let clock = VirtualClock()
        let isAwake = Lock(false)
        let task = Task {
            try await clock.sleep(for: .seconds(10))
            isAwake.withLock { $0 = true }
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10) - .nanoseconds(1))
        #expect(clock.sleeperCount == 1)
        #expect(!isAwake.withLock { $0 })
        clock.advance(by: .nanoseconds(1))
        try await task.value
        #expect(isAwake.withLock { $0 })
    }

    @Test("a virtual clock advances to the next deadline while there are sleepers")
    func nextDeadline() async throws {
        let clock = VirtualClock()
        #expect(!clock.advanceToNextDeadline())
        let task = Task {
            for _ in 0..<3 { try await clock.sleep(for: .seconds(1000)) }
            return clock.now
        }
        for _ in 0..<3 {
            await clock.waitForSleepers(1)
            #expect(clock.advanceToNextDeadline())
        }
        #expect(try await task.value == .seconds(3000))
        #expect(!clock.advanceToNextDeadline())
    }

    @Test("a virtual clock waits for a sleeper with an early deadline, whatever others there are")
    func soon() async throws {
        let clock = VirtualClock()
        let long = Task { try await clock.sleep(until: .seconds(120)) }
        await clock.waitForSleepers(1)
        let waiter = Task {
            await clock.waitForSleeper(until: .seconds(5))
            return clock.sleeperCount
        }
        let short = Task { try await clock.sleep(until: .seconds(5)) }
        #expect(await waiter.value == 2)
        // Returns at once, because one does.
        await clock.waitForSleeper(until: .seconds(6))
        clock.advance(by: .seconds(5))
        try await short.value
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }

    @Test("a virtual clock removes a cancelled sleeper, which throws at once, and keeps the rest")
    func cancelled() async throws {
        let clock = VirtualClock()
        let sleepers = (0..<2).map { _ in Task { try await clock.sleep(for: .seconds(1)) } }
        await clock.waitForSleepers(2)
        sleepers[0].cancel()
        await #expect(throws: CancellationError.self) { try await sleepers[0].value }
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await sleepers[1].value
    }

    @Test("a virtual clock throws at once in a cancelled task, even for a sleep of no time")
    func cancelledBefore() async {
        let (clock, mayGo) = (VirtualClock(), Gate())
        let task = Task {
            await mayGo.wait()
            try await clock.sleep(until: .zero)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("a virtual clock ends a wait for sleepers when the task is cancelled")
    func cancelledWaiter() async {
        let clock = VirtualClock()
        let task = Task { await clock.waitForSleepers(1) }
        task.cancel()
        await task.value
        #expect(clock.sleeperCount == 0)
    }

    @Test("a virtual clock resumes each of 1000 sleepers once, when wakes and cancellations race")
    func race() async {
        let clock = VirtualClock()
        let tasks = (0..<1000).map { number in
            Task { try await clock.sleep(until: .seconds(number % 10 + 1)) }
        }
        await clock.waitForSleepers(1000)
        await withTaskGroup { group in
            for task in tasks.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
                group.addTask { task.cancel() }
            }
            for _ in 0..<10 { group.addTask { clock.advance(by: .seconds(1)) } }
        }
        var ended = 0
        for task in tasks {
            _ = await task.result
            ended += 1
        }
        #expect(ended == 1000)
        #expect(clock.sleeperCount == 0)
    }

    @Test("a virtual clock advances its date, and changes it without waking sleepers")
    func wall() async throws {
        let start = Date(timeIntervalSince1970: 1_000_000)
        let clock = VirtualClock(date: start)
        let task = Task { try await clock.sleep(for: .seconds(60)) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(30))
        #expect(clock.date == start + 30)
        clock.jump(to: start - 3600)
        #expect(clock.date == start - 3600)
        #expect(clock.now == .seconds(30))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(30))
        try await task.value
        #expect(clock.runtimeClock.now() == start - 3570)
    }
}
