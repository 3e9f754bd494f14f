public import Foundation
import Synchronization
public import TelexRuntime

/// A network operation as an `Operation` of Foundation, for apps that own an `OperationQueue`: it
/// takes one of the queue's places until the network operation has ended, knows dependencies and
/// priorities, and is cancelled with the queue.
///
/// ```swift
/// let photo = vk.photos.upload(uploadURL: address, photo: file)
/// let work = photo.foundationOperation
/// work.addDependency(resize)
/// queue.addOperation(work)
/// let saved = try await photo.value
/// ```
///
/// The value, the error, progress and states are those of the network operation, which stays what it
/// was: cancelling either cancels both, and one that is suspended stays so until somebody resumes it.
/// If somebody starts or ends the network operation before the queue's turn has come, this one begins
/// and ends in its turn nevertheless, as queues demand. What cancels the operations of an owner or of a
/// manager that have been started also cancels one that waits for its turn in a queue.
///
/// What the network operation comes `after:` is no dependency for the queue, which does not know of it:
/// this one takes its place and waits there. If it is in the queue as well, make it a dependency there,
/// too: a queue whose places are all taken by those that wait for others behind them stands still.
///
/// - Note: `value` starts a network operation. Await it after the queue has, or where it does not
///   matter that the queue is overtaken.
public final class FoundationOperation: Foundation.Operation, @unchecked Sendable {  // Mutex
    // All state of its own is constant or in a `Mutex`; `Operation` may be used from any thread.

    private enum Phase {
        case ready
        case started
        case executing
        case finished
    }

    /// The network operation.
    public let operation: OperationHandle
    private let phase = Mutex(Phase.ready)
    /// Has it cancelled with others of its owner before it is started.
    private let expectation: StartExpectation
    /// Where the end is told, to the queue and to whoever observes: closures of the API's may wait for
    /// just that, and the engine for none of it.
    private let endQueue = DispatchQueue(label: "TelexFoundation.end", target: .global())

    /// Makes an operation that runs another one, which may have been started.
    ///
    /// Its name is that of the API's method, its priority that of the call; both can be changed.
    public init(_ operation: OperationHandle) {
        self.operation = operation
        expectation = StartExpectation(of: operation)
        super.init()
        name = operation.method
        queuePriority = QueuePriority(operation.priority)
        operation.atEnd { [weak self] state in
            if state == .cancelled { self?.atEnd { $0.markCancelled() } }
        }
    }

    /// `true`: a thread of the queue is free again as soon as the network operation has started.
    public override var isAsynchronous: Bool { true }

    /// Whether one of the two has been cancelled.
    public override var isCancelled: Bool { super.isCancelled || operation.state == .cancelled }

    /// Whether the network operation is on its way on behalf of this one.
    public override var isExecuting: Bool { phase.withLock { $0 == .executing } }

    /// Whether it has been started and the network operation has ended.
    public override var isFinished: Bool { phase.withLock { $0 == .finished } }

    /// Starts the network operation, if nobody has; does nothing the second time. An `OperationQueue`
    /// calls it. A network operation that is suspended stays so, and keeps its place in the queue.
    public override func start() {
        let isFirst = phase.withLock { phase in
            defer { if phase == .ready { phase = .started } }
            return phase == .ready
        }
        guard isFirst else { return }
        guard !isCancelled else { return finish() }
        changing([.executing]) { $0 = .executing }
        // Nobody else may hold it until then.
        operation.atEnd { [self] _ in atEnd { $0.finish() } }
        operation.begin()
    }

    /// Cancels both operations. This one is finished once a queue, or somebody, has started it.
    public override func cancel() {
        markCancelled()
        operation.cancel()
    }

    private func markCancelled() { super.cancel() }

    /// Tells of the end, in the order of what there is to tell.
    private func atEnd(_ tell: @escaping @Sendable (FoundationOperation) -> Void) {
        endQueue.async { tell(self) }
    }

    /// Called once: by whoever was first to start it, or by the end of the network operation.
    private func finish() {
        let keys: [Key] = isExecuting ? [.executing, .finished] : [.finished]
        changing(keys) { $0 = .finished }
    }

    /// Changes the phase between the two notifications that queues rely on; under the lock alone
    /// nobody is called.
    private func changing(_ keys: [Key], _ change: (inout Phase) -> Void) {
        for key in keys { willChange(key) }
        phase.withLock { change(&$0) }
        for key in keys.reversed() { didChange(key) }
    }
}

extension OperationHandle {
    /// The operation as one of Foundation's. Each call makes another object.
    public var foundationOperation: FoundationOperation { FoundationOperation(self) }
}

extension Foundation.Operation.QueuePriority {
    /// The place in a queue that a call asks for.
    fileprivate init(_ priority: CallPriority) {
        self =
            switch priority {
            case .low: .low
            case .normal: .normal
            case .high: .high
            }
    }
}
