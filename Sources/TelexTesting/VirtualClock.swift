import Synchronization
import TelexRuntime

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that a test moves by hand. Time stands still until `advance(by:)` is called, so that
/// hours pass in no time and nothing depends on how fast the machine is.
///
/// It shows two times that have nothing to do with each other, as a computer does: `now` only ever
/// grows, while `date` is what the wall says and may jump (a person sets it, a server corrects it).
///
/// ```swift
/// let clock = VirtualClock()
/// let task = Task { try await clock.sleep(until: .seconds(3600)) }
/// await clock.waitForSleepers(1)      // now it is known to sleep
/// clock.advance(by: .seconds(3600))
/// try await task.value
/// ```
public final class VirtualClock: Sendable {
    private let state: Mutex<VirtualTime>

    /// Makes a clock that stands still.
    ///
    /// - Parameter date: What the wall says at the start; 2001-01-01 in UTC by default.
    public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        state = Mutex(VirtualTime(date: date))
    }

    /// How much time has passed since the clock was made. Never goes back.
    public var now: Duration { state.withLock { $0.now } }

    /// What the wall says: the start, all that has passed since, and every jump.
    public var date: Date { state.withLock { $0.date } }

    /// The clock for an `APIManager`: shows and keeps the times of this one.
    public var runtimeClock: RuntimeClock {
        RuntimeClock(
            now: { self.date }, elapsed: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    /// How many tasks sleep at this moment.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Lets time pass, and wakes those whose deadline it reaches, the earliest first; among equals,
    /// who went to sleep first. All of them see the new time.
    ///
    /// - Parameter duration: How much; a negative one counts as none.
    public func advance(by duration: Duration) {
        state.withLock { $0.advance(to: $0.now + max(.zero, duration)) }.forEach { $0() }
    }

    /// Lets time pass until the next deadline, if anybody sleeps, and wakes whoever waits for it.
    ///
    /// - Returns: Whether anybody slept.
    @discardableResult
    public func advanceToNextDeadline() -> Bool {
        let wakes = state.withLock { state in
            state.nextDeadline.map { state.advance(to: max($0, state.now)) }
        }
        wakes?.forEach { $0() }
        return wakes != nil
    }

    /// Sets the wall clock without any time passing: nobody wakes.
    public func jump(to date: Date) { state.withLock { $0.set(date) } }

    /// Returns when `now` has reached `deadline`; at once if it has.
    ///
    /// - Throws: `CancellationError` at once if the task is or gets cancelled.
    nonisolated(nonsending) public func sleep(until deadline: Duration) async throws {
        let ticket = state.withLock { $0.takeTicket() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The task is marked as cancelled before its handlers run: either this sees the
                // mark, or the handler finds the sleeper.
                let wake = state.withLock { state in
                    Task.isCancelled
                        ? { continuation.resume(throwing: CancellationError()) }
                        : state.sleep(ticket, until: deadline, continuation)
                }
                wake()
            }
        } onCancel: {
            state.withLock { $0.removeSleeper(ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// Sleeps until `duration` from now. See `sleep(until:)`.
    ///
    /// - Throws: `CancellationError` at once if the task is or gets cancelled.
    nonisolated(nonsending) public func sleep(for duration: Duration) async throws {
        try await sleep(until: now + duration)
    }

    /// Returns once at least `count` tasks sleep, or at once if the task is cancelled. With this a
    /// test knows that everybody is where it wants them, before it lets time pass.
    ///
    /// An engine sleeps once for all that it waits for, until the first of it; so the time in which a
    /// call has to end may be what it sleeps for. Wait for a retry with
    /// ``waitForSleeper(until:within:)``.
    ///
    /// - Parameters:
    ///   - count: How many tasks are to sleep.
    ///   - limit: After how much real time the wait is taken for a mistake of the test: it ends the
    ///     process, and says who sleeps there.
    public func waitForSleepers(_ count: Int, within limit: Duration = .seconds(600)) async {
        await wait("\(count) to sleep", within: limit) { $0.sleepers.count >= count }
    }

    /// Returns once a task sleeps that wakes at this moment or sooner, or at once if the task is
    /// cancelled. With this a test knows that somebody waits for what is soon, whatever else there is
    /// to wait for.
    ///
    /// - Parameters:
    ///   - deadline: When it has to wake at the latest.
    ///   - limit: After how much real time the wait is taken for a mistake of the test: it ends the
    ///     process, and says who sleeps there.
    public func waitForSleeper(
        until deadline: Duration, within limit: Duration = .seconds(600)
    ) async {
        await wait("somebody to sleep until \(deadline) or less", within: limit) {
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
            if !gate.isOpen { fatalError(complaint(what, limit)) }
        }
        await gate.wait()
        alarm.cancel()
    }

    /// What a test is told that waits in vain.
    func complaint(_ what: String, _ limit: Duration) -> String {
        let deadlines = state.withLock { $0.sleepers.map(\.deadline) }
        let sleepers =
            deadlines.isEmpty
            ? "nobody sleeps"
            : "\(deadlines.count) sleep, until "
                + deadlines.map(\.description).joined(separator: ", ")
        return "a test has waited \(limit) for \(what): it is \(now), and \(sleepers)"
    }
}

/// What a `VirtualClock` knows. Whatever has to be called is returned, to be called without a lock.
private struct VirtualTime {
    typealias Continuation = CheckedContinuation<Void, any Error>
    typealias Wake = @Sendable () -> Void

    struct Sleeper {
        let ticket: Int
        let deadline: Duration
        let continuation: Continuation
    }

    private(set) var now = Duration.zero
    /// In the order in which they wake.
    private(set) var sleepers: [Sleeper] = []
    private var wallStart: Date
    private var lastTicket = 0
    /// What others wait for to become true of those who sleep.
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

    /// Tickets grow, so whoever sleeps until the same deadline stays behind those before.
    mutating func sleep(_ ticket: Int, until deadline: Duration, _ waiter: Continuation) -> Wake {
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

    /// What opens once something is true of those who sleep; nil if it is.
    mutating func gate(_ isMet: @escaping @Sendable (VirtualTime) -> Bool) -> Gate? {
        guard !isMet(self) else { return nil }
        let gate = Gate()
        watchers.append((isMet, gate))
        return gate
    }
}
