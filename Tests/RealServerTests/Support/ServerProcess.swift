import Foundation
import Subprocess
import TelexJSON
import TelexTesting

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
    ///   - isUp: Whether the server listens.
    ///   - body: The code that needs the server.
    /// - Throws: A `ServerError` with the output of the server if it did not start, and what `body`
    ///   throws.
    static func run<Value: Sendable>(
        _ command: [String], in folder: TemporaryFolder, until isUp: @escaping @Sendable () -> Bool,
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
                try await log.wait(isUp)
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

    /// A port of this machine that no server listens at.
    static func freePort() throws -> Int {
        let server = try LoopbackServer { _ in .bytes() }
        defer { server.stop() }
        return server.port
    }

    /// Whether a server of this machine accepts connections at a port.
    static func isListening(port: Int) -> Bool {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            let size = socklen_t(bytes.count)
            return bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
                connect(descriptor, $0, size) == 0
            } ?? false
        }
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

    private let state = Lock(State())

    func read(_ output: SubprocessOutputSequence) async {
        do {
            for try await line in output.strings() { state.withLock { $0.text += "\(line)\n" } }
        } catch {
            // The output of a server that has ended ends, too.
        }
        state.withLock { $0.hasEnded = true }
    }

    /// Returns once the server listens.
    func wait(_ isUp: @Sendable () -> Bool) async throws {
        try await waitUntil {
            let (text, hasEnded) = state.withLock { ($0.text, $0.hasEnded) }
            if hasEnded { throw ServerError(description: "a server has ended: \(text)") }
            return isUp()
        }
    }
}
