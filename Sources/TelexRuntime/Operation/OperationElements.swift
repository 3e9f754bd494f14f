import Synchronization

/// What the operation of a stream ends with.
public protocol StreamOutput: Sendable {
    /// What the stream consists of.
    associatedtype Element: Sendable
    /// Some of its elements, on their way to whoever reads them.
    var elements: [Element] { get }
    /// The end of a stream of so many elements.
    init(count: Int)
}

/// The elements of a stream, as they arrive.
///
/// It has one reader. The server is asked for more only as fast as that one reads. Reading starts
/// the operation if nobody has; a reader that is cancelled cancels it.
public struct OperationElements<Output: StreamOutput>: AsyncSequence, Sendable {
    /// What the stream consists of.
    public typealias Element = Output.Element

    let operation: NetworkOperation<Output>
    let handoff: Handoff<Element>

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(operation: operation, handoff: handoff)
    }

    /// Reads element after element.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let operation: NetworkOperation<Output>
        let handoff: Handoff<Element>

        /// Waits for the next element; nil at the end of the stream.
        ///
        /// - Throws: `APIError` when the stream fails, `CancellationError` when it is cancelled.
        public mutating func next() async throws -> Element? {
            operation.start()
            do {
                if let element = try await handoff.take() { return element }
            } catch {
                operation.cancel()
                throw error
            }
            _ = try await operation.value
            return nil
        }
    }
}

extension NetworkOperation where Output: StreamOutput {
    /// The elements, from now on. Ask before the operation is started: elements that nobody asked for
    /// are counted and dropped.
    public var elements: OperationElements<Output> {
        let handoff = Handoff<Output.Element>()
        let isLate = live.withLock { live in
            guard live.end == nil, live.rare.handOut == nil else { return true }
            live.rare.handOut = { output in
                for element in output.elements { try await handoff.give(element) }
            }
            live.rare.handlers.append { _ in handoff.finish() }
            return false
        }
        if isLate { handoff.finish() }
        return OperationElements(operation: self, handoff: handoff)
    }
}

extension NetworkOperation {
    func handOut(_ element: any Sendable) async throws(CancellationError) {
        guard let element = element as? Output, let handOut = live.withLock({ $0.rare.handOut })
        else {
            return
        }
        do { try await handOut(element) } catch { throw CancellationError() }
    }
}
