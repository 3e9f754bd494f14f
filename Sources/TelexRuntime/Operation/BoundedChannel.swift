import Synchronization
import TelexScheduling

/// A channel with a bounded buffer from one task to another: the sender waits while the buffer is
/// full, the receiver while it is empty.
final class BoundedChannel<Element: Sendable>: Sendable {
    private typealias Giver = CheckedContinuation<Void, any Error>

    private struct State {
        var elements: [Element] = []
        var givers: [(number: UInt64, continuation: Giver)] = []
        var taker: (number: UInt64, continuation: CheckedContinuation<Element?, any Error>)?
        var isFinished = false
    }

    private static var room: Int { 16 }
    private let state = Mutex(State())

    // MARK: Giving

    func give(_ element: Element) async throws(CancellationError) {
        let taker = state.withLock { state in
            defer { state.taker = nil }
            // Elements after the end are dropped.
            if state.taker == nil, !state.isFinished { state.elements.append(element) }
            return state.taker
        }
        if let taker { return taker.continuation.resume(returning: element) }
        let number = OperationID.next().number
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waitForRoom($0, number) }
            } onCancel: {
                stopGiving(number)
            }
        } catch { throw CancellationError() }
    }

    private func waitForRoom(_ waiter: Giver, _ number: UInt64) {
        let isFree = state.withLock { state in
            if state.elements.count < Self.room || state.isFinished || Task.isCancelled {
                return true
            }
            state.givers.append((number, waiter))
            return false
        }
        if isFree { waiter.resume() }
    }

    private func stopGiving(_ number: UInt64) {
        let giver = state.withLock { state in
            state.givers.firstIndex { $0.number == number }.map { state.givers.remove(at: $0) }
        }
        giver?.continuation.resume(throwing: CancellationError())
    }

    /// Ends the channel.
    ///
    /// - Parameter dropping: Whether buffered elements are dropped too.
    func finish(dropping: Bool = false) {
        let (taker, givers) = state.withLock { state in
            state.isFinished = true
            if dropping { state.elements = [] }
            defer {
                state.taker = nil
                state.givers = []
            }
            return (state.taker, state.givers)
        }
        taker?.continuation.resume(returning: nil)
        for giver in givers { giver.continuation.resume() }
    }

    // MARK: Taking

    /// Returns the next element; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the end is reached.
    func take() async throws -> Element? {
        let number = OperationID.next().number
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { take($0, number) }
        } onCancel: {
            let taker = state.withLock { state in
                guard state.taker?.number == number else { return state.taker }
                defer { state.taker = nil }
                return state.taker
            }
            if taker?.number == number {
                taker?.continuation.resume(throwing: CancellationError())
            }
        }
    }

    private func take(_ taker: CheckedContinuation<Element?, any Error>, _ number: UInt64) {
        // Nil: the buffer is empty, and the receiver waits.
        typealias Answer = Result<Element?, any Error>?
        let (answer, giver) = state.withLock { state -> (Answer, Giver?) in
            if state.isFinished, state.elements.isEmpty { return (.success(nil), nil) }
            // Check this before the buffer, because a slow reader always finds an element.
            if Task.isCancelled { return (.failure(CancellationError()), nil) }
            if !state.elements.isEmpty {
                let giver = state.givers.isEmpty ? nil : state.givers.removeFirst().continuation
                return (.success(state.elements.removeFirst()), giver)
            }
            if state.taker != nil { return (.success(nil), nil) }
            state.taker = (number, taker)
            return (nil, nil)
        }
        giver?.resume()
        if let answer { taker.resume(with: answer) }
    }
}
