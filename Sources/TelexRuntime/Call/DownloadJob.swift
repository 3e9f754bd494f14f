import HTTPTypes
import TelexDownloads
import TelexJSON

/// A download across all of its attempts. Only one attempt at a time may use the file. Bytes that a
/// stopped attempt still receives are dropped.
///
/// The file is used outside the lock, because disk operations may be slow. Only the next user of
/// the file waits for them: an attempt, or another download to the same destination.
final class DownloadJob: Sendable {
    /// The outcome of a download.
    struct Outcome: Sendable {
        var file: DownloadedFile
        /// The last reply.
        var head: HTTPResponse
    }

    /// The position of a download.
    struct Position: Sendable {
        /// The number of bytes on disk.
        var done: Int
        /// The expected number of bytes; nil if the server has not declared it.
        var expected: Int?
        /// Whether there are more bytes on disk than ever before.
        var isFurther: Bool
        /// The number of those bytes that were on disk before the download began.
        var headStart: Int
    }

    private struct State: ~Copyable {
        var file: PartialFile?
        /// Whether an attempt is using or creating the file.
        var isTaken = false
        var attempt = 0
        var isClosed = false
        /// The largest number of bytes that were ever on disk.
        var furthest = 0
        /// The number of bytes on disk before the download began; nil until it is known.
        var headStart: Int?
        var outcome: Outcome?
        /// Attempts that wait until the previous attempt releases the file.
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Marks the file as free.
        ///
        /// - Returns: The continuations that waited for it.
        mutating func free() -> [CheckedContinuation<Void, Never>] {
            isTaken = false
            defer { waiters = [] }
            return waiters
        }
    }

    let destination: String
    private let state = Lock(State())

    init(_ destination: String) {
        self.destination = destination
    }

    /// Assigns the file to an attempt; earlier attempts can no longer use it. Waits for a disk
    /// operation of the previous attempt. It has been stopped, so the wait is short.
    ///
    /// - Returns: The outcome if an earlier, stopped attempt has completed the download; nothing is
    ///   left to do then.
    /// - Throws: If the download is closed or a later attempt has begun.
    func begin(
        _ attempt: Int, source: DownloadSource
    ) async throws(DownloadError) -> Outcome? {
        try enter(attempt)
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiters.append(continuation) }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
        if let outcome = state.withLock({ $0.outcome }) { return outcome }
        await ClosingDownloads.waitUntilClosed(destination)
        try open(attempt, source)
        return nil
    }

    private func enter(_ attempt: Int) throws(DownloadError) {
        let isLate = state.withLock { state in
            let isLate = state.isClosed || attempt < state.attempt
            if !isLate { state.attempt = attempt }
            return isLate
        }
        if isLate { throw DownloadError(destination, reason: .notReceiving) }
    }

    private func open(_ attempt: Int, _ source: DownloadSource) throws(DownloadError) {
        if let file = try take(attempt) { return putBack(file) }
        let file: PartialFile
        do throws(DownloadError) {
            file = try PartialFile(destination: destination, source: source)
        } catch {
            leave(nil)
            throw error
        }
        let offset = file.offset
        state.withLock { state in
            state.furthest = max(state.furthest, offset)
            state.headStart = state.headStart ?? offset
        }
        putBack(file)
    }

    /// Runs a closure on the file for an attempt.
    ///
    /// - Throws: The error of `body`, or `notReceiving` if the attempt may not use the file.
    func with<Result: Sendable>(
        _ attempt: Int,
        _ body: (inout PartialFile) throws(DownloadError) -> Result
    ) throws(DownloadError) -> Result {
        var file = try taken(attempt)
        let result: Swift.Result<Result, DownloadError>
        do throws(DownloadError) { result = .success(try body(&file)) } catch {
            result = .failure(error)
        }
        putBack(file)
        return try result.get()
    }

    /// Appends bytes of the accepted reply's body to the file.
    func write(_ attempt: Int, _ chunk: [UInt8]) throws(DownloadError) -> Position {
        let (done, expected) = try with(attempt) { file throws(DownloadError) in
            try file.write(chunk)
            return (file.offset, file.expected)
        }
        return state.withLock { state in
            defer { state.furthest = max(state.furthest, done) }
            // The head start shrinks if the download restarted.
            let headStart = min(state.headStart ?? 0, done)
            state.headStart = headStart
            return Position(
                done: done, expected: expected, isFurther: done > state.furthest,
                headStart: headStart)
        }
    }

    /// Moves the file to its destination, which ends the download for every attempt.
    func finish(
        _ attempt: Int, after head: HTTPResponse
    ) throws(DownloadError) -> DownloadedFile {
        var file = try taken(attempt)
        do throws(DownloadError) { try file.finish() } catch {
            putBack(file)
            throw error
        }
        let result = file.result
        // The file lock is released first, because a waiter may use the destination at once.
        _ = consume file
        leave(Outcome(file: result, head: head))
        return result
    }

    /// Closes the download: keeps the partial file for a later download and releases the
    /// destination as soon as no attempt uses the file. Never blocks.
    func close() {
        let file = state.withLock { state -> PartialFile? in
            if state.isTaken, !state.isClosed { ClosingDownloads.begin(destination) }
            state.isClosed = true
            return state.file.take()
        }
        // The next download finds and reports what cannot be removed now.
        if let file { try? file.abandon() }
    }

    // MARK: The file

    /// Takes the file for an attempt, which must call `putBack` or `leave`. Returns nil if the
    /// file must be created.
    private func take(_ attempt: Int) throws(DownloadError) -> PartialFile? {
        let destination = destination
        return try state.withLock { state throws(DownloadError) in
            guard state.attempt == attempt, !state.isClosed, !state.isTaken else {
                throw DownloadError(destination, reason: .notReceiving)
            }
            state.isTaken = true
            return state.file.take()
        }
    }

    private func taken(_ attempt: Int) throws(DownloadError) -> PartialFile {
        if let file = try take(attempt) { return file }
        leave(nil)
        throw DownloadError(destination, reason: .notReceiving)
    }

    private func putBack(_ file: consuming PartialFile) {
        var file: PartialFile? = file
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            if state.isClosed || file?.isFinished == true { return nil }
            state.file = file.take()
            return state.free()
        }
        if let waiters { return waiters.forEach { $0.resume() } }
        // The next download finds and reports what cannot be removed now.
        if let file = file.take() { try? file.abandon() }
        leave(nil)
    }

    /// Marks the file as free although no file is kept, and resumes the waiters.
    private func leave(_ outcome: Outcome?) {
        let (waiters, isClosed) = state.withLock { state in
            if let outcome { state.outcome = outcome }
            return (state.free(), state.isClosed)
        }
        if isClosed { ClosingDownloads.end(destination) }
        for waiter in waiters { waiter.resume() }
    }
}

/// Downloads of this process that have ended while their last disk operation still runs. Another
/// download to the same destination waits for it, which takes a moment only.
private enum ClosingDownloads {
    private typealias Waiters = [CheckedContinuation<Void, Never>]

    /// The waiting continuations by destination.
    private static let places = Lock<[String: Waiters]>([:])

    static func begin(_ destination: String) {
        places.withLock { $0[destination, default: []] += [] }
    }

    static func end(_ destination: String) {
        let waiters = places.withLock { $0.removeValue(forKey: destination) }
        for waiter in waiters ?? [] { waiter.resume() }
    }

    /// Returns once no such download uses the destination.
    static func waitUntilClosed(_ destination: String) async {
        await withCheckedContinuation { continuation in
            let isFree = places.withLock { places in
                places[destination]?.append(continuation)
                return places[destination] == nil
            }
            if isFree { continuation.resume() }
        }
    }
}
