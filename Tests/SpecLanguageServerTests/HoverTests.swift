import TestSupport
import Testing

@testable import SpecLanguageServer

@Suite("Hover")
struct HoverTests {
    private static let goods = """
        doc: Goods.
        timeout: 5s
        methods:
          get:
            get: goods/{id}
            doc: One of the goods.
            path: { id: { type: int, min: 1, doc: Its number. } }
            returns: Good
            retry: none
        models:
          Base: { id: int }
          Good:
            doc: What is sold.
            with: Base
            fields:
              name: { type: string, max-length: 40 }
              tags: "[string]?"
              kind: Kind
          Kind: { enum: [new, old] }

        """

    /// The names of goldens, and the places.
    private static let cases = [
        "method": "  g‸et:\n", "model": "returns: Go‸od", "field": "na‸me: {",
        "parameter": "path: { i‸d", "enumeration": "kind: K‸ind", "key of a method": "retur‸ns:",
        "key of a group": "timeo‸ut: 5s", "rule": "max-le‸ngth",
        "scalar": "max-length: 40 }\n      tags: \"[st‸ring",
        "attribute": "{ ty‸pe: string",
    ]

    @Test("what hover says is what the goldens have")
    func texts() throws {
        var results: [String: String] = [:]
        for (name, place) in Self.cases {
            var session = EditorSession(["goods.yaml": Self.goods])
            session.open("goods.yaml")
            let hover = session.request(
                "textDocument/hover", session.place(place, in: "goods.yaml"))
            #expect(hover["contents", "kind"] == "markdown", "\(name)")
            results["\(name).md"] = (hover["contents", "value"].text ?? "") + "\n"
        }
        #expect(try GoldenFolder("Hover").problems(with: results) == [])
    }

    @Test("hover keeps to the last good text while the YAML is broken")
    func broken() {
        var session = EditorSession(["goods.yaml": Self.goods])
        session.open("goods.yaml")
        func text(_ place: String) -> String {
            session.request("textDocument/hover", session.place(place, in: "goods.yaml"))[
                "contents", "value"
            ].text ?? ""
        }
        let method = text("  g‸et:\n")
        let broken = Self.goods.replacing("[new, old]", with: "[new, ")
        session.type(broken, in: "goods.yaml")
        session.type("# first\n" + broken, in: "goods.yaml")
        #expect(session.diagnostics["goods.yaml"]?.isEmpty == false)
        #expect(text("  g‸et:\n").hasPrefix(String(method.prefix(60))))
        #expect(text("retur‸ns:").hasPrefix("`returns` in a method"))
    }

    @Test("hover has nothing to say of a text or an empty line")
    func nothing() {
        var session = EditorSession(["goods.yaml": Self.goods])
        session.open("goods.yaml")
        #expect(
            session.request("textDocument/hover", session.place("On‸e of the", in: "goods.yaml"))
                == .null)
        let empty = session.place("Kind: { enum: [new, old] }\n‸", in: "goods.yaml")
        #expect(session.request("textDocument/hover", empty) == .null)
    }
}
