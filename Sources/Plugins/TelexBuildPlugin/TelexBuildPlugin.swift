import Foundation
import PackagePlugin

/// Compiles the specs of a target during its build: one command for the spec folder, which is the
/// target's folder or one below it that has an `api.yaml`.
///
/// The plugin only declares the command; the tool reads the specs and reports diagnostics. A file
/// is rewritten only when its content changes, so that a changed comment causes no recompilation.
@main
struct TelexBuildPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) async throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        return try [
            TargetSpecs.find(in: [target.directoryURL], for: target.name).command(
                tool: context.tool(named: "telex-generate").url,
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
                    tool: context.tool(named: "telex-generate").url,
                    output: context.pluginWorkDirectoryURL.appending(path: "Telex"),
                    for: target.displayName, besides: target.inputFiles.map(\.url))
            ]
        }
    }
#endif
