import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Watches one exchange at the border of the transport, and tells what was sent and what came back.
/// It ends once: with the body of the reply, with an error, or when nobody wants the rest.
final class ExchangeObserver: Sendable {
    private struct State {
        var head: HTTPResponse?
        var body = BodySample()
        var timings: ExchangeTimings
        var hasEnded = false
    }

    private let maker: any ExchangeRecording
    private let request: RequestRecord
    private let teller: any ExchangeTelling
    private let clock: RuntimeClock
    private let date: Date
    private let start: Duration
    private let state: Mutex<State>

    init(
        _ request: TransportRequest, _ maker: any ExchangeRecording,
        _ teller: any ExchangeTelling, _ clock: RuntimeClock
    ) {
        self.maker = maker
        self.teller = teller
        self.clock = clock
        self.request = maker.record(request)
        date = clock.now()
        start = clock.elapsed()
        state = Mutex(State(timings: ExchangeTimings(queued: teller.takeQueued())))
    }

    /// Sends the request.
    func send(
        _ request: TransportRequest, with transport: any Transport
    ) async throws(TransportError) -> TransportReply {
        teller.emit(.sending(self.request))
        teller.heedStop()
        do throws(TransportError) {
            let reply = try await transport.send(noting(request))
            noteHead(reply.head)
            return watched(reply)
        } catch {
            end(error)
            throw error
        }
    }

    /// The same request, watched for the moment at which all of its body has been sent.
    private func noting(_ request: TransportRequest) -> TransportRequest {
        guard let length = request.body?.length else { return request }
        var request = request
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

    private func watched(_ reply: TransportReply) -> TransportReply {
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
        teller.emit(error == nil ? .received(record) : .disconnected(record))
    }
}

/// Makes the records of an exchange, without its secrets.
protocol ExchangeRecording: Sendable {
    /// How many bytes of the reply's body its record is made of.
    var sampleLimit: Int { get }

    func record(_ request: TransportRequest) -> RequestRecord
    func record(_ head: HTTPResponse, _ body: BodySample) -> ReplyRecord
    func record(_ error: TransportError) -> TransportError
}

/// Who sends a request, as far as those who watch it have to know.
protocol ExchangeTelling: Sendable {
    /// Tells what happens, without secrets.
    func emit(_ kind: APIEvent.Kind)

    /// Cancels the task if the request is no longer wanted; asked before it is sent.
    func heedStop()

    /// How long the request has waited, once.
    func takeQueued() -> Duration
}

extension AttemptContext: ExchangeTelling {}
