import Foundation
import Subprocess
import Synchronization

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A server that did not start.
struct ServerError: Error, CustomStringConvertible {
    let description: String
}

/// A server that runs in a process of its own.
enum ServerProcess {
    /// Runs a server while `body` runs. No server outlives this process: see `keep.sh`.
    ///
    /// - Parameters:
    ///   - command: The path of the server's program, and its arguments.
    ///   - folder: Its working directory.
    ///   - sign: The name of a file in the folder that is not empty once the server listens.
    ///   - body: The code that needs the server.
    /// - Throws: A `ServerError` with the output of the server if it did not start, and what `body`
    ///   throws.
    static func run<Value: Sendable>(
        _ command: [String], in folder: TemporaryFolder, until sign: String,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let keeper = serverFile("keep.sh")
        let outcome = try await Subprocess.run(
            .path("/bin/sh"), arguments: Arguments([keeper] + command),
            workingDirectory: FilePath(folder.path), input: .inputWriter, output: .sequence,
            error: .combinedWithOutput
        ) { process -> Result<Value, any Error> in
            let log = ServerLog()
            async let reading: Void = log.read(process.standardOutput)
            var result: Result<Value, any Error>
            do {
                try await log.wait { folder.size(sign) > 0 }
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            try? await process.standardInputWriter.finish()
            await reading
            return result
        }
        return try outcome.closureResult.get()
    }
}

/// The path of a file in `Servers`.
func serverFile(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Servers/\(name)").path
}

/// The output of a server.
private final class ServerLog: Sendable {
    private struct State {
        var text = ""
        var hasEnded = false
    }

    private let state = Mutex(State())

    func read(_ output: SubprocessOutputSequence) async {
        do {
            for try await line in output.strings() { state.withLock { $0.text += "\(line)\n" } }
        } catch {
            // The output of a server that has ended ends, too.
        }
        state.withLock { $0.hasEnded = true }
    }

    /// Returns once the server listens.
    func wait(_ isUp: () -> Bool) async throws {
        try await waitUntil {
            let (text, hasEnded) = state.withLock { ($0.text, $0.hasEnded) }
            if hasEnded { throw ServerError(description: "a server has ended: \(text)") }
            return isUp()
        }
    }
}
