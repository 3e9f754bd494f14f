import PackagePlugin
@main struct TelexCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {}
}
