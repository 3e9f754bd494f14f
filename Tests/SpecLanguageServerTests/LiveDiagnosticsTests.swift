import SpecDiagnostics
import TelexCompiler
import TestSupport
import Testing

@testable import SpecLanguageServer

@Suite("Diagnostics while typing")
struct LiveDiagnosticsTests {
    private static let users = """
        methods:
          get: { get: users, returns: User }
        models:
          User: { id: int, city: City }
          City: { name: string }

        """

    private func codes(_ session: EditorSession, _ path: String) -> [JSONTree]? {
        session.diagnostics[path]?.map { $0["code"] }
    }

    @Test("a mistake is shown in a text that is not saved, and goes with it")
    func unsaved() {
        var session = EditorSession(["users.yaml": Self.users])
        session.open("users.yaml")
        #expect(session.diagnostics["users.yaml"] == [])
        session.type(Self.users.replacing("returns: User", with: "returns: Usr"), in: "users.yaml")
        let shown = session.diagnostics["users.yaml"]?.first ?? .null
        #expect(shown["code"] == "T0201")
        #expect(shown["severity"] == 1)
        #expect(shown["message"].text?.contains("help: did you mean `User`?") == true)
        #expect(
            shown["range"] == [
                "start": ["line": 1, "character": 30], "end": ["line": 1, "character": 33],
            ])
        #expect(session.shownVersions["users.yaml"] == 2)
        session.type(Self.users, in: "users.yaml")
        #expect(session.diagnostics["users.yaml"] == [])
    }

    @Test("a mistake in one document is shown in the others that it concerns, open or not")
    func otherDocuments() {
        let posts = "methods: { list: { get: posts, returns: [City] } }\n"
        var session = EditorSession(["users.yaml": Self.users, "posts.yaml": posts])
        session.open("users.yaml")
        session.type(Self.users.replacing("  City: {", with: "  Town: {"), in: "users.yaml")
        #expect(codes(session, "posts.yaml") == ["T0201"])
        #expect(session.shownVersions["posts.yaml"] == nil)
        session.type(Self.users, in: "users.yaml")
        #expect(codes(session, "posts.yaml") == [])
    }

    @Test("a file that changes on disk is read again when the editor says so")
    func watchedFiles() {
        var session = EditorSession(["users.yaml": Self.users])
        #expect(session.received == ["client/registerCapability"])
        session.open("users.yaml")
        session.write("posts.yaml", "methods: { list: { get: posts, returns: [Nothing] } }\n")
        session.type(Self.users + "\n", in: "users.yaml")
        #expect(session.diagnostics["posts.yaml"] == nil)
        session.notify("workspace/didChangeWatchedFiles", ["changes": []])
        #expect(codes(session, "posts.yaml") == ["T0201"])
        session.write("posts.yaml", nil)
        session.notify("textDocument/didSave", session.document("users.yaml"))
        #expect(codes(session, "posts.yaml") == [])
    }

    @Test(
        "an editor that does not tell of changes on disk, or refuses to, gets them with the next check",
        arguments: [false, true])
    func unwatchedFiles(refuses: Bool) {
        var session = EditorSession(
            ["users.yaml": Self.users],
            capabilities: refuses ? EditorSession.capabilities : [:])
        #expect(session.received.isEmpty == !refuses)
        _ = session.exchange([["id": "files", "error": ["code": -32601, "message": "no"]]])
        session.open("users.yaml")
        session.write("posts.yaml", "methods: { list: { get: posts, returns: [Nothing] } }\n")
        session.type(Self.users + "\n", in: "users.yaml")
        #expect(codes(session, "posts.yaml") == ["T0201"])
    }

    @Test("the last document of a spec takes the diagnostics with it")
    func closed() {
        var session = EditorSession(["users.yaml": Self.users])
        session.open("users.yaml", "methods: { a: { gt: x } }\n")
        #expect(codes(session, "users.yaml")?.isEmpty == false)
        session.open("api.yaml")
        session.close("users.yaml")
        #expect(session.diagnostics["users.yaml"] == [])
        session.type("telex: 2\napi: A\nservers: { a: https://a.example/ }\n", in: "api.yaml")
        #expect(codes(session, "api.yaml")?.isEmpty == false)
        session.close("api.yaml")
        #expect(session.diagnostics["api.yaml"] == [])
    }

    @Test("a folder whose `api.yaml` is only open is a spec, and one of another format is none")
    func folders() {
        var session = EditorSession(["users.yaml": Self.users])
        session.write("api.yaml", nil)
        session.open("users.yaml")
        #expect(session.diagnostics.isEmpty)
        session.open("api.yaml", EditorSession.api)
        let outline = session.request(
            "textDocument/documentSymbol", session.document("users.yaml"))
        #expect(outline.items.count == 3)
        session.type("openapi: 3.1.0\ninfo: {}\n", in: "api.yaml")
        #expect(session.diagnostics["api.yaml"] ?? [] == [])
        #expect(
            session.request("textDocument/documentSymbol", session.document("users.yaml")) == [])
    }

    @Test("a text whose YAML is broken keeps its last good symbols, at their places")
    func broken() {
        var session = EditorSession(["users.yaml": Self.users])
        session.open("users.yaml")
        let text =
            "# a line\n" + Self.users.replacing("returns: User }", with: "returns: User }, {")
        session.type(text, in: "users.yaml")
        #expect(codes(session, "users.yaml")?.isEmpty == false)
        let names = session.request("textDocument/documentSymbol", session.document("users.yaml"))
        #expect(names.items.map { $0["name"] } == ["users.get", "User", "City"])
        let place = session.place("city: C‸ity", in: "users.yaml")
        #expect(
            session.words(at: session.request("textDocument/definition", place))
                == ["users.yaml:6 City"])
    }

    /// An edit as editors send it, and as random typing makes it.
    private static func edit(
        _ text: String, _ random: inout SeededGenerator
    ) -> (text: String, change: JSONTree) {
        let pieces = [
            "", "\n", "  ", ": ", "{", "}", "[", "'", "\"", "a", "User", "?", "#", "😀", "-",
        ]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        let line = Int.random(in: 0..<lines.count, using: &random)
        let start = Int.random(in: 0...lines[line].count, using: &random)
        let end = min(lines[line].count, start + Int.random(in: 0...3, using: &random))
        let piece = pieces.randomElement(using: &random) ?? ""
        func units(_ count: Int) -> JSONTree { .number(String(lines[line][..<count]).utf16.count) }
        let change: JSONTree = [
            "range": [
                "start": ["line": .number(line), "character": units(start)],
                "end": ["line": .number(line), "character": units(end)],
            ], "text": .text(piece),
        ]
        lines[line].replaceSubrange(start..<end, with: piece)
        return (lines.map { String($0) }.joined(separator: "\n"), change)
    }

    @Test(
        "the diagnostics after random edits are those of a clean check",
        arguments: 1...4 as ClosedRange<UInt64>)
    func randomEdits(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        var files = try SpecOnDisk.files("bookshelf")
        var session = EditorSession(files, capabilities: ["workspace": [:]])
        let names = files.keys.filter { $0.hasSuffix(".yaml") }.sorted()
        for name in names { session.open(name) }
        for step in 0..<25 {
            // Tests beside this one get their turns.
            await Task.yield()
            let name = names.randomElement(using: &random) ?? ""
            let (text, change) = Self.edit(files[name] ?? "", &random)
            files[name] = text
            let document: JSONTree = [
                "uri": EditorSession.uri(name), "version": .number(1000 + step),
            ]
            session.notify(
                "textDocument/didChange", ["textDocument": document, "contentChanges": [change]])
            let clean = TelexCompiler.check(SpecOnDisk.folder(files))
            var expected: [String: [String]] = [:]
            for diagnostic in clean.diagnostics.all {
                let path = clean.sources[diagnostic.span.file].path.dropFirst("/spec/".count)
                let known = files[String(path)] == nil ? "api.yaml" : String(path)
                expected[known, default: []].append(diagnostic.code.id)
            }
            let shown = session.diagnostics.mapValues { $0.compactMap { $0["code"].text } }
                .filter { !$0.value.isEmpty }
            #expect(shown == expected, "step \(step) of \(name)")
        }
    }
}
