#if AsyncHTTPClient
    import Synchronization
    import TelexTransport

    /// Hands elements from one task to another, in order. Who sends waits while the pipe is full, so
    /// that a slow receiver holds back the sender.
    final class Pipe<Element: Sendable>: Sendable {
        private let state: Mutex<PipeState<Element>>

        /// - Parameter capacity: How many elements may wait for the receiver before who sent the
        ///   last one has to wait too.
        init(capacity: Int) { state = Mutex(PipeState(capacity: capacity)) }

        /// Whether `finish` was called.
        var isFinished: Bool { state.withLock { $0.outcome != nil } }

        /// Sends an element and returns once there is room for another, or nobody wants more.
        func send(_ element: Element) async {
            let receiver = state.withLock { $0.send(element) }
            receiver?.resume(returning: .success(element))
            await withCheckedContinuation { sender in
                if state.withLock({ $0.waitForRoom(sender) }) { sender.resume() }
            }
        }

        /// Returns once somebody waits for an element, or nobody wants any.
        func waitForReceiver() async {
            await withCheckedContinuation { sender in
                if state.withLock({ $0.waitForReceiver(sender) }) { sender.resume() }
            }
        }

        /// Waits for the next element; `nil` after the last. Not cancelled by itself: `finish` ends
        /// the waiting.
        func next() async -> Result<Element?, TransportError> {
            await withCheckedContinuation { receiver in
                let (answer, sender) = state.withLock { $0.receive(receiver) }
                sender?.resume()
                if let answer { receiver.resume(returning: answer) }
            }
        }

        /// Nothing more will be sent. Only the first end counts.
        func finish(_ outcome: Result<Void, TransportError>) {
            let (receiver, sender) = state.withLock { $0.finish(outcome) }
            sender?.resume()
            receiver?.resume(returning: outcome.map { nil })
        }
    }

    /// What is in a pipe, and who waits at its ends. Each event returns who is to be resumed.
    private struct PipeState<Element: Sendable> {
        typealias Answer = Result<Element?, TransportError>
        typealias Receiver = CheckedContinuation<Answer, Never>
        typealias Sender = CheckedContinuation<Void, Never>

        private let capacity: Int
        private var elements: [Element] = []
        private var receiver: Receiver?
        private var sender: Sender?
        private(set) var outcome: Result<Void, TransportError>?

        init(capacity: Int) { self.capacity = capacity }

        mutating func send(_ element: Element) -> Receiver? {
            guard outcome == nil else { return nil }
            if receiver == nil { elements.append(element) }
            return receiver.take()
        }

        /// Whether there is room already; otherwise `sender` is resumed when there is.
        mutating func waitForRoom(_ sender: Sender) -> Bool {
            if outcome != nil || elements.count <= capacity { return true }
            self.sender = sender
            return false
        }

        /// Whether a receiver waits already; otherwise `sender` is resumed when one does.
        mutating func waitForReceiver(_ sender: Sender) -> Bool {
            if outcome != nil || receiver != nil { return true }
            self.sender = sender
            return false
        }

        /// The answer for `receiver`, unless it has to wait, and the sender that waited for it, or for
        /// room.
        mutating func receive(_ receiver: Receiver) -> (answer: Answer?, sender: Sender?) {
            guard self.receiver == nil else { return (.failure(.secondReader), nil) }
            let answer = takeAnswer()
            if answer == nil { self.receiver = receiver }
            return (answer, sender.take())
        }

        mutating func finish(
            _ outcome: Result<Void, TransportError>
        ) -> (receiver: Receiver?, sender: Sender?) {
            guard self.outcome == nil else { return (nil, nil) }
            self.outcome = outcome
            return (receiver.take(), sender.take())
        }

        /// What was sent comes before the end, but nothing comes after a cancellation.
        private mutating func takeAnswer() -> Answer? {
            if case .failure(let error) = outcome, error.kind == .cancelled {
                return .failure(error)
            }
            if !elements.isEmpty { return .success(elements.removeFirst()) }
            return outcome.map { $0.map { nil } }
        }
    }
#endif
