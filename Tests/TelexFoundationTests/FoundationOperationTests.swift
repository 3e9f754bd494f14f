import Foundation
import TelexFoundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// Makes network operations that wait for gates, and logs their events in order.
private final class Line: Sendable {
    private let entries = Lock<[String]>([])

    var log: [String] { entries.withLock { $0 } }

    func add(_ entry: String) { entries.withLock { $0.append(entry) } }

    /// An operation that opens `began` when it begins, and then waits for `gate`.
    func operation(
        _ name: String, began: Gate = Gate(), until gate: Gate? = nil
    ) -> DataOperation<String> {
        DataOperation {
            self.add("\(name) begins")
            began.open()
            await gate?.wait()
            try Task.checkCancellation()
            self.add("\(name) ends")
            return name
        }
    }
}

extension BlockOperation {
    /// Makes an operation that depends on another.
    fileprivate convenience init(after other: Operation) {
        self.init()
        addDependency(other)
    }
}

extension Operation {
    /// Returns once the operation has finished.
    ///
    /// - Parameter queue: The queue that starts it; nil if it is started elsewhere.
    fileprivate func finish(in queue: OperationQueue? = nil) async {
        await withCheckedContinuation { done in
            completionBlock = { done.resume() }
            queue?.addOperation(self)
        }
    }
}

@Suite("An operation in an OperationQueue")
struct FoundationOperationTests {
    private let line = Line()
    private let queue = OperationQueue()

    init() { queue.maxConcurrentOperationCount = 1 }

    @Test("an operation holds its place in a queue until the network operation has ended")
    func place() async throws {
        let (began, gate) = (Gate(), Gate())
        let first = line.operation("first", began: began, until: gate)
        let second = line.operation("second")
        let (one, two) = (first.foundationOperation, second.foundationOperation)
        queue.addOperation(one)
        queue.addOperation(two)
        await began.wait()
        #expect(one.isExecuting && !one.isFinished && one.isAsynchronous)
        #expect(!two.isExecuting && second.state == .ready)
        gate.open()
        let last = BlockOperation { [line] in line.add("last") }
        await last.finish(in: queue)
        #expect(line.log == ["first begins", "first ends", "second begins", "second ends", "last"])
        #expect(one.isFinished && !one.isExecuting && two.isFinished)
        #expect(try await first.value == "first")
    }

    @Test("an operation in a queue begins after its dependencies, whatever the queue's order")
    func dependencies() async {
        queue.maxConcurrentOperationCount = 4
        let names = ["a", "b", "c"]
        let all = names.map { line.operation($0).foundationOperation }
        all[0].addDependency(all[1])
        all[1].addDependency(all[2])
        let last = BlockOperation()
        last.addDependency(all[0])
        for operation in all { queue.addOperation(operation) }
        await last.finish(in: queue)
        #expect(line.log == ["c", "b", "a"].flatMap { ["\($0) begins", "\($0) ends"] })
    }

    @Test("an operation in an OperationQueue runs earlier with a higher priority")
    func priority() async {
        queue.isSuspended = true
        let (low, high) = (line.operation("low"), line.operation("high"))
        let (first, second) = (low.foundationOperation, high.foundationOperation)
        #expect(first.queuePriority == .normal && first.name == "")
        first.queuePriority = .low
        second.queuePriority = .veryHigh
        queue.addOperation(first)
        queue.addOperation(second)
        let last = BlockOperation()
        last.addDependency(first)
        last.addDependency(second)
        async let end: Void = last.finish(in: queue)
        queue.isSuspended = false
        await end
        #expect(line.log == ["high begins", "high ends", "low begins", "low ends"])
    }

    @Test("an operation is cancelled with its OperationQueue, and frees its slot even if it hangs")
    func cancelAll() async throws {
        let began = Gate()
        let stuck = line.operation("stuck", began: began, until: Gate())
        // None ends by itself. Each cancelled operation gives its slot to the next, which is then
        // cancelled, too.
        let waiting = (0..<20).map { line.operation("\($0)", until: Gate()) }
        let all = ([stuck] + waiting).map(\.foundationOperation)
        for operation in all { queue.addOperation(operation) }
        await began.wait()
        queue.cancelAllOperations()
        #expect(([stuck] + waiting).allSatisfy { $0.state == .cancelled })
        let after = line.operation("after")
        await after.foundationOperation.finish(in: queue)
        #expect(all.allSatisfy { $0.isFinished && $0.isCancelled && !$0.isExecuting })
        #expect(line.log.filter { $0.hasSuffix("ends") } == ["after ends"])
    }

    @Test("an operation in a queue is cancelled with the network operation, waiting or executing")
    func cancelledFromWithin() async {
        let began = Gate()
        let stuck = line.operation("stuck", began: began, until: Gate())
        let idle = line.operation("idle")
        let (one, two) = (stuck.foundationOperation, idle.foundationOperation)
        queue.addOperation(one)
        queue.addOperation(two)
        await began.wait()
        idle.cancel()
        #expect(two.isCancelled && !two.isFinished)
        stuck.cancel()
        await BlockOperation().finish(in: queue)
        #expect(one.isCancelled && one.isFinished && two.isFinished)
        #expect(line.log == ["stuck begins"])
    }

    @Test("an operation in an OperationQueue finishes once when ends race, in a thousand runs")
    func once() async {
        queue.maxConcurrentOperationCount = 8
        let completions = Lock(0)
        let all = Gate()
        let work = (0..<1_000).map { number in
            let network = line.operation("\(number)")
            let operation = network.foundationOperation
            operation.completionBlock = {
                let count = completions.withLock { count in
                    count += 1
                    return count
                }
                if count == 1_000 { all.open() }
            }
            return (network, operation)
        }
        let last = BlockOperation()
        for (_, operation) in work { last.addDependency(operation) }
        async let end: Void = last.finish(in: queue)
        await withTaskGroup { group in
            for (number, (network, operation)) in work.enumerated() {
                queue.addOperation(operation)
                if number % 3 == 1 { group.addTask { operation.cancel() } }
                if number % 3 == 2 { group.addTask { network.cancel() } }
            }
        }
        await end
        #expect(work.allSatisfy { $0.1.isFinished && $0.0.state.isTerminal })
        await all.wait()
        #expect(completions.withLock { $0 } == 1_000)
    }

    @Test("an operation in a queue fails with the network operation, and its dependents still run")
    func failing() async {
        struct Refused: Error {}
        let failing = DataOperation<Void> { throw Refused() }
        let operation = failing.foundationOperation
        await operation.finish(in: queue)
        #expect(operation.isFinished && !operation.isCancelled)
        #expect(failing.state == .failed)
    }

    @Test("an operation in a queue finishes in its turn if the network operation has ended before")
    func endedBefore() async throws {
        let early = line.operation("early")
        _ = try await early.value
        let operation = early.foundationOperation
        #expect(!operation.isFinished)
        await operation.finish(in: queue)
        #expect(operation.isFinished)
        #expect(line.log == ["early begins", "early ends"])
    }

    @Test("an operation in an OperationQueue leaves a suspended network operation suspended")
    func suspended() async {
        let (began, gate) = (Gate(), Gate())
        let network = line.operation("one", began: began, until: gate)
        network.start()
        await began.wait()
        network.suspend()
        let work = network.foundationOperation
        work.start()
        #expect(network.state == .suspended && work.isExecuting)
        gate.open()
        network.resume()
        await BlockOperation(after: work).finish(in: queue)
        #expect(network.state == .succeeded && work.isFinished)
    }

    @Test("an operation in a queue finishes while an end closure of the same API waits for it")
    func awaitedByClosure() async {
        let engine = Engine()
        func network() -> DataOperation<Int> {
            DataOperation(engine: engine) { _ in await DataOperation<Int>.end { 1 } }
        }
        let (first, second, third) = (network(), network(), network())
        let queue = OperationQueue()
        let told = Gate()
        first.whenEnded { _ in
            let work = second.foundationOperation
            // It begins only after a cancellation, because its dependency never runs.
            let cancelled = third.foundationOperation
            cancelled.addDependency(BlockOperation())
            third.cancel()
            for operation in [work, cancelled] { queue.addOperation(operation) }
            queue.waitUntilAllOperationsAreFinished()
            told.open()
        }
        first.start()
        await told.wait()
        #expect(second.state == .succeeded && third.state == .cancelled)
    }

    @Test("an operation can be started without a queue, once, and stays alive while it runs")
    func byHand() async {
        let gate = Gate()
        await withCheckedContinuation { done in
            let operation = line.operation("one", until: gate).foundationOperation
            operation.completionBlock = { done.resume() }
            operation.start()
            operation.start()
            gate.open()
        }
        #expect(line.log == ["one begins", "one ends"])
    }
}
