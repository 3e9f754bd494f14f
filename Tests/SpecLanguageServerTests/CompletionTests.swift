import TestSupport
import Testing

@testable import SpecLanguageServer

@Suite("Completion")
struct CompletionTests {
    private static let files = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { main: https://a.example/, spare: https://b.example/ }
        auth: { account: { token: bearer, expired: 401 } }
        queues: { slow: serial }
        sessions: { calm: ephemeral }
        errors: { code: code, cases: { busy: { code: 4 } } }

        """,
        "goods.yaml": """
        methods:
          list:
            get: goods
            query: { offset: int?, count: int? }
            returns: { items: [Good], total: int }
          get: { get: goods/first, returns: Good }
        models:
          Good: { id: int, name: string, price: Price }
          Price: { amount: decimal }
          Slug: { type: string, max-length: 9 }

        """,
        "templates/goods.list.json": #"{ "items": [], "total": 1 }"# + "\n",
    ]

    /// What is written at the end of the method `get`, on lines of its own, by the names of goldens.
    private static let cases = [
        "keys of a method": "    ‸", "a part of a key": "    ret‸",
        "types": "    returns: ‸", "types in a list": "    returns: [G‸",
        "types in braces": "    query: { a: ‸ }",
        "attributes": "    query: { a: { type: string?, ‸",
        "rules of a list": "    query: { a: { type: [string], m‸ } }",
        "rules of elements": "    query: { a: { type: [string], items: { ‸ } } }",
        "rules of an alias": "    query: { a: { type: Slug?, ‸ } }",
        "words of kind": "    kind: ‸", "words of a flag": "    safe: ‸",
        "servers": "    server: ‸", "queues": "    queue: s‸", "sessions": "    session: ‸",
        "schemes": "    auth: ‸", "error cases": "    retry: { on: [‸] }",
        "keys of retry": "    retry: { ‸ }", "methods": "    deprecated: { use: ‸ }",
        "templates": "    template: ‸",
        "fields in a path": "    returns: Good\n    extract: { a: { at: ‸ } }",
        "fields of a field": "    returns: Good\n    extract: { a: { at: price.‸ } }",
        "parameters in a rule":
            "    query: { first: int?, last: int? }\n    rules: [{ at-least-one: [‸] }]",
        "parameters in an expression":
            "    query: { first: int?, last: int? }\n    rules: [{ expr: fir‸ < 3 }]",
        "formats": "    query: { a: { type: string?, format: ‸ } }",
        "formats with a message": "    query: { a: { type: string?, format: { value: i‸ } } }",
        "dates": "    dates: ‸", "nothing in a text": "    doc: A text ‸",
    ]

    private static func session(with lines: String) -> (EditorSession, JSONTree) {
        var session = EditorSession(files)
        let text = (files["goods.yaml"] ?? "").replacing(
            "  get: { get: goods/first, returns: Good }\n",
            with: "  get:\n    get: goods/first\n" + lines.replacing("‸", with: "") + "\n")
        session.open("goods.yaml", text)
        // The place is not that of another line which is alike.
        return (session, session.place("    get: goods/first\n" + lines, in: "goods.yaml"))
    }

    @Test("the lists of completion are what the goldens have")
    func lists() throws {
        var results: [String: String] = [:]
        for (name, lines) in Self.cases {
            var (session, place) = Self.session(with: lines)
            let items = session.request("textDocument/completion", place).items
            results["\(name).txt"] =
                lines + "\n\n"
                + items.map { item in
                    (item["textEdit", "newText"].text ?? "")
                        + (item["detail"].text.map { " | \($0)" } ?? "")
                }.joined(separator: "\n") + "\n"
        }
        #expect(try GoldenFolder("Completion").problems(with: results) == [])
    }

    @Test("an item replaces the whole word at its place")
    func edit() {
        var (session, place) = Self.session(with: "    ret‸rn: Good")
        let items = session.request("textDocument/completion", place).items
        let item = items.first { $0["label"] == "returns" }
        #expect(item?["textEdit", "newText"] == "returns")
        #expect(
            item?["textEdit", "range"] == [
                "start": ["line": 7, "character": 4], "end": ["line": 7, "character": 9],
            ])
        #expect(
            items.map { $0["sortText"].text ?? "" }
                == items.map { $0["sortText"].text ?? "" }.sorted())
    }

    @Test("a key that is there already is not offered again, and another file has its own keys")
    func present() {
        var (session, place) = Self.session(with: "    returns: Good\n    r‸")
        var labels = session.request("textDocument/completion", place).items.map { $0["label"] }
        #expect(labels.contains("retry") && !labels.contains("returns") && !labels.contains("get"))
        session.open("api.yaml", (Self.files["api.yaml"] ?? "") + "re")
        labels = session.request(
            "textDocument/completion", session.place("} }\nre‸", in: "api.yaml")
        ).items.map { $0["label"] }
        #expect(labels.contains("reachability") && !labels.contains("returns"))
    }
}
