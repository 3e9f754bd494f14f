import SpecDiagnostics
import TelexCompiler
import TestSupport
import Testing

@testable import SpecLanguageServer

@Suite("Quick fixes")
struct QuickFixTests {
    @Test(
        "the mistakes of the catalogue have the fixes that the golden lists, and each removes its mistake"
    )
    func catalogue() async throws {
        var lines: [String] = []
        for code in DiagnosticCode.all where !code.example.isEmpty {
            // Tests beside this one get their turns.
            await Task.yield()
            let folder = SpecFolder(
                shownPath: "/spec",
                files: code.example.map {
                    SpecFolder.File(
                        relativePath: $0.path, shownPath: "/spec/\($0.path)", bytes: $0.bytes)
                })
            let compilation = TelexCompiler.check(folder)
            for diagnostic in compilation.diagnostics.all where diagnostic.code == code {
                for fix in QuickFix.all(for: diagnostic, of: compilation, in: folder) {
                    lines.append("\(code.id) \(diagnostic.message): \(fix.title)")
                    let path = compilation.sources[diagnostic.span.file].path
                    var fixed = folder
                    for index in fixed.files.indices where fixed.files[index].shownPath == path {
                        fixed.files[index].bytes.replaceSubrange(
                            fix.edit.range, with: fix.edit.text.utf8)
                    }
                    let after = TelexCompiler.check(fixed).diagnostics
                    #expect(after.errorCount <= compilation.diagnostics.errorCount)
                    let messages = compilation.diagnostics.all.map(\.message)
                    let same = messages.count { $0 == diagnostic.message }
                    #expect(
                        after.all.count { $0.message == diagnostic.message } < same,
                        "\(lines.last ?? "")")
                }
            }
        }
        let result = ["catalogue.txt": lines.joined(separator: "\n") + "\n"]
        #expect(try GoldenFolder("QuickFixes").problems(with: result) == [])
    }

    private static let users = """
        methods:
          get: { get: users, retuns: Usr }
        models:
          User: { id: int }

        """

    private func actions(_ session: inout EditorSession, _ context: JSONTree) -> [JSONTree] {
        session.request(
            "textDocument/codeAction",
            [
                "textDocument": ["uri": EditorSession.uri("users.yaml")], "context": context,
                "range": [
                    "start": ["line": 1, "character": 0], "end": ["line": 1, "character": 0],
                ],
            ]
        ).items
    }

    @Test("a fix is offered at its mistake, and for a mistake of the line that the editor names")
    func places() {
        var session = EditorSession([:])
        session.open("users.yaml", Self.users)
        #expect(actions(&session, ["diagnostics": []]).isEmpty)
        let diagnostics = session.diagnostics["users.yaml"] ?? []
        #expect(
            actions(&session, ["diagnostics": .list(diagnostics), "only": ["refactor"]]).isEmpty)
        let found = actions(&session, ["diagnostics": .list(diagnostics), "only": ["quickfix"]])
        #expect(found.map { $0["title"] } == ["Change to `returns`"])
        #expect(found.first?["diagnostics"] == [diagnostics[0]])
        let edit = found.first?["edit"] ?? .null
        #expect(
            session.applied(edit)["users.yaml"] == Self.users.replacing("retuns", with: "returns"))
    }
}
