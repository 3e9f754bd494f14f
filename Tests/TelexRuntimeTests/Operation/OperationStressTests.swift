import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// Thousands of real operations, with real tasks, on which several tasks act at the same time.
@Suite("Concurrent random operations")
struct OperationStressTests {
    /// A server that refuses every third token and randomly replies, drops or stalls.
    private final class UnreliableServer: Sendable {
        private let random: Lock<SeededRandom>
        let token = AtomicCount()

        init(seed: UInt64) {
            random = Lock(SeededRandom(seed: seed))
        }

        func roll(_ sides: UInt64) -> UInt64 { random.withLock { $0.next() % sides } }

        var transport: InstantTransport {
            InstantTransport { [self] () async throws(TransportError) in
                await Task.yield()
                switch roll(10) {
                case 0: return .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
                case 1, 2: throw TransportError(.connectionLost, "lost")
                case 3:
                    let body = Array(#"{"response":[]}"#.utf8)
                    return .chunks([Array(body.prefix(4)), Array(body.dropFirst(4))])
                default: return .json(#"{"response":[]}"#)
                }
            }
        }
    }

    private struct InstantTransport: Transport {
        let answer: @Sendable () async throws(TransportError) -> TransportReply

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
            try await answer()
        }
    }

    /// How often each operation has ended.
    private final class Ends: Sendable {
        let all = Gate()
        private let expected: Int
        private let ends = Lock<[OperationID: Int]>([:])

        init(expecting count: Int) {
            expected = count
        }

        func follow(_ operation: OperationHandle) {
            operation.whenEnded { [self, id = operation.id] _ in
                let count = ends.withLock { ends in
                    ends[id, default: 0] += 1
                    return ends.count
                }
                if count == expected { all.open() }
            }
        }

        var isEachOnce: Bool { ends.withLock { $0.values.allSatisfy { $0 == 1 } } }
    }

    private final class Weak: Sendable {
        private let operation: Lock<Reference>

        private struct Reference {
            weak var operation: DataOperation<[User]>?
        }

        init(_ operation: DataOperation<[User]>) {
            self.operation = Lock(Reference(operation: operation))
        }

        var isGone: Bool { operation.withLock { $0.operation == nil } }
    }

    private func manager(_ server: UnreliableServer, _ clock: VirtualClock) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: server.transport, credentials: MemoryCredentialStore(Credential(token: "t0"))
        ) {
            $0.refresher = .app { _ in
                await Task.yield()
                guard server.roll(4) > 0 else { throw TransportError(.connectionLost, "lost") }
                return Credential(
                    token: "t\(server.token.increment())")
            }
            $0.settings.clock = clock.runtimeClock
        }
    }

    @Test(
        "concurrent random operations end once, leave the engine idle, and leave nothing behind",
        arguments: 1...3)
    func random(seed: UInt64) async {
        let server = UnreliableServer(seed: seed)
        let clock = VirtualClock()
        let manager = manager(server, clock)
        let (hands, each) = (8, 250)
        let ends = Ends(expecting: hands * each)
        let kept = await withTaskGroup(of: [Weak].self) { group in
            for _ in 0..<hands {
                group.addTask { await perturb(manager, server, ends, clock, count: each) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(kept.count == hands * each)
        await until {
            clock.advanceToNextDeadline()
            return ends.all.isOpen
        }
        #expect(ends.isEachOnce)
        await until { manager.engine.isIdle }
        await until { kept.allSatisfy(\.isGone) }
    }

    /// Starts operations and performs random actions on them; resumes all at the end.
    private func perturb(
        _ manager: APIManager<TinyAPI>, _ server: UnreliableServer, _ ends: Ends,
        _ clock: VirtualClock,
        count: Int
    ) async -> [Weak] {
        var operations: [DataOperation<[User]>] = []
        let options = CallOptions(
            retry: RetryPolicy(attempts: 3, backoff: Backoff(initial: .microseconds(50))))
        for _ in 0..<count {
            let operation = manager.operation(UsersRequests.get(ids: ["1"]), options: options)
            ends.follow(operation)
            operation.start()
            operations.append(operation)
            if server.roll(8) == 0 {
                let task = Task { try? await operation.value }
                if server.roll(2) == 0 { task.cancel() }
            }
            for _ in 0..<server.roll(4) {
                let other = operations[Int(server.roll(UInt64(operations.count)))]
                switch server.roll(8) {
                case 0: other.cancel()
                case 1, 2, 3: other.suspend()
                default: other.resume()
                }
            }
            clock.advance(by: .microseconds(20))
            if server.roll(4) == 0 { await Task.yield() }
        }
        for operation in operations { operation.resume() }
        return operations.map(Weak.init)
    }

    @Test("concurrent random operations are released if their handles are dropped before a start")
    func dropped() async {
        let manager = manager(UnreliableServer(seed: 1), VirtualClock())
        for _ in 0..<1_000 { _ = manager.operation(UsersRequests.get(ids: ["1"])) }
        #expect(manager.engine.isIdle)
    }
}
