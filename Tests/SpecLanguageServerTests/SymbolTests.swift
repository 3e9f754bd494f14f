import Testing

@testable import SpecLanguageServer

@Suite("Symbols")
struct SymbolTests {
    private static let files = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { main: https://a.example/, spare: https://b.example/ }
        parameters: { lang: { type: string? } }
        queues: { slow: serial }
        errors:
          code: code
          cases: { busy: { code: 4 } }

        """,
        "goods.yaml": """
        server: spare
        methods:
          goods.list:
            get: goods/{shop}
            path: { shop: int }
            query: { offset: int?, count: { type: int, default: 9 } }
            returns: Page<Good>
            pages: { items: items, offset: offset, total: total }
            rules: [{ expr: count > 0 }]
            queue: slow
            retry: { on: [busy] }
            throttle: { interval: 1s, by: [shop] }
          old: { get: old, deprecated: { use: goods.list }, template: old.json, returns: Good }
        models:
          Page<Item>: { items: [Item], total: int }
          Good:
            fields: { id: int, price: "Price?", from: int?, to: int? }
            rules: [{ expr: from < to }]
          Price: { amount: decimal }

        """,
        "templates/old.json": #"{ "id": 1, "price": { "amount": 2.5 } }"# + "\n",
        "templates/goods.list.json": #"{ "items": [{ "id": 1 }], "total": 1 }"# + "\n",
    ]

    private static func session() -> EditorSession {
        var session = EditorSession(files)
        session.open("goods.yaml")
        return session
    }

    @Test(
        "a name leads to its declaration",
        arguments: [
            ("returns: Page<G‸ood>", ["goods.yaml:16 Good"]),
            ("returns: P‸age<Good>", ["goods.yaml:15 Page"]),
            ("items: [I‸tem]", ["goods.yaml:15 Item"]),
            ("use: goods.l‸ist", ["goods.yaml:3 goods.list"]),
            ("goods/{s‸hop}", ["goods.yaml:5 shop"]), ("by: [s‸hop]", ["goods.yaml:5 shop"]),
            ("offset: o‸ffset,", ["goods.yaml:6 offset"]),
            ("total: t‸otal }", ["goods.yaml:15 total"]),
            ("items: i‸tems,", ["goods.yaml:15 items"]), ("expr: c‸ount", ["goods.yaml:6 count"]),
            ("expr: from < t‸o", ["goods.yaml:17 to"]),
            ("server: s‸pare", ["api.yaml:3 spare"]), ("queue: s‸low", ["api.yaml:5 slow"]),
            ("on: [b‸usy]", ["api.yaml:8 busy"]),
            ("template: o‸ld.json", ["templates/old.json:1 "]),
            ("  goods.l‸ist:", ["goods.yaml:3 goods.list", "templates/goods.list.json:1 "]),
            ("retur‸ns: Page", []), ("get: g‸oods/", []),
        ])
    func definition(place: String, words: [String]) {
        var session = Self.session()
        let found = session.request(
            "textDocument/definition", session.place(place, in: "goods.yaml"))
        #expect(session.words(at: found) == words)
    }

    @Test("a symbol is listed at all places that name it, in templates and expressions, too")
    func references() {
        var session = Self.session()
        func references(_ place: String, withDeclaration: JSONTree = true) -> [String] {
            let params = session.place(
                place, in: "goods.yaml", ["context": ["includeDeclaration": withDeclaration]])
            return session.words(at: session.request("textDocument/references", params))
        }
        #expect(
            references("  Go‸od:") == [
                "goods.yaml:7 Good", "goods.yaml:13 Good", "goods.yaml:16 Good",
            ])
        #expect(references("  Go‸od:", withDeclaration: false).count == 2)
        #expect(
            references("fields: { i‸d") == [
                "goods.yaml:17 id", "templates/goods.list.json:1 id", "templates/old.json:1 id",
            ])
        #expect(
            references("path: { sh‸op") == [
                "goods.yaml:4 shop", "goods.yaml:5 shop", "goods.yaml:12 shop",
            ])
        #expect(references("amo‸unt:") == ["goods.yaml:19 amount", "templates/old.json:1 amount"])
    }

    @Test("the outline of a document has methods with parameters and models with fields")
    func outline() {
        var session = Self.session()
        let outline = session.request(
            "textDocument/documentSymbol", session.document("goods.yaml"))
        func shown(_ entry: JSONTree, _ depth: Int = 0) -> [String] {
            [String(repeating: " ", count: depth) + (entry["name"].text ?? "")]
                + entry["children"].items.flatMap { shown($0, depth + 1) }
        }
        #expect(
            outline.items.flatMap { shown($0) } == [
                "goods.list", " shop", " offset", " count", "goods.old", "Page", " items", " total",
                "Good", " id", " price", " from", " to", "Price", " amount",
            ])
        #expect(outline.items.first?["detail"] == "Page<Good>")
    }

    @Test("symbols of all files are found by letters of their names")
    func workspace() {
        var session = Self.session()
        func names(_ query: JSONTree) -> [JSONTree] {
            session.request("workspace/symbol", ["query": query]).items.map { $0["name"] }
        }
        #expect(names("GDLST") == ["goods.list.json", "goods.list"])
        #expect(names("spare") == ["spare"])
        #expect(names("zz").isEmpty)
        #expect(names("").count > 20)
    }

    @Test("lines fold by their indentation, also in a text that is no YAML")
    func folding() {
        var session = Self.session()
        session.type("# one\n# two\na:\n  b: [\n    1,\n\n    2\nc: 1\n", in: "goods.yaml")
        let folds = session.request("textDocument/foldingRange", session.document("goods.yaml"))
        #expect(
            folds.items.map { [$0["startLine"], $0["endLine"], $0["kind"]] } == [
                [0, 1, "comment"], [3, 6, "region"], [2, 6, "region"],
            ])
    }

    @Test("a lens shows the Swift function of a method, after a mistake the last one")
    func lenses() {
        var session = Self.session()
        let document = session.document("goods.yaml")
        let first = session.request("textDocument/codeLens", document)
        #expect(
            first.items.map { $0["command", "title"] } == [
                "func list(shop: Int, offset: Int? = nil, count: Int = 9) -> DataOperation<PageGood>",
                "func old() -> DataOperation<Good>",
            ])
        let text = session.texts["goods.yaml"] ?? ""
        session.type(text.replacing("returns: Good }", with: "returns: Goo }"), in: "goods.yaml")
        #expect(session.request("textDocument/codeLens", document) == first)
    }

    @Test("models that nest without end are followed to a bound")
    func endless() {
        let hostile = """
            methods:
              get: { get: a, returns: "T<int>", extract: { a: { at: a.b.c } } }
            models:
              T<A>: T<Pair<A, A>> | T<A> | U | Pair<T<A>, T<U>>
              Pair<A, B>: { with: [U, Pair<Pair<A, B>, B>], a: A, b: B }
              U: U | U | [U] | T<U>

            """
        var session = EditorSession(["a.yaml": hostile])
        session.open("a.yaml")
        let names = session.request("textDocument/documentSymbol", session.document("a.yaml"))
        #expect(names.items.map { $0["name"] } == ["a.get", "T", "Pair", "U"])
    }
}
