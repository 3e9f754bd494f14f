import HTTPTypes
import TelexInspection
import TelexJSON
import TelexRequests
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Records one exchange at the boundary of the transport and emits its request and its outcome. The
/// exchange ends exactly once: with the end of the reply's body, with an error, or when the rest of
/// the body is discarded.
final class ExchangeObserver: Sendable {
    private struct State {
        var head: HTTPResponse?
        var body = BodySample()
        var timings: ExchangeTimings
        var hasEnded = false
    }

    private let maker: any ExchangeRecording
    private let request: RequestRecord
    private let reporter: any ExchangeReporter
    private let clock: RuntimeClock
    private let date: Date
    private let start: Duration
    private let state: Lock<State>

    init(
        _ request: TransportRequest, recorder maker: any ExchangeRecording,
        reporter: any ExchangeReporter, clock: RuntimeClock
    ) {
        self.maker = maker
        self.reporter = reporter
        self.clock = clock
        self.request = maker.record(request)
        date = clock.now()
        start = clock.elapsed()
        state = Lock(State(timings: ExchangeTimings(queued: reporter.takeQueued())))
    }

    /// Sends the request, and records its exchange.
    func send(
        _ request: TransportRequest, with transport: any Transport
    ) async throws(TransportError) -> TransportReply {
        reporter.emit(.sending(self.request))
        reporter.cancelTaskIfStopped()
        do throws(TransportError) {
            let reply = try await transport.send(observingBody(request))
            noteHead(reply.head)
            return observed(reply)
        } catch {
            end(error)
            throw error
        }
    }

    /// The request, changed to record the moment at which its body has been sent.
    private func observingBody(_ request: TransportRequest) -> TransportRequest {
        var request = request
        // A transport may keep the request longer than the call.
        request.onRepeat = { [weak self] error in
            self?.reporter.emit(.retrying(after: .zero, because: error.message))
        }
        guard let length = request.body?.length else { return request }
        let told = request.onBodySent
        request.onBodySent = { [weak self] sent in
            told?(sent)
            if sent >= length { self?.noteSent() }
        }
        return request
    }

    private func noteSent() {
        let now = clock.elapsed()
        state.withLock { if $0.timings.sent == nil { $0.timings.sent = now - start } }
    }

    private func noteHead(_ head: HTTPResponse) {
        let now = clock.elapsed()
        state.withLock { state in
            state.head = head
            state.timings.firstByte = now - start
        }
    }

    private func observed(_ reply: TransportReply) -> TransportReply {
        let rest = reply.body.inspected { [self] result throws(TransportError) in note(result) }
        let body = ReplyBody(
            length: reply.body.length,
            cancel: { [self] in
                end(nil)
                reply.body.cancel()
            },
            next: rest.sharedNext)
        return TransportReply(head: reply.head, body: body)
    }

    private func note(_ result: Result<[UInt8]?, TransportError>) {
        switch result {
        case .success(let chunk?): keep(chunk)
        case .success(nil):
            state.withLock { if !$0.hasEnded { $0.body.isComplete = true } }
            end(nil)
        case .failure(let error): end(error)
        }
    }

    private func keep(_ chunk: [UInt8]) {
        let limit = maker.sampleLimit
        state.withLock { state in
            state.body.size += chunk.count
            state.body.bytes += chunk.prefix(max(0, limit - state.body.bytes.count))
        }
    }

    private func end(_ error: TransportError?) {
        let now = clock.elapsed()
        let ended = state.withLock { state -> State? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.timings.lastByte = now - start
            return state
        }
        guard let ended else { return }
        let record = ExchangeRecord(
            request: request, reply: ended.head.map { maker.record($0, ended.body) },
            failure: error.map { maker.record($0) }, start: date,
            timings: ended.timings)
        reporter.emit(error == nil ? .received(record) : .disconnected(record))
    }
}

/// The sender of a request, as the exchange observer sees it.
protocol ExchangeReporter: Sendable {
    /// Emits an event, without secrets.
    func emit(_ kind: APIEvent.Kind)

    /// Cancels the current task if the operation was stopped; called before the request is sent.
    func cancelTaskIfStopped()

    /// Returns the time that the request waited, and resets it to zero.
    func takeQueued() -> Duration
}
