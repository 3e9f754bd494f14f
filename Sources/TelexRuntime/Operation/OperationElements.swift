import TelexRequests

/// The elements of a stream, as they arrive.
///
/// - Important: There is **one** reader. Every element goes to the first sequence that
///   ``NetworkOperation/elements`` returned; all later sequences are **empty**. A second loop over
///   the same sequence does not see all elements either: it takes elements from the first loop, or
///   ends early.
///
/// Back-pressure makes the server send only as fast as the reader reads. Reading starts the
/// operation if it has not been started. Cancelling the reader cancels the operation; so does a
/// reader that stops before the end and releases both this sequence and its iterator. While the
/// operation is suspended, up to 16 buffered elements are still delivered.
public struct OperationElements<Output: StreamOutput>: AsyncSequence, Sendable {
    /// The elements of the stream.
    public typealias Element = Output.Element

    fileprivate let reader: Reader

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// Identifies the reader. Its deallocation cancels the operation, which would otherwise wait
    /// forever to deliver its next element and keep its connection open.
    fileprivate final class Reader: Sendable {
        let operation: NetworkOperation<Output>
        let channel: BoundedChannel<Element>
        /// Whether an earlier reader gets the elements.
        let isLate: Bool

        init(
            operation: NetworkOperation<Output>, channel: BoundedChannel<Element>, isLate: Bool
        ) {
            self.operation = operation
            self.channel = channel
            self.isLate = isLate
        }

        deinit { if !isLate { operation.cancel() } }
    }

    /// Reads the elements one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// Waits for the next element; returns nil at the end of the stream.
        ///
        /// - Throws: `APIError` when the stream fails, `CancellationError` when it is cancelled.
        public mutating func next() async throws -> Element? {
            reader.operation.begin()
            do {
                if let element = try await reader.channel.receive() { return element }
            } catch {
                reader.operation.cancel()
                throw error
            }
            _ = try await reader.operation.value
            return nil
        }
    }
}

extension NetworkOperation where Output: StreamOutput {
    /// The elements from now on, for the first use of this property.
    ///
    /// - Important: Use it **once**. Every later use, even after the first sequence has been
    ///   released, returns an **empty** sequence without reporting a mistake. That sequence ends
    ///   when the operation ends, with the operation's error if it fails. To read in several
    ///   places, keep the sequence, read it in one place, and pass the elements on.
    ///
    /// Use it before the operation is started, because elements without a reader are counted and
    /// dropped. Releasing the result cancels the operation, even before the start, because no
    /// reader can follow.
    public var elements: OperationElements<Output> {
        let channel = BoundedChannel<Output.Element>()
        let isLate = live.withLock { live in
            guard live.end == nil, live.coldState?.deliver == nil else { return true }
            live.requireColdState().deliver = { product in
                guard let output = product as? Product<Output> else { return }
                for element in output.value.elements { try await channel.send(element) }
            }
            // Buffered elements are dropped only if the operation is cancelled.
            live.requireColdState().otherWaiters.dependents.append { end in
                channel.finish(dropping: end == .cancelled)
            }
            return false
        }
        if isLate { channel.finish() }
        return OperationElements(reader: .init(operation: self, channel: channel, isLate: isLate))
    }
}

extension OperationHandle {
    /// Delivers an element of a stream to its reader; waits for buffer space.
    func deliver(_ element: AnyProduct) async throws(CancellationError) {
        guard let deliver = live.withLock({ $0.coldState?.deliver }) else { return }
        do { try await deliver(element) } catch { throw CancellationError() }
    }
}
