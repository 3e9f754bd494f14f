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

    private let maker: RecordMaker
    private let request: RequestRecord
    private let context: AttemptContext
    private let clock: RuntimeClock
    private let date: Date
    private let start: Duration
    private let state: Mutex<State>

    init(
        _ request: TransportRequest, _ maker: RecordMaker, _ context: AttemptContext,
        _ clock: RuntimeClock
    ) {
        self.maker = maker
        self.context = context
        self.clock = clock
        self.request = maker.record(request)
        date = clock.now()
        start = clock.elapsed()
        state = Mutex(State(timings: ExchangeTimings(queued: context.takeQueued())))
    }

    /// Sends the request.
    func send(
        _ request: TransportRequest, with transport: any Transport
    ) async throws(TransportError) -> TransportReply {
        context.emit(.sending(self.request))
        context.heedStop()
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

    /// Some more than is wanted, so that no secret is cut in two.
    private func keep(_ chunk: [UInt8]) {
        let (more, overflow) = maker.bodyLimit.addingReportingOverflow(maker.redactor.reach)
        let limit = maker.bodyLimit > 0 ? (overflow ? .max : more) : 0
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
        context.emit(error == nil ? .received(record) : .disconnected(record))
    }
}
