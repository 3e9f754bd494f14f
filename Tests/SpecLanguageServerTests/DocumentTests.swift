import SpecDiagnostics
import TelexCompiler
import Testing

@testable import SpecLanguageServer

@Suite("Open documents")
struct DocumentTests {
    private static func file(_ text: String) -> SourceFile {
        var sources = SourceMap()
        return sources.add(path: "a.yaml", text: text)
    }

    private static func position(_ line: Int, _ character: Int) -> JSONTree {
        ["line": .number(line), "character": .number(character)]
    }

    @Test("a position counts the units of its encoding, and each offset has its position")
    func positions() {
        let file = Self.file("a: ü\r\nb: 😀x\n\n# end")
        let cases: [(PositionEncoding, Int, Int, Int)] = [
            (.utf16, 0, 4, 5), (.utf8, 0, 5, 5), (.utf16, 1, 3, 10), (.utf16, 1, 5, 14),
            (.utf8, 1, 7, 14), (.utf16, 2, 0, 16), (.utf16, 3, 5, 22), (.utf8, 3, 5, 22),
        ]
        for (encoding, line, character, offset) in cases {
            let position = Self.position(line, character)
            #expect(encoding.offset(of: position, in: file) == offset)
            #expect(encoding.range(of: offset..<offset, in: file)["start"] == position)
        }
    }

    @Test("a position outside of a text is the nearest one inside, and a bad one is none")
    func outside() {
        let file = Self.file("ab\r\n😀\n")
        for encoding in [PositionEncoding.utf8, .utf16] {
            #expect(encoding.offset(of: Self.position(0, 99), in: file) == 2)
            #expect(encoding.offset(of: Self.position(0, .max), in: file) == 2)
            #expect(encoding.offset(of: Self.position(99, 0), in: file) == 9)
            #expect(encoding.offset(of: Self.position(0, -1), in: file) == 0)
            #expect(encoding.offset(of: Self.position(-1, 0), in: file) == nil)
            #expect(encoding.offset(of: ["line": 1], in: file) == nil)
        }
        // Half of a pair.
        #expect(PositionEncoding.utf16.offset(of: Self.position(1, 1), in: file) == 4)
    }

    @Test("changes of parts are applied in their order, and those of an old version are not")
    func changes() {
        var document = OpenDocument(uri: "a", version: 3, text: "a: 😀\nb: 2\n")
        func change(_ range: (Int, Int, Int, Int), _ text: JSONTree) -> JSONTree {
            [
                "range": [
                    "start": Self.position(range.0, range.1),
                    "end": Self.position(range.2, range.3),
                ], "text": text,
            ]
        }
        document.apply(
            [change((0, 3, 0, 5), "x"), change((0, 4, 1, 0), "y\n"), change((1, 0, 1, 1), "c")],
            version: 4, .utf16)
        #expect(String(decoding: document.bytes, as: UTF8.self) == "a: xy\nc: 2\n")
        document.apply([["text": "old"]], version: 4, .utf16)
        #expect(String(decoding: document.bytes, as: UTF8.self) == "a: xy\nc: 2\n")
        document.apply([change((1, 0, 0, 0), "z"), ["text": "new"]], version: 6, .utf16)
        #expect(String(decoding: document.bytes, as: UTF8.self) == "new")
        #expect(document.version == 6)
    }

    @Test("an offset of an earlier text has its place in a later one")
    func shift() {
        let shift = TextShift(from: Array("abcdef".utf8), to: Array("abXXXef".utf8))
        #expect((0...6).map(shift.later) == [0, 1, 2, 3, 5, 6, 7])
        #expect((0...7).map(shift.earlier) == [0, 1, 2, 3, 4, 4, 5, 6])
        let same = TextShift(from: Array("aaaa".utf8), to: Array("aa".utf8))
        #expect((0...4).map(same.later) == [0, 1, 2, 2, 2])
    }

    @Test("a document of no file, and one outside of specs, has no answers and does no harm")
    func otherDocuments() {
        var session = EditorSession([:])
        for uri in ["untitled:a", "https://a.example/b.yaml", "", "file:///elsewhere/a.yaml"] {
            let document: JSONTree = ["uri": .text(uri), "version": 1, "text": "a: ["]
            session.notify("textDocument/didOpen", ["textDocument": document])
            let place: JSONTree = [
                "textDocument": ["uri": .text(uri)], "position": Self.position(0, 0),
            ]
            #expect(session.request("textDocument/hover", place) == .null)
            #expect(session.request("textDocument/definition", place) == [])
        }
        #expect(session.diagnostics.isEmpty)
    }

    @Test("formatting writes a document as `telex fmt` does, and leaves one with mistakes alone")
    func formatting() throws {
        var session = EditorSession([:])
        session.open("shop.yaml", "models:\n    Pen:   { fields: {name: 'string'} } # a pen\n")
        let edits = session.request("textDocument/formatting", session.document("shop.yaml"))
        let text = try #require(edits.items.first?["newText"].text)
        #expect(edits.items.count == 1 && text.contains("# a pen"))
        session.type(text, in: "shop.yaml")
        #expect(session.request("textDocument/formatting", session.document("shop.yaml")) == [])
        session.type("models: {", in: "shop.yaml")
        #expect(session.request("textDocument/formatting", session.document("shop.yaml")) == [])
    }
}
