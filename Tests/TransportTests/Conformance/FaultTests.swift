import TelexRuntime
import TelexTesting
import Testing

@Suite("Every transport with every fault", .serialized)
struct FaultTests {
    /// All pairs of a transport and a fault that does not end the process.
    private static let cases = TransportKind.onSockets.flatMap { kind in
        Fault.catalogue.filter { !kind.endsProcess($0) }.map { (kind, $0) }
    }

    @Test("an exchange has an expected outcome, and its connection is closed", arguments: cases)
    func outcome(_ kind: TransportKind, _ fault: Fault) async throws {
        let problems = try await fault.allowing(kind.deviation(fault)).problemsWithEnoughTime {
            let server = try LoopbackServer(fault)
            defer { server.stop() }
            let problems = await $0.problems(with: kind.makeTransport(), on: server)
            await server.waitUntilNoConnectionIsOpen()
            return problems
        }
        #expect(problems == [])
    }

    /// Includes faults where a transport deviates only because it reuses a connection.
    @Test(
        "an exchange with a connection of its own has an expected outcome",
        arguments: cases.filter { kind, fault in
            fault.name == Fault.surplusLater.name || kind.deviation(fault) == nil
        })
    func perRequest(_ kind: TransportKind, _ fault: Fault) async throws {
        let problems = try await fault.problemsWithEnoughTime {
            try await $0.problems(with: PerRequest(kind: kind))
        }
        #expect(problems == [])
    }

    /// `localhost` is also `::1`, where no server listens. The order of the addresses depends on
    /// the resolver.
    @Test(
        "a failing connection has the same outcome if another address of the host refuses",
        arguments: TransportKind.onSockets,
        [
            Fault.refused, .silence, .resetBeforeHead, .closedBeforeHead, .resetInHead,
            .stallInHead, .halfClosed,
        ])
    func secondAddress(_ kind: TransportKind, _ fault: Fault) async throws {
        let server = try LoopbackServer(fault)
        defer { server.stop() }
        await perform(
            fault.allowing(kind.deviation(fault)), with: kind.makeTransport(),
            at: "localhost:\(server.port)")
        await server.waitUntilNoConnectionIsOpen()
    }

    private func perform(
        _ fault: Fault, with transport: any Transport, at authority: String
    ) async {
        for exchange in fault.probes {
            let outcome = await exchange.perform(with: transport, at: authority)
            #expect(exchange.outcomes.contains(outcome))
        }
    }

    @Test(
        "a refusal arrives although the server reads no more of the upload",
        arguments: TransportKind.onSockets)
    func deafServer(_ kind: TransportKind) async throws {
        let isOver = Gate()
        let server = try LoopbackServer(bodyPart: { _ in 0 }) { _ in
            LoopbackReply.text("refused", status: 413).then(.wait(isOver), .close)
        }
        defer { server.stop() }
        let body = [UInt8](repeating: 1, count: 20_000_000)
        let upload = Fault.Probe(
            .text("refused", status: 413), method: .post, body: .bytes(body))
        let outcome = await upload.perform(with: kind.makeTransport(), at: server.authority)
        isOver.open()
        #expect(outcome == .text("refused", status: 413))
    }

    #if canImport(FoundationNetworking)
        @Test("URLSession on Linux traps when a connection is closed in the head")
        func closedInHead() async {
            await #expect(processExitsWith: .failure) { await Self.meet(.closedInHead) }
        }

        @Test("URLSession on Linux traps at fields after a body")
        func trailers() async {
            await #expect(processExitsWith: .failure) { await Self.meet(.trailers) }
        }

        @Test("URLSession on Linux traps at a redirect to an odd host")
        func redirectToOddHost() async {
            await #expect(processExitsWith: .failure) { await Self.meet(.redirectToOddHost) }
        }

        @Test("URLSession on Linux traps at no other fault")
        func fatalFaults() {
            let fatal = Fault.catalogue.filter(\.crashesURLSessionOnLinux).map(\.name)
            #expect(
                Set(fatal)
                    == Set([Fault.closedInHead, .trailers, .redirectToOddHost].map(\.name)))
        }

        /// Sends the requests of a fault. Only a trap fails.
        private static func meet(_ fault: Fault) async {
            guard let server = try? LoopbackServer(fault) else { return }
            let transport = TransportKind.urlSession.makeTransport()
            for exchange in fault.probes {
                _ = await exchange.perform(with: transport, at: server.authority)
            }
        }
    #endif

    @Test("every known deviation names an existing fault", arguments: TransportKind.allCases)
    func deviations(_ kind: TransportKind) {
        let names = Set(Fault.catalogue.map(\.name))
        #expect(names.count == Fault.catalogue.count)
        for deviation in kind.deviations { #expect(names.contains(deviation.fault)) }
    }

    @Test(
        "a fault that needs no socket has an expected outcome in memory",
        arguments: Fault.catalogue.filter { !$0.needsSocket })
    func memory(_ fault: Fault) async {
        let transport = InMemoryTransport(serving: fault.handler())
        for (number, exchange) in fault.probes.enumerated() {
            let outcome = await exchange.perform(with: transport, at: "127.0.0.1:80")
            #expect(exchange.outcomes.contains(outcome), "exchange \(number): \(outcome)")
        }
        #expect(transport.requests.count == fault.probes.count)
    }

    @Test("a request that follows a fault is answered", arguments: cases)
    func recovery(_ kind: TransportKind, _ fault: Fault) async throws {
        let server = try LoopbackServer(fault)
        let healthy = try LoopbackServer { _ in .text("well") }
        defer {
            server.stop()
            healthy.stop()
        }
        #expect(await goOn(after: fault, on: server, healthy, with: kind) == .text("well"))
        // Stopping the server earlier could close a connection in the head, see `closedInHead`.
        await server.waitUntilNoConnectionIsOpen()
    }

    private func goOn(
        after fault: Fault, on server: LoopbackServer, _ healthy: LoopbackServer,
        with kind: TransportKind
    ) async -> Fault.Outcome {
        let transport = kind.makeTransport()
        _ = await fault.probes.first?.perform(with: transport, at: server.authority)
        return await Fault.Probe(.text("well")).perform(
            with: transport, at: healthy.authority)
    }
}

/// Makes a connection for each request.
private struct PerRequest: Transport {
    let kind: TransportKind

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        try await kind.makeTransport().send(request)
    }
}

extension Fault {
    /// Returns the problems that `check` finds with the time-outs of the fault, or with longer
    /// ones. On a slow machine, a short time-out may end an exchange before the fault has sent what
    /// precedes its silence.
    fileprivate func problemsWithEnoughTime(
        _ check: (Fault) async throws -> [String]
    ) async throws -> [String] {
        var problems = try await check(self)
        guard probes.contains(where: { $0.request.timeout < .seconds(60) }) else {
            return problems
        }
        for factor in [10, 100, 300] where problems != [] {
            var patient = self
            for index in probes.indices where probes[index].request.timeout < .seconds(60) {
                patient.probes[index].request.timeout *= factor
            }
            problems = try await check(patient)
        }
        return problems
    }
}
