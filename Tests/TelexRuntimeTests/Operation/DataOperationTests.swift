import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("An operation")
struct DataOperationTests {
    @Test("an operation does nothing until its value is requested")
    func isLazy() async throws {
        let runs = Lock(0)
        let operation = DataOperation {
            runs.withLock { $0 += 1 }
            return 42
        }
        #expect(operation.state == .ready)
        #expect(runs.withLock { $0 } == 0)
        #expect(try await operation.value == 42)
        #expect(operation.state == .succeeded)
    }

    @Test("an operation reports its result without being started by that")
    func result() async throws {
        struct Broken: Error {}
        let fine = DataOperation { 42 }
        let broken = DataOperation<Int> { throw Broken() }
        let never = DataOperation { 42 }
        #expect(fine.result == nil && fine.state == .ready)
        _ = try await fine.value
        _ = try? await broken.value
        never.cancel()
        #expect(try fine.result?.get() == 42)
        #expect(throws: Broken.self) { try broken.result?.get() }
        #expect(throws: CancellationError.self) { try never.result?.get() }
    }

    @Test("an operation keeps nothing of a start after the first")
    func startedTwice() async {
        let gate = Gate()
        let operation = DataOperation { await gate.wait() }
        for _ in 0..<3 { operation.start() }
        #expect(operation.live.withLock { $0.coldState == nil })
        gate.open()
        _ = try? await operation.value
        operation.start()
        #expect(operation.live.withLock { $0.coldState == nil })
    }

    @Test("an operation gives one run's value to all waiters")
    func sharesValue() async throws {
        let runs = Lock(0)
        let gate = Gate()
        let operation = DataOperation {
            await gate.wait()
            return runs.withLock {
                $0 += 1
                return $0
            }
        }
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await operation.value } }
            operation.start()
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 1, count: 50))
    }

    @Test("an operation keeps itself alive once it is started")
    func survivesItsHandle() async {
        let began = Gate()
        let end = Gate()
        let ended = Gate()
        weak var weakly: NetworkOperation<Void>?
        do {
            let operation = DataOperation {
                began.open()
                await end.wait()
                ended.open()
            }
            weakly = operation
            operation.start()
        }
        await began.wait()
        #expect(weakly != nil)
        end.open()
        await ended.wait()
    }

    @Test("an operation ends as cancelled, not failed, and stops its work")
    func cancels() async {
        let began = Gate()
        let stopped = Gate()
        let operation = DataOperation {
            await withTaskCancellationHandler {
                began.open()
                await stopped.wait()
            } onCancel: {
                stopped.open()
            }
        }
        operation.start()
        await began.wait()
        operation.cancel()
        #expect(operation.state == .cancelled)
        await stopped.wait()
        await #expect(throws: CancellationError.self) { try await operation.value }
    }

    @Test("an operation never starts if it is cancelled first")
    func cancelledFirst() async {
        let operation = DataOperation<Void> { Issue.record("it ran") }
        operation.cancel()
        await #expect(throws: CancellationError.self) { try await operation.value }
        #expect(operation.state == .cancelled)
    }

    @Test("an operation is cancelled by the task that waits for it")
    func followsAwaitingTask() async {
        let began = Gate()
        let operation = DataOperation<Void> {
            began.open()
            await Gate().wait()
        }
        let waiting = Task { try await operation.value }
        await began.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(operation.state == .cancelled)
    }

    @Test("an operation continues for other waiters if a waiter that left allows it")
    func givesUpAlone() async throws {
        let (began, gate) = (Gate(), Gate())
        let operation = DataOperation<Int> {
            began.open()
            await gate.wait()
            return 1
        }
        let waiting = Task { try await operation.value(cancelling: false) }
        await began.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(operation.state == .running(attempt: 1))
        gate.open()
        #expect(try await operation.value(cancelling: false) == 1)
    }

    @Test("an operation made of a closure has its value after it resumes, if it was suspended")
    func suspendedClosure() async throws {
        let (began, gate) = (Gate(), Gate())
        let operation = DataOperation<Int> {
            began.open()
            await gate.wait()
            return 1
        }
        operation.start()
        await began.wait()
        operation.suspend()
        gate.open()
        await until {
            operation.state.isTerminal
                || operation.live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
        }
        #expect(operation.state == .suspended)
        operation.resume()
        #expect(try await operation.value == 1)
    }

    @Test("an operation is not started by a cancelled task")
    func cancelledBefore() async {
        let operation = DataOperation<Void> { Issue.record("it ran") }
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await operation.value(cancelling: false)
        }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(operation.state == .ready)
    }

    @Test("an operation ends once when cancelling races with succeeding, a thousand times over")
    func racesEndOnce() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let operation = DataOperation { number }
                    async let first = try? operation.value
                    async let second = try? operation.value
                    if number.isMultiple(of: 2) { operation.cancel() }
                    let values = await (first, second)
                    #expect(values.0 == values.1)
                    let expected: OperationState = values.0 == nil ? .cancelled : .succeeded
                    #expect(operation.state == expected)
                }
            }
        }
    }

    @Test("an operation passes a fake's error on")
    func fakeError() async {
        let operation = DataOperation<Int> { throw FakeError("users.get") }
        await #expect(throws: FakeError("users.get")) { try await operation.value }
        #expect(operation.state == .failed)
    }
}

@Suite("The value of an operation")
struct OperationValueTests {
    /// Larger than what is stored inline beside its type.
    private struct Large: Equatable {
        var numbers = Array(0..<9).map(Double.init)
        var (a, b, c, d) = (1, 2, 3, 4)
    }

    @Test("the value of an operation is what its work returned, of whatever type")
    func types() async throws {
        #expect(try await NetworkOperation { 7 }.value == 7)
        #expect(try await NetworkOperation { Large() }.value == Large())
        #expect(try await NetworkOperation { String?.none }.value == nil)
        #expect(try await NetworkOperation { Int??.some(nil) }.value == .some(nil))
        try await NetworkOperation {}.value
        let erased = try await NetworkOperation<any Sendable> { "text" }.value
        #expect(erased as? String == "text")
        let nothing = try await NetworkOperation<any Sendable> { Int?.none }.value
        #expect((nothing as? Int?) == .some(nil))
        let function = try await NetworkOperation<@Sendable () -> Int> { { 3 } }.value
        #expect(function() == 3)
    }

    /// Reads the state of its operation in its `deinit`.
    private final class Curious: Sendable {
        let ask: @Sendable () -> Void
        init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
        deinit { ask() }
    }

    @Test("the value of an operation may be released while its operation ends, and read its state")
    func letGo() async {
        let operation = Lock<NetworkOperation<Curious>?>(nil)
        let seen = Lock<[OperationState]>([])
        let (begun, gate, told) = (Gate(), Gate(), Gate())
        operation.withLock {
            $0 = NetworkOperation {
                begun.open()
                await gate.wait()
                return Curious {
                    if let state = operation.withLock({ $0 })?.state {
                        seen.withLock { $0.append(state) }
                    }
                    told.open()
                }
            }
        }
        let made = operation.withLock { $0 }
        made?.start()
        await begun.wait()
        made?.cancel()
        gate.open()
        _ = try? await made?.value
        await told.wait()
        #expect(seen.withLock { $0 } == [.cancelled])
    }
}
