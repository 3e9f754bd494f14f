import TelexJSON
import TelexRuntime

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that a test advances by hand. Time stands still until `advance(by:)` is called. So a
/// test can skip hours, and its result does not depend on the speed of the machine.
///
/// It has two independent times, as a computer does. `now` is monotonic. `date` is the wall clock,
/// which may jump, for example when a user or a time server sets it.
///
/// ```swift
/// let clock = VirtualClock()
/// let task = Task { try await clock.sleep(until: .seconds(3600)) }
/// await clock.waitForSleepers(1)      // wait until the task sleeps
/// clock.advance(by: .seconds(3600))
/// try await task.value
/// ```
public final class VirtualClock: Sendable {
    private let state: Lock<VirtualTime>

    /// Makes a clock that stands still.
    ///
    /// - Parameter date: The wall-clock date at the start; 2001-01-01 in UTC by default.
    public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        state = Lock(VirtualTime(date: date))
    }

    /// The time since the clock was made. Never decreases.
    public var now: Duration { state.withLock { $0.now } }

    /// The wall-clock date: the start date, the time since then, and all jumps.
    public var date: Date { state.withLock { $0.date } }

    /// The clock for an `APIManager`, driven by this one.
    public var runtimeClock: RuntimeClock {
        RuntimeClock(
            now: { self.date }, elapsed: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    /// The number of sleeping tasks.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Advances time and wakes the tasks whose deadline it reaches, the earliest deadline first.
    /// Tasks with the same deadline wake in the order in which they began to sleep. All of them see
    /// the new time.
    ///
    /// - Parameter duration: The time to advance; a negative value counts as zero.
    public func advance(by duration: Duration) {
        state.withLock { $0.advance(to: $0.now + max(.zero, duration)) }.forEach { $0() }
    }

    /// Advances time to the next deadline, if a task sleeps, and wakes the tasks that wait for it.
    ///
    /// - Returns: Whether a task slept.
    @discardableResult
    public func advanceToNextDeadline() -> Bool {
        let wakes = state.withLock { state in
            state.nextDeadline.map { state.advance(to: max($0, state.now)) }
        }
        wakes?.forEach { $0() }
        return wakes != nil
    }

    /// Sets the wall clock without advancing time: no task wakes.
    public func jump(to date: Date) { state.withLock { $0.set(date) } }

    /// Sleeps until `now` reaches `deadline`; returns at once if it has.
    ///
    /// - Throws: `CancellationError` at once if the task is or gets cancelled.
    nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
        let ticket = state.withLock { $0.takeTicket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A task is marked as cancelled before its handlers run. So either
                // `Task.isCancelled` is true here, or the handler finds the sleeper.
                let wake = state.withLock { state in
                    Task.isCancelled
                        ? { continuation.resume(throwing: CancellationError()) }
                        : state.sleep(ticket, until: deadline, resuming: continuation)
                }
                wake()
            }
        } onCancel: {
            state.withLock { $0.removeSleeper(ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// Sleeps for `duration`. See `sleep(until:)`.
    ///
    /// - Throws: `CancellationError` at once if the task is or gets cancelled.
    nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
        try await sleep(until: now + duration)
    }

    /// Waits until at least `count` tasks sleep, or returns at once if the task is cancelled. A
    /// test calls it before it advances time, so that all tasks have registered their deadlines.
    ///
    /// An engine has one sleep for all that it waits for, until the earliest deadline. That may be
    /// the deadline of a call. To wait for a retry, use ``waitForSleeper(until:within:)``.
    ///
    /// - Parameters:
    ///   - count: The minimum number of sleeping tasks.
    ///   - limit: The longest wait in real time. After it, the process ends with a message that
    ///     lists the sleeping tasks, because the test is considered wrong.
    public func waitForSleepers(_ count: Int, within limit: Duration = .seconds(600)) async {
        await wait("\(count) tasks to sleep", within: limit) { $0.sleepers.count >= count }
    }

    /// Waits until a task sleeps that wakes at `deadline` or earlier, or returns at once if the
    /// task is cancelled. A test calls it to wait for a near deadline, whatever later deadlines
    /// there are.
    ///
    /// - Parameters:
    ///   - deadline: The latest time at which the task may wake.
    ///   - limit: The longest wait in real time. After it, the process ends with a message that
    ///     lists the sleeping tasks, because the test is considered wrong.
    public func waitForSleeper(
        until deadline: Duration, within limit: Duration = .seconds(600)
    ) async {
        await wait("a task to sleep until \(deadline) or earlier", within: limit) {
            $0.nextDeadline.map { $0 <= deadline } ?? false
        }
    }

    private func wait(
        _ what: String, within limit: Duration,
        _ isMet: @escaping @Sendable (VirtualTime) -> Bool
    ) async {
        guard let gate = state.withLock({ $0.gate(isMet) }) else { return }
        let alarm = Task {
            try await Task.sleep(for: limit)
            if !gate.isOpen { fatalError(timeoutMessage(what, limit)) }  // a hung test ends, named
        }
        await gate.wait()
        alarm.cancel()
    }

    /// The message for a test whose wait took longer than the limit.
    func timeoutMessage(_ what: String, _ limit: Duration) -> String {
        let deadlines = state.withLock { $0.sleepers.map(\.deadline) }
        let sleepers =
            deadlines.isEmpty
            ? "no task sleeps"
            : "\(deadlines.count) sleep, until "
                + deadlines.map(\.description).joined(separator: ", ")
        return "a test has waited \(limit) for \(what): the time is \(now), and \(sleepers)"
    }
}

/// The state of a `VirtualClock`. Its methods return the closures to call, because they must run
/// without a lock.
private struct VirtualTime {
    typealias Continuation = CheckedContinuation<Void, any Error>
    typealias Wake = @Sendable () -> Void

    struct Sleeper {
        let ticket: Int
        let deadline: Duration
        let continuation: Continuation
    }

    private(set) var now = Duration.zero
    /// Sorted by the order in which they wake.
    private(set) var sleepers: [Sleeper] = []
    private var wallStart: Date
    private var lastTicket = 0
    /// The conditions on the sleepers that tests wait for, each with the gate to open.
    private var watchers: [(isMet: @Sendable (VirtualTime) -> Bool, gate: Gate)] = []

    init(date: Date) { wallStart = date }

    var date: Date { wallStart.addingTimeInterval(now / .seconds(1)) }

    var nextDeadline: Duration? { sleepers.first?.deadline }

    mutating func set(_ date: Date) { wallStart = date.addingTimeInterval(-(now / .seconds(1))) }

    mutating func takeTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    mutating func advance(to time: Duration) -> [Wake] {
        now = time
        let due = sleepers.prefix { $0.deadline <= now }
        sleepers.removeFirst(due.count)
        return due.map { sleeper in { sleeper.continuation.resume() } }
    }

    /// Adds a sleeper behind all others with the same deadline.
    mutating func sleep(_ ticket: Int, until deadline: Duration, resuming waiter: Continuation)
        -> Wake
    {
        guard deadline > now else { return { waiter.resume() } }
        let place = sleepers.firstIndex { $0.deadline > deadline } ?? sleepers.endIndex
        let sleeper = Sleeper(ticket: ticket, deadline: deadline, continuation: waiter)
        sleepers.insert(sleeper, at: place)
        let time = self
        let content = watchers.filter { $0.isMet(time) }
        watchers.removeAll { $0.isMet(time) }
        return { content.forEach { $0.gate.open() } }
    }

    mutating func removeSleeper(_ ticket: Int) -> Continuation? {
        guard let place = sleepers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return sleepers.remove(at: place).continuation
    }

    /// The gate that opens when the condition is met; nil if it is met now.
    mutating func gate(_ isMet: @escaping @Sendable (VirtualTime) -> Bool) -> Gate? {
        guard !isMet(self) else { return nil }
        let gate = Gate()
        watchers.append((isMet, gate))
        return gate
    }
}
