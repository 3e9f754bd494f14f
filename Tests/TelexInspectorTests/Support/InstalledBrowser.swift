import Foundation
import ProcessSupport
import TelexInspector
import TelexTesting
import Testing

/// The browser that is installed on this machine, and the scripts that drive it.
enum InstalledBrowser {
    private static let scripts = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Browser")

    /// The path of Chromium; nil if there is none.
    static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let names = ["chromium", "chromium-browser", "google-chrome"]
        return names.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Opens the page of an inspector, and runs a script with it.
    ///
    /// - Returns: What the script found, as JSON.
    static func run<Facts: Decodable>(
        _ script: String, with inspector: Inspector, as facts: Facts.Type
    ) async throws -> Facts {
        var settings = LoopbackServer.Settings()
        settings.keepsRequests = false
        let server = try LoopbackServer(settings, inspector.answer)
        defer { server.stop() }
        let pictures = ProcessInfo.processInfo.environment["TELEX_PICTURES"] ?? ""
        let run = try await Run.program(
            "/usr/bin/env",
            [
                "python3", "-B", scripts.appending(path: script).path, path ?? "",
                "http://127.0.0.1:\(server.port)/", pictures,
            ])
        try #require(run.status == 0, "\(run.output) \(run.errors)")
        return try JSONDecoder().decode(facts, from: Data(run.output.utf8))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests without a browser.
    static var withBrowser: Self {
        .enabled(if: InstalledBrowser.path != nil, "Chromium is not installed: run `.ci/servers`")
    }
}
