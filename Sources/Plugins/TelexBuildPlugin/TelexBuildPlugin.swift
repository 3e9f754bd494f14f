import Foundation
import PackagePlugin

/// Compiles the specs of a target while it is built: one command for the target's spec folder, the
/// folder in or below the target's own that holds `api.yaml`.
///
/// The plugin only says what to run; the tool reads the specs and reports what is wrong with them,
/// at its place. A file is rewritten only when its content changes, so that a changed comment makes
/// nothing compile again.
@main
struct TelexBuildPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) async throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        return try [
            TargetSpecs.find(in: [target.directoryURL], for: target.name).command(
                tool: context.tool(named: "telex").url,
                output: context.pluginWorkDirectoryURL.appending(path: "Telex"),
                for: target.name, besides: target.sourceFiles(withSuffix: ".swift").map(\.url))
        ]
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension TelexBuildPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(
            context: XcodePluginContext, target: XcodeTarget
        ) throws -> [Command] {
            let folders = target.inputFiles.map(\.url)
                .filter { TargetSpecs.isAPI($0) }
                .map { $0.deletingLastPathComponent() }
            return try [
                TargetSpecs.find(in: folders, for: target.displayName).command(
                    tool: context.tool(named: "telex").url,
                    output: context.pluginWorkDirectoryURL.appending(path: "Telex"),
                    for: target.displayName, besides: target.inputFiles.map(\.url))
            ]
        }
    }
#endif
