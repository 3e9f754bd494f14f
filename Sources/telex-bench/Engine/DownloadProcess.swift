import Foundation

/// A download in a process of its own, which is killed before its end.
enum DownloadProcess {
    /// What makes this program such a process.
    static let command = "download-until-killed"

    /// Is the process: downloads until it is killed.
    ///
    /// - Returns: False, since nobody killed it.
    static func run(from authority: String, to path: String) async -> Bool {
        _ = try? await DownloadBenchmark.start(authority, path).value
        return false
    }

    /// Starts a process and kills it at a moment.
    ///
    /// - Returns: Whether the moment came, and the process ended because of that and not by itself.
    static func kill(
        from authority: String, to path: String, when isMoment: () -> Bool
    ) async throws -> Bool {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [command, authority, path]
        try process.run()
        let hasCome = await Patience.wait { isMoment() || !process.isRunning }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return hasCome && process.terminationReason == .uncaughtSignal
    }
}
