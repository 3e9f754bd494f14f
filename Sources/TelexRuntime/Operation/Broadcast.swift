import Synchronization

/// Gives the same elements to any number of streams, each from the moment it was asked for.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var streams: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var last: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    private let readers = Atomic<Int>(0)

    /// Whether anybody reads; costs next to nothing to ask.
    var hasReaders: Bool { readers.load(ordering: .relaxed) > 0 }

    /// A stream of what comes from now on.
    ///
    /// - Parameter first: An element that it begins with.
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
            readers.store(state.streams.count, ordering: .relaxed)
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
        // Nothing can come any more, as from an operation that is let go of before it was started.
        finish()
    }

    private func remove(_ number: UInt64) {
        state.withLock { state in
            state.streams[number] = nil
            readers.store(state.streams.count, ordering: .relaxed)
        }
    }

    /// The streams that there are now.
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
