import Foundation
import TestSupport
import Testing

/// What there is on this machine to be tested against.
enum InstalledServers {
    private static let folders =
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)

    /// Where nginx is; nil if it is not installed. Users other than root often do not have its folder
    /// in their `PATH`.
    static let nginx = (folders + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"])
        .map { "\($0)/nginx" }.first(where: FileManager.default.isExecutableFile)

    private static let search = Task {
        // The system's first: what Debian installs is not seen by any other.
        for python in ["/usr/bin"] + folders {
            let path = "\(python)/python3"
            guard FileManager.default.isExecutableFile(atPath: path) else { continue }
            let run = try? await Run.program(path, ["-c", "import authlib, flask"])
            if run?.status == 0 { return path as String? }
        }
        return nil
    }

    /// Where a Python is that has Authlib and Flask; nil if none has.
    static var python: String? {
        get async { await search.value }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests where there is no nginx.
    static var withNginx: Self {
        .enabled(
            if: InstalledServers.nginx != nil, "nginx is not installed: apt-get install nginx-light"
        )
    }

    /// Skips tests where Python cannot serve.
    static var withAuthlib: Self {
        .enabled(
            "Authlib and Flask are not installed: apt-get install python3-authlib python3-flask"
        ) {
            await InstalledServers.python != nil
        }
    }
}
