import Foundation
import SpecLanguageServer
import TelexJSON

/// A language server on the standard streams of the process.
///
/// A thread reads, so that the server sees all that has arrived while it was at work: keystrokes that
/// follow one another quickly are checked once, and a request that is taken back is not carried out.
struct ServerSession {
    private var server: LanguageServer
    private let inbox = Inbox()

    init(_ server: LanguageServer) { self.server = server }

    /// Serves until the client ends the session or its stream.
    ///
    /// - Returns: The status to exit with.
    mutating func run() -> Int32 {
        let inbox = inbox
        Thread.detachNewThread {
            var stream = MessageStream()
            while true {
                let arrived = FileHandle.standardInput.availableData
                if arrived.isEmpty { return inbox.close() }
                inbox.add(stream.take(arrived))
            }
        }
        while let parts = inbox.next() {
            for message in server.handle(parts) {
                Console.write(MessageStream.framed(message))
            }
            if let status = server.exitStatus { return status }
        }
        // The editor has ended without a word.
        return EXIT_FAILURE
    }
}

/// The parts that have arrived and are not handled yet.
private final class Inbox: Sendable {
    private struct State {
        var parts: [MessageStream.Part] = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let arrivals = DispatchSemaphore(value: 0)

    func add(_ parts: [MessageStream.Part]) {
        guard !parts.isEmpty else { return }
        state.withLock { $0.parts += parts }
        arrivals.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }

    /// Waits for parts; nil at the end of the stream.
    func next() -> [MessageStream.Part]? {
        while true {
            arrivals.wait()
            let (parts, isClosed) = state.withLock { state in
                defer { state.parts = [] }
                return (state.parts, state.isClosed)
            }
            if !parts.isEmpty {
                // The end is seen again by the next call.
                if isClosed { arrivals.signal() }
                return parts
            }
            if isClosed { return nil }
        }
    }
}
