/// Writes the diagnostics of a run as one text.
public protocol ReportRenderer: Sendable {
    /// All diagnostics of a bag, sorted by place. Text of the spec is escaped for the format.
    func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String
}

/// A form of diagnostics, as an option names it.
public struct ReportFormat: Sendable {
    /// What renderers need to know of the run.
    public struct Context: Sendable {
        /// The version of the tool, as `1.2.0`.
        public var toolVersion: String
        /// Whether the terminal has colours.
        public var isColored: Bool

        /// Creates a context.
        public init(toolVersion: String, isColored: Bool) {
            self.toolVersion = toolVersion
            self.isColored = isColored
        }
    }

    /// The word for it.
    public let name: String
    /// What it is for.
    public let purpose: String
    /// Whether it is a document for tools, which belongs on standard output.
    public let isDocument: Bool
    /// Makes its renderer.
    public let renderer: @Sendable (Context) -> any ReportRenderer

    /// All forms, in the order in which they are listed.
    public static let all: [Self] = [
        .terminal, .line, .github, .sarif, .json, .junit, .gitlab,
    ]

    /// The form with a name; nil if there is none.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(
        _ name: String, _ purpose: String, isDocument: Bool,
        renderer: @escaping @Sendable (Context) -> any ReportRenderer
    ) {
        self.name = name
        self.purpose = purpose
        self.isDocument = isDocument
        self.renderer = renderer
    }

    /// For people at a terminal.
    public static let terminal = Self(
        "terminal", "shows the text they are about", isDocument: false
    ) { TerminalRenderer(colors: $0.isColored) }
    /// For Xcode and build logs.
    public static let line = Self("line", "is for Xcode and build logs", isDocument: false) { _ in
        LineRenderer()
    }
    /// For GitHub Actions.
    public static let github = Self(
        "github", "is for the lines of a pull request in GitHub Actions", isDocument: false
    ) { _ in GitHubRenderer() }
    private static let sarif = Self("sarif", "is SARIF 2.1.0", isDocument: true) {
        SARIFRenderer(toolVersion: $0.toolVersion)
    }
    private static let json = Self("json", "is JSON for scripts", isDocument: true) { _ in
        JSONRenderer()
    }
    private static let junit = Self("junit", "is JUnit's XML", isDocument: true) { _ in
        JUnitRenderer()
    }
    private static let gitlab = Self("gitlab", "is GitLab's code quality", isDocument: true) { _ in
        GitLabRenderer()
    }
}
