import Synchronization

/// A download through all of its attempts. One attempt at a time may touch the file; what a stopped
/// one still receives is dropped.
final class DownloadJob: Sendable {
    private struct State: ~Copyable {
        var file: PartialFile?
        var attempt = 0
        var isClosed = false
    }

    let destination: String
    private let state = Mutex(State())

    init(_ destination: String) {
        self.destination = destination
    }

    /// Gives the file to an attempt.
    ///
    /// - Returns: How many bytes are there already.
    func begin(_ attempt: Int, source: Address) throws(DownloadError) -> Int {
        try state.withLock { state throws(DownloadError) in
            guard !state.isClosed else { throw DownloadError(destination, .notReceiving) }
            state.attempt = attempt
            if state.file == nil {
                state.file = try PartialFile(destination: destination, source: source)
            }
            return state.file?.offset ?? 0
        }
    }

    /// Does something with the file on behalf of an attempt.
    func with<Result: Sendable>(
        _ attempt: Int,
        _ body: @Sendable (inout PartialFile) throws(DownloadError) -> Result
    ) throws(DownloadError) -> Result {
        try state.withLock { state throws(DownloadError) in
            guard state.attempt == attempt, var file = state.file.take() else {
                throw DownloadError(destination, .notReceiving)
            }
            let result: Swift.Result<Result, DownloadError>
            do throws(DownloadError) { result = .success(try body(&file)) } catch {
                result = .failure(error)
            }
            state.file = consume file
            return try result.get()
        }
    }

    /// Leaves what is on disk for a later download, and lets others have the destination.
    func close() {
        state.withLock { state in
            state.isClosed = true
            guard let file = state.file.take() else { return }
            // What cannot be removed is found, and told, by the next download.
            try? file.abandon()
        }
    }
}
