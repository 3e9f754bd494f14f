import Foundation
import TelexCompiler
import Testing

@testable import SpecLanguageServer

@Suite("The language server")
struct LanguageServerTests {
    private static let users =
        "methods: { get: { get: users, returns: User } }\nmodels: { User: { id: int } }\n"

    @Test("the server announces what its features announce, and no formatter")
    func capabilities() {
        var session = EditorSession([:])
        let fresh = LanguageServer(version: "1.2.3", files: DiskFiles([:]).source)
        var server = fresh
        let reply = server.handle(
            Data(
                #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"capabilities":{}}}"#
                    .utf8))
        let result = JSONTree(reply[0])?["result"] ?? .null
        #expect(result["serverInfo"] == ["name": "telex", "version": "1.2.3"])
        #expect(result["capabilities", "positionEncoding"] == "utf-16")
        for feature in Feature.all {
            for (key, value) in feature.capabilities {
                #expect(result["capabilities", key] == value, "\(feature.method)")
            }
        }
        #expect(session.request("initialize", [:])["code"] == -32600)
    }

    @Test("the server answers what it cannot read with an error, and goes on")
    func malformed() {
        var session = EditorSession(["users.yaml": Self.users])
        var server = session.server
        let cases: [(MessageStream.Part, Int)] = [
            (.message(Data("{".utf8)), -32700), (.message(Data("[]".utf8)), -32600),
            (.message(Data([0xFF, 0xFE])), -32700), (.refused("no head"), -32700),
            (.message(Data(#"{"id":1,"method":"nonsense"}"#.utf8)), -32601),
            (.message(Data(#"{"id":1,"method":"textDocument/hover"}"#.utf8)), -32602),
            (
                .message(
                    Data(
                        #"{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":7}}}"#
                            .utf8)), -32602
            ),
        ]
        for (part, code) in cases {
            let replies = server.handle([part]).compactMap { JSONTree($0) }
            #expect(replies.count == 1)
            #expect(replies.first?["error", "code"] == .number(code))
        }
        // What has no id has no reply.
        #expect(server.handle(Data(#"{"method":"textDocument/didOpen"}"#.utf8)).isEmpty)
        #expect(server.handle(Data(#"{"method":"$/unknown"}"#.utf8)).isEmpty)
        #expect(server.handle(Data(#"{"id":9,"result":null}"#.utf8)).isEmpty)
        session.open("users.yaml")
        #expect(session.diagnostics["users.yaml"] == [])
    }

    @Test("the server serves from `initialize` to `shutdown`, and tells how to exit")
    func life() {
        var server = LanguageServer(version: "1", files: DiskFiles([:]).source)
        func code(_ text: String) -> JSONTree? {
            server.handle(Data(text.utf8)).first.flatMap { JSONTree($0) }?["error", "code"]
        }
        #expect(code(#"{"id":1,"method":"textDocument/hover"}"#) == -32002)
        #expect(server.handle(Data(#"{"method":"textDocument/didOpen"}"#.utf8)).isEmpty)
        #expect(code(#"{"id":2,"method":"initialize","params":{"capabilities":{}}}"#) == .null)
        #expect(code(#"{"id":3,"method":"shutdown"}"#) == .null)
        #expect(code(#"{"id":4,"method":"textDocument/hover"}"#) == -32600)
        #expect(server.exitStatus == nil)
        _ = server.handle(Data(#"{"method":"exit"}"#.utf8))
        #expect(server.exitStatus == 0)
        var other = LanguageServer(version: "1", files: DiskFiles([:]).source)
        _ = other.handle(Data(#"{"method":"exit"}"#.utf8))
        #expect(other.exitStatus == 1)
    }

    @Test("a request that is taken back in time is not carried out")
    func cancellation() {
        var session = EditorSession(["users.yaml": Self.users])
        session.open("users.yaml")
        let params = session.document("users.yaml")
        let replies = session.exchange([
            ["id": 71, "method": "textDocument/foldingRange", "params": params],
            ["id": "71", "method": "textDocument/documentSymbol", "params": params],
            ["method": "$/cancelRequest", "params": ["id": 71]],
            ["id": 72, "method": "textDocument/foldingRange", "params": params],
            ["method": "$/cancelRequest", "params": ["id": 999]],
        ])
        #expect(replies.map { $0["id"] } == [71, "71", 72])
        #expect(replies.map { $0["error", "code"] } == [-32800, .null, .null])
        // A request that comes after the message about its id is a new one.
        let later = session.exchange([
            ["method": "$/cancelRequest", "params": ["id": 80]],
            ["id": 80, "method": "textDocument/foldingRange", "params": params],
        ])
        #expect(later.map { $0["error"] } == [.null])
    }

    @Test("texts that follow one another at once are checked once, and a request sees its own")
    func keystrokes() {
        var session = EditorSession(["users.yaml": Self.users])
        session.open("users.yaml")
        let texts = ["methods: { a: { gt: x } }\n", "methods: { b: { get: x } }\n", Self.users]
        var messages = texts.map { session.change(to: $0, of: "users.yaml") }
        messages.insert(
            [
                "id": 5, "method": "textDocument/documentSymbol",
                "params": session.document("users.yaml"),
            ], at: 2)
        let replies = session.exchange(messages)
        #expect(replies.first?["result"].items.map { $0["name"] } == ["users.b"])
        let shown = replies.filter { $0["method"] == "textDocument/publishDiagnostics" }
        #expect(
            shown.map { $0["params", "version"] } == [
                .number(session.shownVersions["users.yaml"] ?? 0)
            ])
        #expect(session.diagnostics["users.yaml"] == [])
    }
}
