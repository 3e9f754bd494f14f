import HTTPTypes
import TelexRuntime

extension Fault {
    /// Runs the probes with `transport` against a server that has the fault. Returns a phrase for
    /// each problem; an empty array for a correct transport. Problems are:
    /// - an exchange with a wrong outcome, or without one after a quarter of an hour;
    /// - a connection that is still open a quarter of an hour after its exchange failed;
    /// - more requests than allowed, such as a request sent twice, even if only its head arrived;
    /// - a request that arrived with another method, target, host, body or header field than it was
    ///   sent with. A transport may add header fields. Bodies are compared only if they are
    ///   `.bytes`.
    ///
    /// An exchange that has not ended is cancelled. If it ignores that, this method does not
    /// return.
    ///
    /// - Throws: A `LoopbackError` if the system provides no socket.
    public func problems(with transport: any Transport) async throws(LoopbackError) -> [String] {
        let server = try LoopbackServer(self)
        defer { server.stop() }
        return await problems(with: transport, on: server)
    }

    /// The same with a given server, which has the fault and has received no request yet.
    package func problems(
        with transport: any Transport, on server: LoopbackServer, limits: Limits = Limits()
    ) async -> [String] {
        var problems: [String] = []
        for (number, exchange) in probes.enumerated() {
            problems += await exchange.problems(with: transport, on: server, limits: limits).map {
                "exchanges[\(number)] \($0)"
            }
        }
        return problems + excess(server.requests.count, server.brokenRequests.count)
            + changes(among: server.requests, at: server.authority)
    }

    /// The longest waits. They only catch hangs: every exchange of the catalogue is much shorter,
    /// even among a thousand tests on a slow machine.
    package struct Limits: Sendable {
        /// The wait for the end of an exchange.
        package var exchange: Duration
        /// The wait until the connection of a failed exchange is closed.
        package var connection: Duration

        /// Makes limits, a quarter of an hour each by default: longer than the time-out of a probe.
        package init(exchange: Duration = .seconds(900), connection: Duration = .seconds(900)) {
            self.exchange = exchange
            self.connection = connection
        }
    }

    private func changes(
        among requests: [LoopbackRequest], at authority: String
    ) -> [String] {
        requests.filter { request in
            !probes.contains { $0.sends(request, bodyPart(request.target), to: authority) }
        }.map { "a request arrived changed: \($0.summary)" }
    }

    private func excess(_ requests: Int, _ broken: Int) -> [String] {
        guard requests + broken > requestLimit else { return [] }
        let parts = broken == 0 ? "" : " (\(broken) of them incomplete)"
        return ["\(requests + broken) requests arrived\(parts), at most \(requestLimit) allowed"]
    }
}

extension Fault.Probe {
    fileprivate func problems(
        with transport: any Transport, on server: LoopbackServer, limits: Fault.Limits
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

    /// Whether `arrived` matches this request. It may have more header fields.
    /// If `part` is not nil, only so much of the body was read.
    fileprivate func sends(
        _ arrived: LoopbackRequest, _ part: Int?, to authority: String
    ) -> Bool {
        var request = request
        request.head.authority = authority
        let sent = LoopbackRequest(SentRequest(request: request, body: []))
        return arrived.method == sent.method && arrived.target == sent.target
            && sent.fields.allSatisfy { arrived.fields[$0.name] == sent.fields[$0.name] }
            && mayHave(arrived.body, part)
    }

    private func mayHave(_ body: [UInt8], _ part: Int?) -> Bool {
        switch request.body {
        case nil: body.isEmpty
        case .bytes(let bytes): body == Array(bytes.prefix(part ?? .max))
        case .file, .parts, .stream: true
        }
    }
}

extension Fault.Outcome {
    /// Whether the connection may stay open. A too large reply may have been received completely
    /// before its size was checked.
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
    /// A description of the request for test messages.
    fileprivate var summary: String {
        let fields = fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        return "\(method) \(target) with \(body.count) bytes and \(fields)"
    }
}

/// The result of `work`, or nil if it takes longer than `limit`. Then `work` is cancelled.
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
