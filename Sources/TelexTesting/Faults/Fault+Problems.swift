import HTTPTypes
import TelexRuntime

extension Fault {
    /// Has `transport` meet the fault on a server of its own, and returns all that is wrong, a phrase
    /// for each; none of an honest transport:
    /// - an exchange that ends as it must not, or has not ended after a quarter of an hour;
    /// - an exchange that failed, and a connection that is still open a quarter of an hour later;
    /// - more requests than may arrive, such as one that was sent twice, be it that only its head came;
    /// - a request that arrived with another method, target, host, body or header field than it was
    ///   sent with. A transport may add header fields; of a body, only `.bytes` are compared.
    ///
    /// An exchange that has not ended is cancelled. If it does not end then either, this does not
    /// return.
    ///
    /// - Throws: A `LoopbackError` if the system gives no socket.
    public func problems(with transport: any Transport) async throws(LoopbackError) -> [String] {
        let server = try LoopbackServer(self)
        defer { server.stop() }
        return await problems(with: transport, on: server)
    }

    /// The same, on a server that has the fault and has not been asked for anything yet.
    package func problems(
        with transport: any Transport, on server: LoopbackServer, limits: Limits = Limits()
    ) async -> [String] {
        var problems: [String] = []
        for (number, exchange) in probes.enumerated() {
            problems += await exchange.problems(with: transport, on: server, limits).map {
                "exchanges[\(number)] \($0)"
            }
        }
        return problems + excess(server.requests.count, server.brokenRequests.count)
            + changes(among: server.requests, at: server.authority)
    }

    /// How long to wait at most. Only a transport that hangs reaches these times, even among a thousand
    /// tests on a slow machine.
    package struct Limits: Sendable {
        /// For an exchange to end.
        package var exchange: Duration
        /// For the connection of one that failed to be closed.
        package var connection: Duration

        /// Both a quarter of an hour by default, longer than the default time-out of a probe.
        package init(exchange: Duration = .seconds(900), connection: Duration = .seconds(900)) {
            self.exchange = exchange
            self.connection = connection
        }
    }

    private func changes(
        among requests: [LoopbackRequest], at authority: String
    ) -> [String] {
        requests.filter { request in
            !probes.contains { $0.sends(request, to: authority) }
        }.map { "what arrived is not what was sent: \($0.summary)" }
    }

    private func excess(_ requests: Int, _ broken: Int) -> [String] {
        guard requests + broken > requestLimit else { return [] }
        let parts = broken == 0 ? "" : " (\(broken) of them not whole)"
        return ["\(requests + broken) requests arrived\(parts), not at most \(requestLimit)"]
    }
}

extension Fault.Probe {
    fileprivate func problems(
        with transport: any Transport, on server: LoopbackServer, _ limits: Fault.Limits
    ) async -> [String] {
        let authority = server.authority
        let outcome = await value(within: limits.exchange) {
            await perform(with: transport, at: authority)
        }
        guard let outcome else { return ["does not end"] }
        var problems: [String] = []
        if !outcomes.contains(outcome) {
            let expected = outcomes.map(\.description).joined(separator: ", or ")
            problems.append("ended in \(outcome), not in \(expected)")
        }
        if !outcome.mayKeepConnection, await !server.isReleased(within: limits.connection) {
            problems.append("failed, but a connection is open")
        }
        return problems
    }

    /// Whether `arrived` may be this request: it has all that was sent, and maybe more header fields.
    fileprivate func sends(_ arrived: LoopbackRequest, to authority: String) -> Bool {
        var request = request
        request.head.authority = authority
        let sent = LoopbackRequest(SentRequest(request: request, body: []))
        return arrived.method == sent.method && arrived.target == sent.target
            && sent.fields.allSatisfy { arrived.fields[$0.name] == sent.fields[$0.name] }
            && mayHave(arrived.body)
    }

    private func mayHave(_ body: [UInt8]) -> Bool {
        switch request.body {
        case nil: body.isEmpty
        case .bytes(let bytes): body == bytes
        case .file, .parts, .stream: true
        }
    }
}

extension Fault.Outcome {
    /// A reply that is too large may have been received completely before that was noticed.
    fileprivate var mayKeepConnection: Bool {
        switch self {
        case .reply, .brokenBody(_, .tooLarge): true
        case .noReply, .brokenBody: false
        }
    }
}

extension LoopbackServer {
    fileprivate func isReleased(within limit: Duration) async -> Bool {
        await value(within: limit) { await self.waitUntilNoConnectionIsOpen() } != nil
    }
}

extension LoopbackRequest {
    /// What arrived, for the message of a test.
    fileprivate var summary: String {
        let fields = fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        return "\(method) \(target) with \(body.count) bytes and \(fields)"
    }
}

/// What `work` returns; nil if that takes longer than `limit`. By then it has been cancelled.
private func value<Value: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
