import Synchronization

/// One connection to a `LoopbackServer`: reads requests and does what the replies say.
final class LoopbackConnection: Sendable {
    private let socket: Socket
    private let isClosed = Mutex(false)

    init(_ socket: Socket) { self.socket = socket }

    /// Ends the connection from outside: the thread that serves it returns. The lock makes sure
    /// that the descriptor is not somebody else's by now.
    func shutDown() {
        isClosed.withLock { isClosed in
            if !isClosed { socket.shutDown() }
        }
    }

    /// Serves the connection until it ends, then closes it.
    func serve(_ server: LoopbackCore, number: Int) {
        var reader = RequestReader(socket, connection: number, bodyLimit: server.bodyLimit)
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

    /// Whether the connection can be used for another request. A head leaves together with what is
    /// sent right after it, as from most servers.
    private func perform(_ reply: LoopbackReply, until stopped: Gate) -> Bool {
        defer { reply.whenOver?.open() }
        var unsent: [UInt8] = []
        for step in reply.steps {
            if case .head = step, unsent.isEmpty {
                unsent = step.bytes ?? []
                continue
            }
            guard send(unsent + (step.bytes ?? []), isDripped: reply.isDripped) else {
                return false
            }
            unsent = []
            guard goOn(after: step, until: stopped) else { return false }
        }
        return send(unsent, isDripped: reply.isDripped)
    }

    /// Does what is not sending. Whether the connection can be used for the next step.
    private func goOn(after step: LoopbackReply.Step, until stopped: Gate) -> Bool {
        switch step {
        case .head, .send, .chunk: return true
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

    /// Waits at a gate. Whether the client is still there when the wait is over; nobody can wait
    /// where the system gives no pipe.
    private func wait(for gate: Gate, or stopped: Gate) -> Bool {
        guard let pipe = try? WakePipe() else { return false }
        let tickets = (gate.takeTicket(), stopped.takeTicket())
        defer {
            gate.forget(tickets.0)
            stopped.forget(tickets.1)
        }
        guard gate.wake(tickets.0, { pipe.wake() }) else { return true }
        guard stopped.wake(tickets.1, { pipe.wake() }) else { return true }
        if socket.waitForNews(unless: pipe) {
            if socket.hasEnded { return false }
            // The next request is there already. It hides the end, which the next read will find.
            pipe.waitUntilWoken()
        }
        return true
    }

    /// Reads what the client still sends, within reason, so that it gets to see the refusal: a
    /// connection that is closed with bytes unread is reset.
    private func refuse(_ status: Int, until stopped: Gate) {
        let reply = LoopbackReply.bytes(status: status, fields: [.connection: "close"])
        _ = perform(reply, until: stopped)
        // So that also a client that reads to the end gets there.
        socket.endSending()
        for _ in 0..<1024 where socket.receive().isEmpty { break }
        close()
    }

    private func close() {
        isClosed.withLock { isClosed in
            isClosed = true
            socket.close()
        }
    }
}
