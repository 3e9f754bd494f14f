import Foundation

/// A download in a separate process, which is killed before its end.
enum DownloadProcess {
    /// The command that starts this program as such a process.
    static let command = "download-until-killed"

    /// Runs in the process: downloads until it is killed.
    ///
    /// - Returns: False, because the process was not killed.
    static func run(from authority: String, to path: String) async -> Bool {
        _ = try? await DownloadBenchmark.start(authority, path).value
        return false
    }

    /// Starts a process and kills it as soon as a condition is met.
    ///
    /// - Returns: Whether the condition was met and the process ended by the signal.
    static func kill(
        from authority: String, to path: String, when isMoment: () -> Bool
    ) async throws -> Bool {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [command, authority, path]
        try process.run()
        let hasCome = await PolledCondition.wait { isMoment() || !process.isRunning }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return hasCome && process.terminationReason == .uncaughtSignal
    }
}
