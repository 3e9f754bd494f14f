public import Foundation
import TelexJSON
public import TelexRuntime

/// A network operation as a Foundation `Operation`, for apps that use an `OperationQueue`. It
/// occupies a place of the queue until the network operation has ended, supports dependencies and
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
/// The network operation keeps its value, error, progress and states. Cancelling either operation
/// cancels both; a suspended one stays suspended until it is resumed. If the network operation is
/// started or ends before the queue starts this one, this one still starts and finishes in its
/// turn, as queues require. Cancelling the started operations of an owner or a manager also cancels
/// one that waits for its turn in a queue.
///
/// The queue does not see the operations that the network operation comes `after:`: this one
/// occupies its place while it waits for them. If they are in the queue too, add them as
/// dependencies. Otherwise the queue deadlocks when waiting operations occupy all its places.
///
/// - Note: `value` starts a network operation. Await it after the queue has started this operation,
///   or where starting ahead of the queue does not matter.
public final class FoundationOperation:
    Foundation.Operation, @unchecked Sendable  // it stores constants and a Lock
{
    private enum Phase {
        case ready
        case started
        case executing
        case finished
    }

    /// The network operation.
    public let operation: OperationHandle
    private let phase = Lock(Phase.ready)
    /// Includes the operation in the cancellation of its owner's operations before it is started.
    private let expectation: StartExpectation
    /// The queue for reports of the end, to the operation queue and to KVO observers. Closures of
    /// the app may block until such a report, and the engine must not wait for observers.
    private let endQueue = DispatchQueue(label: "TelexFoundation.end", target: .global())

    /// Makes an operation that runs a network operation, which may have been started already.
    ///
    /// The name is the API method's, the priority the call's; both can be changed.
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

    /// `true`: the thread of the queue is released when the network operation has started.
    public override var isAsynchronous: Bool { true }

    /// Whether either operation has been cancelled.
    public override var isCancelled: Bool { super.isCancelled || operation.state == .cancelled }

    /// Whether this operation has been started and the network operation has not ended.
    public override var isExecuting: Bool { phase.withLock { $0 == .executing } }

    /// Whether this operation has been started and the network operation has ended.
    public override var isFinished: Bool { phase.withLock { $0 == .finished } }

    /// Starts the network operation, unless it has been started; does nothing the second time. An
    /// `OperationQueue` calls it. A suspended network operation stays suspended and keeps its place
    /// in the queue.
    public override func start() {
        let isFirst = phase.withLock { phase in
            defer { if phase == .ready { phase = .started } }
            return phase == .ready
        }
        guard isFirst else { return }
        guard !isCancelled else { return finish() }
        changing([.executing]) { $0 = .executing }
        // The closure retains the operation until the end, because it may be the only reference.
        operation.atEnd { [self] _ in atEnd { $0.finish() } }
        operation.begin()
    }

    /// Cancels both operations. This one finishes only after it has been started.
    public override func cancel() {
        markCancelled()
        operation.cancel()
    }

    private func markCancelled() { super.cancel() }

    /// Runs `report` on the serial `endQueue`, so that reports keep their order.
    private func atEnd(_ report: @escaping @Sendable (FoundationOperation) -> Void) {
        endQueue.async { report(self) }
    }

    /// Finishes the operation. Called once: by the first `start`, or at the end of the network
    /// operation.
    private func finish() {
        let keys: [Key] = isExecuting ? [.executing, .finished] : [.finished]
        changing(keys) { $0 = .finished }
    }

    /// Changes the phase between the KVO notifications that queues rely on. The notifications are
    /// sent outside the lock.
    private func changing(_ keys: [Key], _ change: (inout Phase) -> Void) {
        for key in keys { willChange(key) }
        phase.withLock { change(&$0) }
        for key in keys.reversed() { didChange(key) }
    }
}

extension OperationHandle {
    /// The operation as a Foundation `Operation`. Each access makes a new object.
    public var foundationOperation: FoundationOperation { FoundationOperation(self) }
}

extension Foundation.Operation.QueuePriority {
    /// The queue priority for the priority of a call.
    fileprivate init(_ priority: CallPriority) {
        self =
            switch priority {
            case .low: .low
            case .normal: .normal
            case .high: .high
            }
    }
}
