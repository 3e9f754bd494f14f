import TelexJSON
import TelexScheduling

/// Delivers the same elements to any number of streams, each from its creation on.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var streams: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let state = Lock(State())
    private let readers = AtomicCount()

    /// Whether there are readers; a cheap check.
    var hasReaders: Bool { readers.value > 0 }

    /// Returns a stream of the elements from now on.
    ///
    /// - Parameter first: The first element of the stream.
    func stream(
        from first: Element?, keeping policy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: policy)
        if let first { continuation.yield(first) }
        let number = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.streams[state.last] = continuation
            readers.value = UInt64(state.streams.count)
            return state.last
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.remove(number)
        }
        return stream
    }

    deinit {
        // No further element can come, for example from an operation that was never started.
        finish()
    }

    private func remove(_ number: UInt64) {
        state.withLock { state in
            state.streams[number] = nil
            readers.value = UInt64(state.streams.count)
        }
    }

    /// The current streams.
    var streams: [AsyncStream<Element>.Continuation] {
        state.withLock { Array($0.streams.values) }
    }

    func yield(_ element: Element) {
        for stream in streams { stream.yield(element) }
    }

    func finish() {
        let streams = state.withLock { state in
            state.isFinished = true
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }
}
