import HTTPTypes
import Synchronization

/// A download through all of its attempts. One attempt at a time may touch the file; what a stopped
/// one still receives is dropped.
///
/// Whoever touches the file has it without a lock, since what a disk does may take long. Nobody waits
/// for that but who wants the file next: an attempt, or another download to the same place.
final class DownloadJob: Sendable {
    /// The end of a download.
    struct Outcome: Sendable {
        var file: DownloadedFile
        /// The last reply.
        var head: HTTPResponse
    }

    /// Where a download is.
    struct Position: Sendable {
        /// How many bytes are there.
        var done: Int
        /// How many there will be; nil if the server has not said.
        var expected: Int?
        /// Whether there are more than ever before.
        var isFurther: Bool
        /// How many of them were there before the download began.
        var headStart: Int
    }

    private struct State: ~Copyable {
        var file: PartialFile?
        /// Whether an attempt has the file, or makes it.
        var isTaken = false
        var attempt = 0
        var isClosed = false
        /// The most bytes that were ever there.
        var furthest = 0
        /// How many of them were there before it began; nil until that is known.
        var headStart: Int?
        var outcome: Outcome?
        /// Attempts that begin once the one before them has given the file back.
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Nobody has the file any more.
        ///
        /// - Returns: Those who waited for that.
        mutating func free() -> [CheckedContinuation<Void, Never>] {
            isTaken = false
            defer { waiters = [] }
            return waiters
        }
    }

    let destination: String
    private let state = Mutex(State())

    init(_ destination: String) {
        self.destination = destination
    }

    /// Gives the file to an attempt; those before it get it no more, however late they wake. What the
    /// last of them does to it at this moment comes first: it has been stopped, so that is little.
    ///
    /// - Returns: The end of the download, if an attempt that nobody waited for any more came to it;
    ///   then there is nothing left to do.
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
        await LeavingDownloads.haveLeft(destination)
        try open(attempt, source)
        return nil
    }

    private func enter(_ attempt: Int) throws(DownloadError) {
        let isLate = state.withLock { state in
            let isLate = state.isClosed || attempt < state.attempt
            if !isLate { state.attempt = attempt }
            return isLate
        }
        if isLate { throw DownloadError(destination, .notReceiving) }
    }

    private func open(_ attempt: Int, _ source: DownloadSource) throws(DownloadError) {
        if let file = try take(attempt) { return giveBack(file) }
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
        giveBack(file)
    }

    /// Does something with the file on behalf of an attempt.
    func with<Result: Sendable>(
        _ attempt: Int,
        _ body: (inout PartialFile) throws(DownloadError) -> Result
    ) throws(DownloadError) -> Result {
        var file = try taken(attempt)
        let result: Swift.Result<Result, DownloadError>
        do throws(DownloadError) { result = .success(try body(&file)) } catch {
            result = .failure(error)
        }
        giveBack(file)
        return try result.get()
    }

    /// Adds bytes of the body of the accepted reply.
    func write(_ attempt: Int, _ chunk: [UInt8]) throws(DownloadError) -> Position {
        let (done, expected) = try with(attempt) { file throws(DownloadError) in
            try file.write(chunk)
            return (file.offset, file.expected)
        }
        return state.withLock { state in
            defer { state.furthest = max(state.furthest, done) }
            // There is less if it began anew.
            let headStart = min(state.headStart ?? 0, done)
            state.headStart = headStart
            return Position(
                done: done, expected: expected, isFurther: done > state.furthest,
                headStart: headStart)
        }
    }

    /// Puts the file in its place. From then on the download is over, for every attempt.
    func finish(
        _ attempt: Int, after head: HTTPResponse
    ) throws(DownloadError) -> DownloadedFile {
        var file = try taken(attempt)
        do throws(DownloadError) { try file.finish() } catch {
            giveBack(file)
            throw error
        }
        let result = file.result
        // Its lock goes first: whoever hears of the end may want the place.
        _ = consume file
        leave(Outcome(file: result, head: head))
        return result
    }

    /// Leaves what is on disk for a later download, and lets others have the destination, as soon as
    /// nobody has the file. Never waits for that.
    func close() {
        let file = state.withLock { state -> PartialFile? in
            if state.isTaken, !state.isClosed { LeavingDownloads.begin(destination) }
            state.isClosed = true
            return state.file.take()
        }
        // What cannot be removed is found, and told, by the next download.
        if let file { try? file.abandon() }
    }

    // MARK: The file

    /// The file for an attempt, which has to give it back, or `leave`; nil if it has to be made.
    private func take(_ attempt: Int) throws(DownloadError) -> PartialFile? {
        let destination = destination
        return try state.withLock { state throws(DownloadError) in
            guard state.attempt == attempt, !state.isClosed, !state.isTaken else {
                throw DownloadError(destination, .notReceiving)
            }
            state.isTaken = true
            return state.file.take()
        }
    }

    private func taken(_ attempt: Int) throws(DownloadError) -> PartialFile {
        if let file = try take(attempt) { return file }
        leave(nil)
        throw DownloadError(destination, .notReceiving)
    }

    private func giveBack(_ file: consuming PartialFile) {
        var file: PartialFile? = file
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            if state.isClosed || file?.isFinished == true { return nil }
            state.file = file.take()
            return state.free()
        }
        if let waiters { return waiters.forEach { $0.resume() } }
        // What cannot be removed is found, and told, by the next download.
        if let file = file.take() { try? file.abandon() }
        leave(nil)
    }

    /// Nobody has the file any more, and there is none.
    private func leave(_ outcome: Outcome?) {
        let (waiters, isClosed) = state.withLock { state in
            if let outcome { state.outcome = outcome }
            return (state.free(), state.isClosed)
        }
        if isClosed { LeavingDownloads.end(destination) }
        for waiter in waiters { waiter.resume() }
    }
}

/// Downloads of this process that have ended, of which the last step on disk has not. Whoever wants
/// the place of one waits for that: it is nobody's fault and takes a moment.
private enum LeavingDownloads {
    private typealias Waiters = [CheckedContinuation<Void, Never>]

    /// Who waits, by destination.
    private static let places = Mutex<[String: Waiters]>([:])

    static func begin(_ destination: String) {
        places.withLock { $0[destination, default: []] += [] }
    }

    static func end(_ destination: String) {
        let waiters = places.withLock { $0.removeValue(forKey: destination) }
        for waiter in waiters ?? [] { waiter.resume() }
    }

    /// Returns once no such download has the place.
    static func haveLeft(_ destination: String) async {
        await withCheckedContinuation { continuation in
            let isFree = places.withLock { places in
                places[destination]?.append(continuation)
                return places[destination] == nil
            }
            if isFree { continuation.resume() }
        }
    }
}
