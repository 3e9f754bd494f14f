import Foundation
import PackagePlugin

/// `swift package telex …`: runs the tool in the package's folder, for committed code.
@main
struct TelexCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try Self.run(
            context.tool(named: "telex").url, arguments: arguments, in: context.package.directoryURL
        )
    }

    /// Runs the tool and passes its exit code on. The targets that Xcode's dialog appends to the
    /// arguments, `--target NAME` each, are left out: the tool works on folders.
    private static func run(_ tool: URL, arguments: [String], in folder: URL) throws {
        var rest = ArgumentExtractor(arguments)
        _ = rest.extractOption(named: "target")
        let process = Process()
        process.executableURL = tool
        process.arguments = rest.remainingArguments
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension TelexCommand: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            try Self.run(
                context.tool(named: "telex").url, arguments: arguments,
                in: context.xcodeProject.directoryURL)
        }
    }
#endif
