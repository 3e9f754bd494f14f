import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession

/// Runs operations of all kinds for minutes, over sockets and in memory, against servers with
/// random failures. Fails if operations, memory or files are left over.
enum SoakBenchmark {
    /// The lifetime of a server and the interval between printed lines, in seconds.
    private static let round = 10.0
    private static let workers = 16
    /// The allowed growth of allocated bytes from the middle third to the last third, without those
    /// that Foundation leaks. Resident bytes do not show leaks: they grow for minutes as threads
    /// start and end, because the GNU C library keeps free memory in a heap per thread.
    private static let growth = 4 << 20
    /// The number of additional files that may stay open, such as those of the system's event
    /// loops.
    private static let files = 8
    /// The number of additional threads that may stay: the pools of Dispatch and of `URLSession`.
    private static let threadsOfSystem = 8

    private struct Round: Sendable {
        let loopback: LoopbackServer
        let memory: InMemoryTransport

        init(_ tokens: [TokenService], _ tallies: [SoakTally]) throws {
            loopback = try LoopbackServer(SoakServer(tokens[0], tallies[0]).answer)
            memory = InMemoryTransport(serving: SoakServer(tokens[1], tallies[1]).answer)
        }
    }

    /// Runs for some minutes, at most a day.
    ///
    /// - Returns: Whether nothing is left over, no mistake occurred, and every kind of operation
    ///   was tried.
    static func run(minutes: Double) async throws -> Bool {
        let loss = try await FoundationLeak.perRequest()
        print("Foundation leaks \(loss) bytes with each request; they are subtracted below")
        fflush(nil)
        let start = (files: openFiles, threads: threads)
        let tallies = [
            SoakTally("over sockets", Fault.soakOnSockets),
            SoakTally("in memory", Fault.soakInMemory),
        ]
        var problems = try await soak(
            rounds: max(3, Int(minutes * 60 / round)), tallies: tallies, loss: loss)
        await PolledCondition.wait {
            openFiles <= start.files + files && threads <= start.threads + threadsOfSystem
        }
        for tally in tallies { print(tally.text) }
        print(
            "at the end: \(openFiles) files open and \(threads) threads, at the start "
                + "\(start.files) and \(start.threads)")
        if openFiles > start.files + files { problems.append("files are left open") }
        if threads > start.threads + threadsOfSystem { problems.append("threads are left") }
        problems += tallies.flatMap(\.problems)
        print(
            problems.isEmpty ? "✓ nothing is left over" : "✗ " + problems.joined(separator: "\n✗ "))
        return problems.isEmpty
    }

    /// - Parameter loss: The bytes that each request over a socket leaks.
    private static func soak(
        rounds: Int, tallies: [SoakTally], loss: Int
    ) async throws -> [String] {
        let tokens = [TokenService(), TokenService()]
        let current = Lock(try Round(tokens, tallies))
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-soak-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clients = makeClients(tokens: tokens, folder: folder, tallies: tallies) {
            current.withLock { $0 }
        }
        let isOver = Gate()
        let work = Task { await runWorkers(clients, until: isOver) }
        var memory: [Int] = []
        var lost = 0
        // Stopped one round later, when it has no more clients, so no head is cut (see
        // `soakOnSockets`).
        var last: Round?
        for number in 1...rounds {
            try await Task.sleep(for: .seconds(round))
            let next = try Round(tokens, tallies)
            let old = current.withLock { current in
                defer { current = next }
                return current
            }
            last?.loopback.stop()
            last = old
            lost += old.loopback.requests.count * loss
            memory.append(Memory.allocated - lost)
            print(line(number, memory: memory, clients: clients, tallies: tallies))
            fflush(nil)
        }
        isOver.open()
        await PolledCondition.wait { clients.allSatisfy(\.manager.operations.isEmpty) }
        let left = clients.flatMap { $0.manager.operations.map { "left over: \($0)" } }
        for client in clients { client.manager.cancelAll() }
        await work.value
        return left + judge(memory)
    }

    private static func line(
        _ number: Int, memory: [Int], clients: [SoakClient], tallies: [SoakTally]
    ) -> String {
        let live = clients.map { "\($0.manager.operations.count)" }.joined(separator: " + ")
        return
            "\(number * Int(round)) s: \(SoakTally.text(tallies)); \((memory.last ?? 0) >> 10) KiB allocated, "
            + "\(Memory.resident >> 10) KiB resident, \(openFiles) files, \(threads) threads, "
            + "\(live) live"
    }

    // MARK: Work

    private static func makeClients(
        tokens: [TokenService], folder: URL, tallies: [SoakTally],
        _ round: @escaping @Sendable () -> Round
    ) -> [SoakClient] {
        let memory = InstantTransport { request async throws(TransportError) in
            try await round().memory.send(request)
        }
        return [
            SoakClient(
                manager: manager(URLSessionTransport(), tokens[0]),
                server: { .url("http://\(round().loopback.authority)/") },
                folder: folder, tally: tallies[0]),
            SoakClient(
                manager: manager(memory, tokens[1]), server: { .first }, folder: folder,
                tally: tallies[1]),
        ]
    }

    private static func manager(
        _ transport: any Transport, _ tokens: TokenService
    ) -> APIManager<SoakAPI> {
        APIManager<SoakAPI>(
            transport: transport,
            credentials: MemoryCredentialStore(Credential(token: tokens.issue().access))
        ) { $0.refresher = .app { _ in Credential(token: tokens.issue().access) } }
    }

    private static func runWorkers(_ clients: [SoakClient], until isOver: Gate) async {
        let numbers = Counter()
        await withTaskGroup { tasks in
            for client in clients {
                for _ in 0..<workers {
                    tasks.addTask { while !isOver.isOpen { await client.step(numbers.next()) } }
                }
            }
        }
    }

    // MARK: Leftovers

    private static func judge(_ memory: [Int]) -> [String] {
        let third = memory.count / 3
        let last = memory.suffix(third).reduce(0, +) / third
        let middle = memory.dropLast(third).suffix(third).reduce(0, +) / third
        print("allocated: \(middle >> 10) KiB in the middle third, \(last >> 10) KiB in the last")
        if middle <= 0 { return ["memory is not measured"] }
        return last > middle + growth ? ["memory grows"] : []
    }

    /// The threads of this process; zero where the system does not count them in a folder.
    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    private static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
    }
}
