import ArgumentParser
import Foundation
import TelexTesting

/// Rejects what is no IPv4 address.
func requireAddress(_ host: String) throws {
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else {
        throw ValidationError(
            "--host is an IPv4 address: 127.0.0.1 for this machine alone, 0.0.0.0 for all networks."
        )
    }
}

extension LoopbackServer {
    /// Starts the server of a command. One that cannot listen ends the command, with a remedy.
    static func started(
        _ settings: Settings, _ handler: @escaping Handler
    ) throws -> LoopbackServer {
        do throws(LoopbackError) {
            return try LoopbackServer(settings, handler)
        } catch {
            let next = settings.port < 65_535 ? settings.port + 1 : settings.port - 1
            let remedy =
                error.code == EADDRINUSE
                ? "end the program that uses it, or choose another: --port \(next), or --port 0 for any"
                : "choose an IPv4 address of this machine with --host, and a port of yours with --port"
            Console.printError(
                "error: \(settings.host):\(settings.port) cannot be used: \(error)\n"
                    + "  help: \(remedy)\n")
            throw ExitCode.failure
        }
    }
}
