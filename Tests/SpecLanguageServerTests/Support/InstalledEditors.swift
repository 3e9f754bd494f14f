import Foundation
import ProcessSupport
import Testing

/// The clients of language servers that are installed on this machine.
enum InstalledEditors {
    private static let folders =
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)

    static let hasNeovim = folders.contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/nvim")
    }

    private static let search = Task { () -> String? in
        for folder in ["\(NSHomeDirectory())/.cache/telex-servers/bin"] + folders {
            let path = "\(folder)/python3"
            guard FileManager.default.isExecutableFile(atPath: path) else { continue }
            let run = try? await Run.program(path, ["-c", "import pytest_lsp"])
            if run?.status == 0 { return path }
        }
        return nil
    }

    /// The path of a Python with pytest-lsp; nil if there is none.
    static var python: String? {
        get async { await search.value }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests without Neovim.
    static var withNeovim: Self {
        .enabled(
            if: InstalledEditors.hasNeovim, "Neovim is not installed: apt-get install neovim")
    }

    /// Skips tests without pytest-lsp.
    static var withPytest: Self {
        .enabled("pytest-lsp is not installed: run `.ci/servers`") {
            await InstalledEditors.python != nil
        }
    }
}
