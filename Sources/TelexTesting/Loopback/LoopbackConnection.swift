import HTTPTypes
import TelexJSON

/// One connection to a `LoopbackServer`. It reads requests and runs the steps of the replies.
final class LoopbackConnection: Sendable {
    private let socket: Socket
    private let isClosed = Lock(false)

    init(_ socket: Socket) { self.socket = socket }

    /// Ends the connection from another thread, so that the serving thread returns. The lock
    /// prevents the use of a descriptor that has been closed and reused.
    func shutDown() {
        isClosed.withLock { isClosed in
            if !isClosed { socket.shutDown() }
        }
    }

    /// Serves the connection until it ends, then closes it.
    func serve(_ server: LoopbackCore, number: Int) {
        var reader = RequestReader(socket, connection: number, of: server)
        while true {
            switch reader.next() {
            case .end: return close()
            case .broken(let request):
                server.keep(request)
                guard let status = request.status else { return close() }
                return refuse(status, until: server.stopped)
            case .request(let request, let keepsConnection):
                let goesOn = perform(server.answer(request), until: server.stopped)
                guard goesOn, keepsConnection, !server.stopped.isOpen else { return close() }
            }
        }
    }

    /// Runs the steps of a reply. Returns whether the connection can be used for another request. A
    /// head is sent in one write with the bytes that follow, as most servers do.
    private func perform(_ reply: LoopbackReply, until stopped: Gate) -> Bool {
        defer { reply.finishedGate?.open() }
        var unsent: [UInt8] = []
        var rest = reply.steps
        var index = 0
        while index < rest.count {
            let step = rest[index]
            index += 1
            if case .head = step, unsent.isEmpty {
                unsent = step.bytes ?? []
                continue
            }
            guard send(unsent + (step.bytes ?? []), isDripped: reply.isDripped) else {
                return false
            }
            unsent = []
            if case .more(let make) = step {
                if stopped.isOpen { return false }
                (rest, index) = (make() + rest[index...], 0)
            }
            guard canContinue(after: step, until: stopped) else { return false }
        }
        return send(unsent, isDripped: reply.isDripped)
    }

    /// Runs a step that does not send. Returns whether the connection can be used for the next
    /// step.
    private func canContinue(after step: LoopbackReply.Step, until stopped: Gate) -> Bool {
        switch step {
        case .head, .send, .chunk, .more: return true
        case .wait(let gate): return wait(for: gate, or: stopped)
        case .open(let gate): gate.open()
        case .stall:
            while !socket.receive().isEmpty {}
            return false
        case .halfClose: socket.endSending()
        case .close: return false
        case .reset:
            socket.resetOnClose()
            return false
        }
        return true
    }

    private func send(_ bytes: [UInt8], isDripped: Bool) -> Bool {
        isDripped ? bytes.allSatisfy { socket.send([$0]) } : socket.send(bytes)
    }

    /// Waits for a gate. Returns whether the client is still connected, or `false` at once if the
    /// system provides no pipe.
    private func wait(for gate: Gate, or stopped: Gate) -> Bool {
        guard let pipe = try? WakePipe() else { return false }
        let tickets = (gate.takeTicket(), stopped.takeTicket())
        defer {
            gate.forget(tickets.0)
            stopped.forget(tickets.1)
        }
        guard gate.wake(tickets.0, { pipe.wake() }) else { return true }
        guard stopped.wake(tickets.1, { pipe.wake() }) else { return true }
        if socket.waitForInput(unless: pipe) {
            if socket.hasEnded { return false }
            // The next request has already arrived. It hides the end, which the next read will
            // find.
            pipe.waitUntilWoken()
        }
        return true
    }

    /// Refuses a connection for which there is no room, at its first request: many clients take no
    /// reply before they have sent one.
    func refuse(until stopped: Gate) {
        socket.endAfter(silence: .seconds(1))
        _ = socket.receive()
        refuse(503, until: stopped)
    }

    /// Refuses a request, then reads and discards a limited amount of further bytes. Otherwise the
    /// connection would be reset, because bytes are unread, and the client might not see the
    /// refusal.
    private func refuse(_ status: Int, until stopped: Gate) {
        var fields: HTTPFields = [.connection: "close"]
        if status == 503 { fields[.retryAfter] = "1" }
        let reply = LoopbackReply.text(
            Self.reasons[status] ?? "", status: status, fields: fields)
        _ = perform(reply, until: stopped)
        // A client that reads to the end of the connection needs this end.
        socket.endSending()
        for _ in 0..<1024 where socket.receive().isEmpty { break }
        close()
    }

    /// What is wrong with a refused request, for people who read the reply.
    private static let reasons = [
        400: "the request is not HTTP/1.1\n", 413: "the body is too large\n",
        431: "the head is too large\n", 501: "the transfer coding is not chunked\n",
        503: "too many connections\n",
    ]

    private func close() {
        isClosed.withLock { isClosed in
            isClosed = true
            socket.close()
        }
    }
}
