import SpecDiagnostics

extension ChangeReport {
    /// A workflow command of GitHub Actions for each change of more than documentation: an error for
    /// kinds that fail the run, otherwise a warning or, for additions, a notice.
    func gitHubCommands(failing: Set<Change.Kind>) -> String {
        changes.filter { $0.kind != .documentation }.map { item in
            let level =
                failing.contains(item.kind)
                ? "error" : item.kind == .additive ? "notice" : "warning"
            let place = item.new.map { [("file", $0.file), ("line", "\($0.line)")] } ?? []
            return GitHubRenderer.command(
                level, place + [("title", item.kind.title)], ["\(item.subject): \(item.change)"])
        }.joined()
    }
}
