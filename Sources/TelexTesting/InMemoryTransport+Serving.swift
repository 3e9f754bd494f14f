import HTTPTypes
import TelexJSON
import TelexRuntime

extension InMemoryTransport {
    /// Makes a transport that answers with the handler of a `LoopbackServer`, without a network.
    /// The same behaviours, gates and faults work, at thousands of requests per second.
    ///
    /// A reply arrives as a correct client would report it. A body that is cut short ends in
    /// `.truncated`. Bytes above the declared length are dropped. A connection that closes before
    /// the head is lost. Bytes before any head or between chunks are not HTTP (`.other`). Steps
    /// after the body run as soon as the reader has the last byte. The body is not decompressed.
    /// All requests have the connection number 0.
    public convenience init(serving handler: @escaping LoopbackServer.Handler) {
        self.init { sent throws(TransportError) in
            let player = ReplyPlayer(handler(LoopbackRequest(sent)), to: sent.head.method)
            return try await player.reply()
        }
    }
}

extension LoopbackRequest {
    /// The request in the form in which a server receives it.
    init(_ sent: SentRequest) {
        var fields = sent.head.headerFields
        fields[.hostName] = sent.head.authority
        self.init(
            method: sent.head.method.rawValue, target: sent.head.path ?? "/", fields: fields,
            body: sent.body, connection: 0)
    }
}

/// Runs the steps of a reply for a client in the same process.
private final class ReplyPlayer: Sendable {
    private struct State {
        var rest: ArraySlice<LoopbackReply.Step>
        var framing = Framing.nothing
        var received = 0
        var isOver = false
    }

    /// How the end of the body is determined (RFC 9112, 6.3).
    private enum Framing {
        case nothing
        case length(Int)
        case chunks
        case close
    }

    private let method: HTTPRequest.Method
    private let state: Lock<State>
    private let cancellation = BodyCancellation()

    init(_ reply: LoopbackReply, to method: HTTPRequest.Method) {
        self.method = method
        state = Lock(State(rest: reply.steps[...]))
    }

    func reply() async throws(TransportError) -> TransportReply {
        while true {
            switch nextStep() {
            case .head(let head) where head.status.kind == .informational: continue
            case .head(let head): return TransportReply(head: head, body: try body(of: head))
            case .send, .chunk: throw TransportError(.other, "not an HTTP reply")
            case .wait(let gate): try await cancellation.pass(gate)
            case .open(let gate): gate.open()
            case .stall, .more, nil: try await cancellation.pass(Gate())
            case .halfClose, .close, .reset:
                throw TransportError(.connectionLost, "the connection ended before the head")
            }
        }
    }

    /// Runs the steps after the end of the body. It must not block, because the reader is finished:
    /// at a closed gate, it registers itself and continues when the gate opens.
    private func runRemainingSteps() {
        while let step = nextStep() {
            switch step {
            case .head, .send, .chunk, .halfClose: continue
            case .open(let gate): gate.open()
            case .wait(let gate):
                if gate.wake(gate.takeTicket(), { self.runRemainingSteps() }) { return }
            case .stall, .more, .close, .reset: return
            }
        }
    }

    private func body(of head: HTTPResponse) throws(TransportError) -> ReplyBody {
        let framing = try framing(of: head)
        state.withLock { $0.framing = framing }
        if isComplete { runRemainingSteps() }
        switch framing {
        case .nothing: return ReplyBody([])
        case .length(let length):
            return ReplyBody(length: length, cancel: cancellation.cancel, next: nextChunk)
        case .chunks, .close:
            return ReplyBody(length: nil, cancel: cancellation.cancel, next: nextChunk)
        }
    }

    private func framing(of head: HTTPResponse) throws(TransportError) -> Framing {
        if method == .head || [204, 304].contains(head.status.code) { return .nothing }
        if head.headerFields[.transferEncoding] != nil { return .chunks }
        return try head.headerFields.contentLength().map { .length($0) } ?? .close
    }

    /// The next bytes of the body; `nil` at its end.
    private func nextChunk() async throws(TransportError) -> [UInt8]? {
        while !isComplete {
            try cancellation.check()
            switch nextStep() {
            case .send(let bytes):
                try rejectBetweenChunks()
                if let chunk = keep(bytes) { return chunk }
            case .chunk(let bytes):
                if let chunk = keep(bytes) { return chunk }
                return try end(isWhole: true)
            case .head: continue
            case .wait(let gate): try await cancellation.pass(gate)
            case .open(let gate): gate.open()
            case .stall, .more, nil: try await cancellation.pass(Gate())
            case .halfClose, .close, .reset: return try end()
            }
        }
        return nil
    }

    /// Throws if the body is chunked, because only chunks may come between chunks.
    private func rejectBetweenChunks() throws(TransportError) {
        if case .chunks = state.withLock({ $0.framing }) {
            throw TransportError(.other, "not a chunk")
        }
    }

    private var isComplete: Bool {
        state.withLock { state in
            switch state.framing {
            case .nothing: true
            case .length(let length): state.isOver || state.received >= length
            case .chunks, .close: state.isOver
            }
        }
    }

    /// Counts the received bytes and drops those above the declared length. Returns `nil` if none
    /// are left. After the last byte, the remaining steps run.
    private func keep(_ bytes: [UInt8]) -> [UInt8]? {
        defer { if isComplete { runRemainingSteps() } }
        return state.withLock { state in
            var bytes = bytes[...]
            if case .length(let length) = state.framing {
                bytes = bytes.prefix(length - state.received)
            }
            state.received += bytes.count
            return bytes.isEmpty ? nil : Array(bytes)
        }
    }

    /// Ends the body. If the connection closed, only a body without a declared end is complete.
    private func end(isWhole: Bool = false) throws(TransportError) -> [UInt8]? {
        let (framing, received) = state.withLock { state in
            state.isOver = true
            return (state.framing, state.received)
        }
        if isWhole {
            runRemainingSteps()
            return nil
        }
        switch framing {
        case .nothing, .close: return nil
        case .length(let length): throw .truncated(received: received, expected: length)
        case .chunks: throw .truncated(received: received, expected: nil)
        }
    }

    private func nextStep() -> LoopbackReply.Step? {
        while true {
            let step = state.withLock { $0.rest.popFirst() }
            guard case .more(let make) = step else { return step }
            let more = make()
            state.withLock { $0.rest = more + $0.rest }
        }
    }
}
