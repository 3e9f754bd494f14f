import TelexJSON
import TelexScheduling

/// A channel with a bounded buffer from one task to another: the sender waits while the buffer is
/// full, the receiver while it is empty.
final class BoundedChannel<Element: Sendable>: Sendable {
    private typealias Sender = CheckedContinuation<Void, any Error>

    private struct State {
        var elements: [Element] = []
        var senders: [(number: UInt64, continuation: Sender)] = []
        var receiver: (number: UInt64, continuation: CheckedContinuation<Element?, any Error>)?
        var isFinished = false
    }

    private static var capacity: Int { 16 }
    private let state = Lock(State())

    // MARK: Giving

    func send(_ element: Element) async throws(CancellationError) {
        let receiver = state.withLock { state in
            defer { state.receiver = nil }
            // Elements after the end are dropped.
            if state.receiver == nil, !state.isFinished { state.elements.append(element) }
            return state.receiver
        }
        if let receiver { return receiver.continuation.resume(returning: element) }
        let number = OperationID.next().number
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waitForRoom($0, number) }
            } onCancel: {
                stopGiving(number)
            }
        } catch { throw CancellationError() }
    }

    private func waitForRoom(_ waiter: Sender, _ number: UInt64) {
        let isFree = state.withLock { state in
            if state.elements.count < Self.capacity || state.isFinished || Task.isCancelled {
                return true
            }
            state.senders.append((number, waiter))
            return false
        }
        if isFree { waiter.resume() }
    }

    private func stopGiving(_ number: UInt64) {
        let sender = state.withLock { state in
            state.senders.firstIndex { $0.number == number }.map { state.senders.remove(at: $0) }
        }
        sender?.continuation.resume(throwing: CancellationError())
    }

    /// Ends the channel.
    ///
    /// - Parameter dropping: Whether buffered elements are dropped too.
    func finish(dropping: Bool = false) {
        let (receiver, senders) = state.withLock { state in
            state.isFinished = true
            if dropping { state.elements = [] }
            defer {
                state.receiver = nil
                state.senders = []
            }
            return (state.receiver, state.senders)
        }
        receiver?.continuation.resume(returning: nil)
        for sender in senders { sender.continuation.resume() }
    }

    // MARK: Taking

    /// Returns the next element; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the end is reached.
    func receive() async throws -> Element? {
        let number = OperationID.next().number
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { take($0, number) }
        } onCancel: {
            let receiver = state.withLock { state in
                guard state.receiver?.number == number else { return state.receiver }
                defer { state.receiver = nil }
                return state.receiver
            }
            if receiver?.number == number {
                receiver?.continuation.resume(throwing: CancellationError())
            }
        }
    }

    private func take(_ receiver: CheckedContinuation<Element?, any Error>, _ number: UInt64) {
        // Nil: the buffer is empty, and the receiver waits.
        typealias Answer = Result<Element?, any Error>?
        let (answer, sender) = state.withLock { state -> (Answer, Sender?) in
            if state.isFinished, state.elements.isEmpty { return (.success(nil), nil) }
            // Check this before the buffer, because a slow reader always finds an element.
            if Task.isCancelled { return (.failure(CancellationError()), nil) }
            if !state.elements.isEmpty {
                let sender = state.senders.isEmpty ? nil : state.senders.removeFirst().continuation
                return (.success(state.elements.removeFirst()), sender)
            }
            if state.receiver != nil { return (.success(nil), nil) }
            state.receiver = (number, receiver)
            return (nil, nil)
        }
        sender?.resume()
        if let answer { receiver.resume(with: answer) }
    }
}
