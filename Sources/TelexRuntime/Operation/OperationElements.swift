import Synchronization

/// What the operation of a stream ends with.
public protocol StreamOutput: Sendable {
    /// What the stream consists of.
    associatedtype Element: Sendable
    /// Some of its elements, on their way to whoever reads them.
    var elements: [Element] { get }
}

/// The elements of a stream, as they arrive.
///
/// - Important: There is **one** reader. Every element goes to whoever asked for
///   ``NetworkOperation/elements`` first; a sequence that somebody else asked for later is **empty**.
///   Nor does a second loop over the same sequence see all of it: it takes elements away from the
///   first, or ends early.
///
/// The server is asked for more only as fast as the reader reads. Reading starts the operation if
/// nobody has. A reader that is cancelled cancels it, and so does one that stops before the end and
/// keeps neither this sequence nor its iterator. While the operation is suspended, up to 16 elements
/// that are ready still come.
public struct OperationElements<Output: StreamOutput>: AsyncSequence, Sendable {
    /// What the stream consists of.
    public typealias Element = Output.Element

    fileprivate let reader: Reader

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// Who reads. Once nobody can any more, the operation would wait for ever to be rid of its next
    /// element, and hold its connection meanwhile.
    fileprivate final class Reader: Sendable {
        let operation: NetworkOperation<Output>
        let handoff: BoundedChannel<Element>
        /// Whether the elements are another's, who came first.
        let isLate: Bool

        init(
            _ operation: NetworkOperation<Output>, _ handoff: BoundedChannel<Element>, isLate: Bool
        ) {
            self.operation = operation
            self.handoff = handoff
            self.isLate = isLate
        }

        deinit { if !isLate { operation.cancel() } }
    }

    /// Reads element after element.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// Waits for the next element; nil at the end of the stream.
        ///
        /// - Throws: `APIError` when the stream fails, `CancellationError` when it is cancelled.
        public mutating func next() async throws -> Element? {
            reader.operation.begin()
            do {
                if let element = try await reader.handoff.take() { return element }
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
    /// The elements, from now on, for whoever asks first.
    ///
    /// - Important: Ask **once**. Every later use of this property, even after the first sequence is
    ///   gone, gives a sequence that is **empty**: it hands out nothing and reports no mistake, and
    ///   ends when the operation does, with its error if it fails. To read in several places, keep
    ///   what this gives, read it in one, and pass the elements on.
    ///
    /// Ask before the operation is started: elements that nobody asked for are counted and dropped. Who
    /// asks and does not keep what this gives cancels the operation, even before the start: nobody could
    /// read it any more.
    public var elements: OperationElements<Output> {
        let handoff = BoundedChannel<Output.Element>()
        let isLate = live.withLock { live in
            guard live.end == nil, live.coldState?.handOut == nil else { return true }
            live.requireColdState().handOut = { product in
                guard let output = product as? Product<Output> else { return }
                for element in output.value.elements { try await handoff.give(element) }
            }
            // What is on its way is ignored if it is cancelled, and only then.
            live.requireColdState().audience.dependents.append { end in
                handoff.finish(dropping: end == .cancelled)
            }
            return false
        }
        if isLate { handoff.finish() }
        return OperationElements(reader: .init(self, handoff, isLate: isLate))
    }
}

extension OperationHandle {
    /// Gives an element of a stream to whoever reads it; waits until there is room.
    func handOut(_ element: AnyProduct) async throws(CancellationError) {
        guard let handOut = live.withLock({ $0.coldState?.handOut }) else { return }
        do { try await handOut(element) } catch { throw CancellationError() }
    }
}
