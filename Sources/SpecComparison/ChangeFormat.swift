import Foundation

/// A form of a report of changes, as an option names it.
public struct ChangeFormat: Sendable {
    /// The word for it.
    public let name: String
    /// What it is for.
    public let purpose: String
    /// Renders a report, of which changes of some kinds fail the run.
    public let render: @Sendable (ChangeReport, _ failing: Set<Change.Kind>) -> String

    /// All forms, in the order in which they are listed.
    public static let all: [Self] = [.text, json, markdown, github]

    /// The form with a name; nil if there is none.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(
        _ name: String, _ purpose: String,
        render: @escaping @Sendable (ChangeReport, Set<Change.Kind>) -> String
    ) {
        self.name = name
        self.purpose = purpose
        self.render = render
    }

    /// For people.
    public static let text = Self("text", "is for people") { report, _ in report.text }
    private static let markdown = Self(
        "markdown", "is for the comment of a pull request"
    ) { report, _ in report.markdown }
    private static let github = Self(
        "github", "is for its lines in GitHub Actions"
    ) { $0.gitHubCommands(failing: $1) }
    private static let json = Self("json", "is for tools") { report, _ in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: (try? encoder.encode(report)) ?? Data(), as: UTF8.self) + "\n"
    }
}
