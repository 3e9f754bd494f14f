import SpecDiagnostics
import TestSupport
import Testing

@Suite("rendered diagnostics")
struct RendererTests {
    /// Texts for diagnostics that no YAML error produces together.
    private static let users = """
        models:
          User:
        \tid: int
            name: "漢字 e\u{301} 👨‍👩‍👧 🇩🇪" # end
          Post:
            author: User
            text: \u{1B}[31m\u{202E}hidden\u{200B}

        """
    private static let wall = "Post:\n  author: Usre\n"

    private struct Case {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let users: SourceFile
        let wall: SourceFile
        let folder: SourceFile

        init() {
            users = sources.add(path: "specs/vk/users.yaml", text: RendererTests.users)
            wall = sources.add(path: "specs/vk/wall и co.yaml", text: RendererTests.wall)
            folder = sources.add(path: "specs/empty", bytes: [])
        }

        func span(_ text: String, in file: SourceFile) throws -> Span {
            let bytes = Array(text.utf8)
            let start = try #require(
                file.bytes.indices.first { file.bytes[$0...].starts(with: bytes) })
            return file.span(start..<start + bytes.count)
        }
    }

    private func example() throws -> Case {
        var it = Case()
        it.bag.report(
            .tag, "the model `Post` is declared twice", at: try it.span("Post", in: it.wall),
            label: "second declaration",
            notes: [
                .init("first declared here", at: try it.span("Post", in: it.users)),
                .init("names are shared by all files of a spec"),
            ],
            help: "rename one of the two")
        it.bag.report(
            .mergeKey, "all labels of a file share a snippet", at: try it.span("id", in: it.users),
            label: "after a tab",
            notes: [
                .init("wide text", at: try it.span("漢字", in: it.users)),
                .init("a combining mark", at: try it.span("e\u{301}", in: it.users)),
                .init("a family", at: try it.span("👨‍👩‍👧", in: it.users)),
                .init("a flag", at: try it.span("🇩🇪", in: it.users)),
                .init("after them", at: try it.span("# end", in: it.users)),
            ])
        it.bag.report(
            .escape, "hostile \u{1B}[2J\nerror: text \u{2066}",
            at: try it.span("hidden", in: it.users),
            label: "behind\u{7}escapes", help: "\u{0}")
        it.bag.report(
            .unclosed, "several lines",
            at: try it.span("User:", in: it.users).joined(with: it.span("User\n", in: it.users)),
            label: "all of this")
        it.bag.report(.emptyFile, "no place in it", at: it.folder.start, help: "add `api.yaml`")
        it.bag.report(
            .nestingTooDeep, "at the end", at: it.wall.span(99..<100), label: "expected more")
        return it
    }

    @Test("each renderer's output of the same diagnostics equals its golden")
    func goldens() throws {
        let it = try example()
        try GoldenFolder("Renderers").expect([
            "terminal.txt": TerminalRenderer().render(it.bag, in: it.sources),
            "terminal-narrow.txt": TerminalRenderer(width: 20).render(it.bag, in: it.sources),
            "terminal-colors.txt":
                TerminalRenderer(colors: true).render(it.bag, in: it.sources)
                .replacing("\u{1B}", with: "␛"),
            "lines.txt": LineRenderer().render(it.bag, in: it.sources),
            "log.sarif": SARIFRenderer(toolVersion: "1.0.0").render(it.bag, in: it.sources),
            "github.txt": GitHubRenderer().render(it.bag, in: it.sources),
            "report.json": JSONRenderer().render(it.bag, in: it.sources),
            "junit.xml": JUnitRenderer().render(it.bag, in: it.sources),
            "gitlab.json": GitLabRenderer().render(it.bag, in: it.sources),
        ])
    }

    /// The text of a form.
    private func text(_ format: ReportFormat, of it: Case) -> String {
        format.renderer(.init(toolVersion: "1", isColored: false)).render(it.bag, in: it.sources)
    }

    @Test("a path and a message cannot begin another command of GitHub Actions, or end a property")
    func commands() throws {
        var it = Case()
        let file = it.sources.add(path: "a,line=1::b\n::error::c.yaml", text: "x: 1\n")
        it.bag.report(.tag, "100% \n::set-output name=a::b", at: file.span(0..<1))
        #expect(
            text(.github, of: it)
                == "::error file=a%2Cline=1%3A%3Ab\\n%3A%3Aerror%3A%3Ac.yaml,line=1,endLine=1,col=1,"
                + "endColumn=2,title=\(DiagnosticCode.tag.id)%3A \(DiagnosticCode.tag.title)::"
                + "100%25 \\n::set-output name=a::b\n")
    }

    @Test("a mistake that moves to another line stays the same one for GitLab")
    func fingerprints() throws {
        let prints = ["a: 1\na: 1\n", "\n\na: 1\na: 1\n"].map { text in
            var it = Case()
            let file = it.sources.add(path: "users.yaml", text: text)
            for start in [text.utf8.count - 10, text.utf8.count - 5] {
                it.bag.report(.tag, "a mistake", at: file.span(start..<start + 1))
            }
            let report = GitLabRenderer().render(it.bag, in: it.sources)
            return report.matches(of: /"fingerprint": "(\w+)"/).map { String($0.1) }
        }
        #expect(prints[0] == prints[1])
        #expect(Set(prints[0]).count == 2)
    }

    @Test("an empty bag renders to nothing, and to a log without results")
    func empty() {
        let bag = DiagnosticBag()
        #expect(TerminalRenderer(colors: true).render(bag, in: SourceMap()) == "")
        #expect(LineRenderer().render(bag, in: SourceMap()) == "")
        #expect(
            SARIFRenderer(toolVersion: "1").render(bag, in: SourceMap()).contains("\"results\": []")
        )
    }

    @Test("no control character of a spec reaches the terminal or the log")
    func escaping() throws {
        let it = try example()
        #expect(ReportFormat.all.count == 7)
        for format in ReportFormat.all {
            let text = text(format, of: it)
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
            #expect(controls.isEmpty)
        }
    }
}
