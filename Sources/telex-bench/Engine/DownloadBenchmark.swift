import Foundation
import TelexRuntime
import TelexTesting
import TelexURLSession

/// A download over real connections that are cut off, suspensions, a caller who gives up and comes
/// back, and a document that changes.
enum DownloadBenchmark {
    private static let drops = 100
    private static let suspensions = 20
    private static let bytes = (0..<40_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9)
    }

    static func run() async throws -> [EngineBenchmark.Row] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = FileOnServer(bytes, entityTag: "\"1\"")
        let server = try LoopbackServer(file.answer)
        defer { server.stop() }
        let path = folder.appending(path: "file").path()
        let manager = APIManager<BenchAPI>(
            transport: .urlSession, credentials: MemoryCredentialStore(Credential(token: "token")),
            server: .url("http://\(server.authority)/"))
        return [
            try await dropped(file, manager, path), try await changed(file, manager, path + "2"),
        ]
    }

    private static func dropped(
        _ file: FileOnServer, _ manager: APIManager<BenchAPI>, _ path: String
    ) async throws -> EngineBenchmark.Row {
        for _ in 0..<drops { file.cutNextReply(after: 300_000) }
        try await abandon(start(manager, path))
        let operation = start(manager, path)
        var left = suspensions
        // Progress is shown ten times a second at most, and the download is fast.
        for await _ in operation.progress {
            for _ in 0..<4 where left > 0 {
                left -= 1
                operation.suspend()
                await Task.yield()
                operation.resume()
            }
        }
        _ = try await operation.value
        let isSame = try [UInt8](Data(contentsOf: URL(filePath: path))) == bytes
        let again = max(0, file.bodyBytesSent - bytes.count) / drops
        return EngineBenchmark.Row(
            name: "download, 100 drops, 20 suspensions, 1 restart",
            goal: "same bytes, ≤ 256 KiB again",
            result: "\(isSame ? "same" : "other") bytes, \(again / 1024) KiB again for each drop, "
                + "\(suspensions - left) suspensions, \(operation.attempts.last?.number ?? 0) attempts",
            isReached: isSame && again <= 262_144 && left == 0)
    }

    private static func changed(
        _ file: FileOnServer, _ manager: APIManager<BenchAPI>, _ path: String
    ) async throws -> EngineBenchmark.Row {
        try await abandon(start(manager, path))
        let other = Array(bytes.reversed())
        file.replace(with: other, entityTag: "\"2\"")
        _ = try await start(manager, path).value
        let isSame = try [UInt8](Data(contentsOf: URL(filePath: path))) == other
        return EngineBenchmark.Row(
            name: "download of a document that changes", goal: "starts over cleanly",
            result: isSame ? "the new document" : "a mixture", isReached: isSame)
    }

    private static func start(
        _ manager: APIManager<BenchAPI>, _ path: String
    ) -> DownloadOperation {
        let retry = RetryPolicy(attempts: 5, backoff: Backoff(initial: .zero))
        let operation = manager.operation(
            BenchAPI.file(to: path), options: CallOptions(retry: retry))
        operation.start()
        return operation
    }

    /// Gives up once something has arrived, as the end of a process does.
    private static func abandon(_ operation: DownloadOperation) async throws {
        for await progress in operation.progress where progress.received > 0 { break }
        operation.cancel()
    }
}
