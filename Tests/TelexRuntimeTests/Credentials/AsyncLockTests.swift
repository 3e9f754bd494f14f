import TelexJSON
import TelexTesting
import Testing

@testable import TelexCredentials
@testable import TelexRuntime

/// Counts visits, and how many take place at once.
private final class Visits: Sendable {
    private let state = Lock((now: 0, count: 0, most: 0))

    var count: Int { state.withLock { $0.count } }
    var most: Int { state.withLock { $0.most } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.count += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() { state.withLock { $0.now -= 1 } }
}

@Suite("A critical section of tasks")
struct AsyncLockTests {
    private let lock = AsyncLock()

    /// Holds the lock until the gate opens; returns once it is held.
    private func hold(until gate: Gate) async -> Task<Void, any Error> {
        let held = Gate()
        let task = Task { [lock] in
            try await lock.withLock {
                held.open()
                await gate.wait()
            }
        }
        await held.wait()
        return task
    }

    /// Returns once this many tasks wait.
    private func waiters(_ count: Int) async {
        while lock.waiting != count { await Task.yield() }
    }

    @Test("a critical section of tasks lets tasks in one by one, in the order of their arrival")
    func order() async throws {
        let gate = Gate()
        let order = Log()
        let holder = await hold(until: gate)
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask { [lock] in
                    try await lock.withLock { order.add("\(number)") }
                }
                await waiters(number + 1)
            }
            gate.open()
            try await group.waitForAll()
        }
        try await holder.value
        #expect(order.text == (0..<50).map { "\($0)" }.joined(separator: "\n"))
    }

    @Test("a critical section of tasks never holds two tasks")
    func exclusion() async throws {
        let visits = Visits()
        try await withThrowingTaskGroup { group in
            for _ in 0..<2_000 {
                group.addTask { [lock] in
                    try await lock.withLock {
                        visits.begin()
                        await Task.yield()
                        visits.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(visits.count == 2_000)
        #expect(visits.most == 1)
    }

    @Test("a critical section of tasks releases a task cancelled while it waits, and no other")
    func cancellation() async throws {
        let gate = Gate()
        let holder = await hold(until: gate)
        let cancelled = Task { [lock] in
            try await lock.withLock { _ = Issue.record("it was let in") }
        }
        await waiters(1)
        let patient = Task { [lock] in try await lock.withLock { true } }
        await waiters(2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        gate.open()
        #expect(try await patient.value)
        try await holder.value
    }

    @Test("a critical section of tasks does not let a task in that is cancelled before it arrives")
    func cancelledBefore() async throws {
        let task = Task { [lock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await lock.withLock { _ = Issue.record("it was let in") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await lock.withLock { true })
    }

    @Test("a critical section of tasks is free after a task that failed")
    func failure() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await lock.withLock { throw Failure() } }
        #expect(try await lock.withLock { true })
    }

    @Test("a critical section is shared by all users of one key, and forgotten with the last")
    func registry() async throws {
        let registry = LockRegistry()
        let key = LockRegistry.Key.named("a", kind: "file")
        let other = LockRegistry.Key.named("a", kind: "keychain")
        let count = try await registry.withLock(key) {
            try await registry.withLock(other) { registry.count }
        }
        #expect(count == 2)
        #expect(registry.count == 0)
    }
}
