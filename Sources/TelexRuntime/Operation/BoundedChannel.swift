import Synchronization

/// Passes elements from one task to another, a few at a time: who gives waits while there is no room,
/// who takes waits while there is nothing.
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
            // What comes after the end is nobody's.
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

    /// There will be no more.
    ///
    /// - Parameter dropping: Whether nobody is to have what has not been taken either.
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

    /// The next element; nil when there will be no more.
    ///
    /// - Throws: `CancellationError` if the task is cancelled and there is more, or may be.
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
        // Nil: there is nothing yet, and the taker waits.
        typealias Answer = Result<Element?, any Error>?
        let (answer, giver) = state.withLock { state -> (Answer, Giver?) in
            if state.isFinished, state.elements.isEmpty { return (.success(nil), nil) }
            // Before there is anything to take: a slow reader always finds something.
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
