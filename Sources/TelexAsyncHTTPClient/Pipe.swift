#if AsyncHTTPClient
    import TelexJSON
    import TelexTransport

    /// Passes elements from one task to another, in order. The sender waits while the pipe is full,
    /// so that a slow receiver applies back-pressure.
    final class Pipe<Element: Sendable>: Sendable {
        private let state: Lock<PipeState<Element>>

        /// - Parameter capacity: The number of elements that may wait for the receiver without
        ///   making the sender wait.
        init(capacity: Int) { state = Lock(PipeState(capacity: capacity)) }

        /// Whether `finish` was called.
        var isFinished: Bool { state.withLock { $0.outcome != nil } }

        /// Whether nothing was asked for, and `finish` was not called.
        var isUntouched: Bool { state.withLock { $0.isUntouched } }

        /// Sends an element and returns when there is room for another, or when the pipe is
        /// finished.
        func send(_ element: Element) async {
            let receiver = state.withLock { $0.send(element) }
            receiver?.resume(returning: .success(element))
            await withCheckedContinuation { sender in
                if state.withLock({ $0.waitForRoom(sender) }) { sender.resume() }
            }
        }

        /// Returns when a receiver waits for an element, or when the pipe is finished.
        func waitForReceiver() async {
            await withCheckedContinuation { sender in
                if state.withLock({ $0.waitForReceiver(sender) }) { sender.resume() }
            }
        }

        /// Waits for the next element; `nil` after the last. Cancelling the task does not end the
        /// wait; `finish` does.
        func next() async -> Result<Element?, TransportError> {
            await withCheckedContinuation { receiver in
                let (answer, sender) = state.withLock { $0.receive(receiver) }
                sender?.resume()
                if let answer { receiver.resume(returning: answer) }
            }
        }

        /// Finishes the pipe. Only the first call has an effect.
        func finish(_ outcome: Result<Void, TransportError>) {
            let (receiver, sender) = state.withLock { $0.finish(outcome) }
            sender?.resume()
            receiver?.resume(returning: outcome.map { nil })
        }
    }

    /// The elements of a pipe and the waiting continuations at its ends. Each event returns the
    /// continuations to resume.
    private struct PipeState<Element: Sendable> {
        typealias Answer = Result<Element?, TransportError>
        typealias Receiver = CheckedContinuation<Answer, Never>
        typealias Sender = CheckedContinuation<Void, Never>

        private let capacity: Int
        private var elements: [Element] = []
        private var receiver: Receiver?
        private var sender: Sender?
        private(set) var outcome: Result<Void, TransportError>?
        private var wasAsked = false

        var isUntouched: Bool { outcome == nil && !wasAsked }

        init(capacity: Int) { self.capacity = capacity }

        mutating func send(_ element: Element) -> Receiver? {
            guard outcome == nil else { return nil }
            if receiver == nil { elements.append(element) }
            return receiver.take()
        }

        /// Returns whether there is room; if not, `sender` is resumed when there is.
        mutating func waitForRoom(_ sender: Sender) -> Bool {
            if outcome != nil || elements.count <= capacity { return true }
            self.sender = sender
            return false
        }

        /// Returns whether a receiver waits; if not, `sender` is resumed when one does.
        mutating func waitForReceiver(_ sender: Sender) -> Bool {
            if outcome != nil || receiver != nil { return true }
            self.sender = sender
            return false
        }

        /// Returns the answer for `receiver`, unless it has to wait, and the sender that waited for
        /// it or for room.
        mutating func receive(_ receiver: Receiver) -> (answer: Answer?, sender: Sender?) {
            guard self.receiver == nil else { return (.failure(.secondReader), nil) }
            wasAsked = true
            let answer = takeAnswer()
            if answer == nil { self.receiver = receiver }
            return (answer, sender.take())
        }

        mutating func finish(
            _ outcome: Result<Void, TransportError>
        ) -> (receiver: Receiver?, sender: Sender?) {
            guard self.outcome == nil else { return (nil, nil) }
            self.outcome = outcome
            if case .failure(.cancelled) = outcome { elements = [] }
            return (receiver.take(), sender.take())
        }

        /// Sent elements come before the end, but nothing follows a cancellation.
        private mutating func takeAnswer() -> Answer? {
            if case .failure(let error) = outcome, error.kind == .cancelled {
                return .failure(error)
            }
            if !elements.isEmpty { return .success(elements.removeFirst()) }
            return outcome.map { $0.map { nil } }
        }
    }
#endif
