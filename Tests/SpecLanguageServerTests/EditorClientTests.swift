import Foundation
import ProcessSupport
import TestSupport
import Testing

@Suite("Editors")
struct EditorClientTests {
    private static let clients = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Clients")

    /// A copy of a spec of this repository that is removed after its use.
    private static func withSpec(
        _ body: (URL, String) async throws -> Void
    ) async throws {
        let tool = try #require(BuiltProgram.path(named: "telex"))
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "telex-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(
            at: SpecOnDisk.root.appending(path: "specs/vk"), to: folder.appending(path: "vk"))
        try await body(folder, tool)
    }

    /// What Neovim reports of a session.
    private struct Session: Decodable {
        let encoding: String
        let mistakes: [String]
        let fix: String
        let fixed: String
        let completion: [String]
        let hover: String
        let definition: Int
        let renamed: String
        let symbols: Int
        let lens: String
    }

    @Test("Neovim edits a spec with the configuration of the page about editors", .withNeovim)
    func neovim() async throws {
        try await Self.withSpec { folder, tool in
            let page = try String(
                contentsOf: SpecOnDisk.root.appending(
                    path: "Sources/TelexCompiler/TelexCompiler.docc/Editors.md"), encoding: .utf8)
            let block = try #require(page.firstMatch(of: /```lua\n((?s).*?)```/))
            let configuration = block.output.1.replacing(
                "cmd = { \"telex\"", with: "cmd = { vim.env.TELEX")
            let file = folder.appending(path: "configuration.lua")
            try Data(configuration.utf8).write(to: file)
            let run = try await Run.program(
                "/usr/bin/env",
                [
                    "nvim", "--headless", "--clean", "-i", "NONE", "-n", "-c",
                    "luafile \(Self.clients.path)/editing.lua",
                ], in: folder,
                environment: [
                    "TELEX": tool, "TELEX_SPEC": folder.appending(path: "vk").path,
                    "TELEX_CONFIGURATION": file.path, "XDG_STATE_HOME": folder.path,
                ])
            try #require(run.status == 0, "\(run.output) \(run.errors)")
            let session = try JSONDecoder().decode(Session.self, from: Data(run.output.utf8))
            #expect(session.mistakes.first == "T0101 24")
            #expect(session.fix == "Change to `returns`")
            #expect(session.fixed == "    returns: [UserProfile]")
            #expect(session.completion == ["priority: "])
            #expect(session.hover == "UserProfile:")
            #expect(session.definition > 100)
            #expect(session.renamed == "    returns: [Person]")
            #expect(session.symbols > 5)
            #expect(session.lens.hasPrefix("func get(userIDs: [String]? = nil"))
            let check = try await Run.program(tool, ["check", "vk", "--strict"], in: folder)
            #expect(check.status == 0, "\(check.errors)")
            let friends = try String(
                contentsOf: folder.appending(path: "vk/friends.yaml"), encoding: .utf8)
            #expect(friends.contains("Person"))
        }
    }

    @Test("the client of pytest-lsp understands every answer of the server", .withPytest)
    func pytest() async throws {
        let python = try #require(await InstalledEditors.python)
        try await Self.withSpec { folder, tool in
            let run = try await Run.program(
                python,
                [
                    "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder.path,
                    "\(Self.clients.path)/test_session.py",
                ], in: folder,
                environment: ["TELEX": tool, "TELEX_SPEC": folder.appending(path: "vk").path])
            #expect(run.status == 0, "\(run.output) \(run.errors)")
        }
    }

    @Test("the command answers on its streams, and exits as the editor asks")
    func streams() async throws {
        try await Self.withSpec { folder, tool in
            func framed(_ text: String) -> String {
                "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
            }
            let messages = [
                #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
                "{",
                #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
                #"{"jsonrpc":"2.0","method":"exit"}"#,
            ]
            let input = folder.appending(path: "input")
            try Data(messages.map(framed).joined().utf8).write(to: input)
            let script = "exec \"$0\" lsp --stdio <\"$1\""
            let run = try await Run.program(
                "/bin/sh", ["-c", script, tool, input.path], in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("\"serverInfo\""))
            #expect(run.output.contains("-32700"))
            #expect(run.output.hasSuffix(#"{"id":2,"jsonrpc":"2.0","result":null}"#))
            // An input that ends without `exit` is an editor that has ended.
            try Data(framed(messages[0]).utf8).write(to: input)
            let cut = try await Run.program(
                "/bin/sh", ["-c", script, tool, input.path], in: folder)
            #expect(cut.status == 1)
        }
    }
}
