import Foundation
import TelexRuntime
import TelexTesting
import TelexURLSession

/// Downloads over real connections that are reset, with suspensions, with a process that is killed
/// and one that continues its download, and with a document that changes.
enum DownloadBenchmark {
    private static let drops = 100
    private static let suspensions = 20
    /// The bytes of a truncated reply. They exceed `allowance`, so that a download that requests a
    /// whole reply again is detected.
    private static let piece = 300_000
    private static let allowance = 262_144
    private static let bytes = (0..<40_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9)
    }

    static func run() async throws -> [EngineBenchmark.Row] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        return [
            try await dropped(folder.appending(path: "file").path()),
            try await changed(folder.appending(path: "changed").path()),
        ]
    }

    /// Half of the drops affect a process that is killed, the other half this process, which
    /// suspends.
    private static func dropped(_ path: String) async throws -> EngineBenchmark.Row {
        let file = DroppingFile(bytes, entityTag: "\"1\"")
        let server = try LoopbackServer(file.answer)
        defer { server.stop() }
        file.drop(drops / 2, after: piece)
        file.stall(after: piece)
        let isKilled = try await DownloadProcess.kill(from: server.authority, to: path) {
            let sent = file.deliveries
            return sent.count > drops / 2 && partSize(path) == sent.last?.end
        }
        let before = file.deliveries.count
        file.drop(drops / 2, after: piece)
        let halts = file.halt(in: suspensions)
        let operation = start(server.authority, path)
        let suspended = await suspend(operation, at: halts)
        _ = try? await operation.value
        let sent = file.deliveries
        let (again, dropped) = (again(sent), sent.count(where: \.isDropped))
        let goesOn = sent.dropFirst(before).first?.isRest ?? false
        let isSame = content(path) == bytes
        return EngineBenchmark.Row(
            name: "download, 100 drops, 20 suspensions, 1 kill",
            goal: "same bytes, ≤ 256 KiB again",
            result: "\(isSame ? "same" : "other") bytes, at most \(again / 1024) KiB again, "
                + "\(dropped) drops, \(suspended) suspensions, "
                + "\(isKilled ? "killed" : "not killed in the middle"), then "
                + (goesOn ? "the rest" : "not the rest"),
            isReached: isSame && again <= allowance && dropped == drops
                && suspended == suspensions && isKilled && goesOn)
    }

    private static func changed(_ path: String) async throws -> EngineBenchmark.Row {
        let file = DroppingFile(bytes, entityTag: "\"1\"")
        let server = try LoopbackServer(file.answer)
        defer { server.stop() }
        file.stall(after: piece)
        let first = start(server.authority, path)
        await PolledCondition.wait { partSize(path) > 0 }
        first.cancel()
        _ = try? await first.value
        let (part, before) = (partSize(path), file.deliveries.count)
        let other = Array(bytes.reversed())
        file.replace(with: other, entityTag: "\"2\"")
        _ = try? await start(server.authority, path).value
        let request = file.deliveries.dropFirst(before).first
        let hasAsked = request?.isRest == true && request?.version == "\"1\""
        let isSame = content(path) == other
        return EngineBenchmark.Row(
            name: "download of a document that changes", goal: "starts over cleanly",
            result: "\(isSame ? "the new document" : "a mixture"), after \(part / 1024) KiB of the "
                + "old one and a request for \(hasAsked ? "its" : "no") rest",
            isReached: isSame && part > 0 && hasAsked)
    }

    /// The largest number of bytes that were requested again after one reply.
    private static func again(_ sent: [DroppingFile.Delivery]) -> Int {
        zip(sent, sent.dropFirst()).map { $0.end - $1.first }.max() ?? 0
    }

    static func start(_ authority: String, _ path: String) -> DownloadOperation {
        let manager = APIManager<BenchAPI>(
            transport: .urlSession, credentials: MemoryCredentialStore(Credential(token: "token"))
        ) { $0.server = .url("http://\(authority)/") }
        let retry = RetryPolicy(attempts: 5, backoff: Backoff(initial: .zero))
        let operation = manager.operation(
            BenchAPI.file(to: path), options: CallOptions(retry: retry))
        operation.start()
        return operation
    }

    /// Suspends a download in the middle of each of these replies, and stops at the first failure.
    ///
    /// - Returns: How often the operation was suspended and resumed.
    private static func suspend(
        _ operation: DownloadOperation, at halts: [DroppingFile.Halt]
    ) async -> Int {
        defer { for halt in halts { halt.over.open() } }
        for (count, halt) in halts.enumerated() {
            guard await PolledCondition.wait(until: { halt.reached.isOpen }) else { return count }
            operation.suspend()
            guard await PolledCondition.wait(until: { operation.state == .suspended }) else {
                return count
            }
            operation.resume()
            guard await PolledCondition.wait(until: { operation.state != .suspended }) else {
                return count
            }
            halt.over.open()
        }
        return halts.count
    }

    // MARK: Files

    private static func content(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map(Array.init)
    }

    /// The size of an incomplete download on disk.
    private static func partSize(_ path: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: path + ".part")
        return (facts?[.size] as? NSNumber)?.intValue ?? 0
    }
}
