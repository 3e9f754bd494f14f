import SpecDiagnostics
import Testing

@testable import SpecSyntax

@Suite("JSON files are read into the nodes of YAML")
struct JSONFileTests {
    private static func read(_ text: String) -> (node: YAMLNode?, errors: String) {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let file = sources.add(path: "a.json", text: text)
        let node = JSONFileReader.read(file, into: &bag)
        return (node, LineRenderer().render(bag, in: sources))
    }

    @Test("JSON files are read into YAML nodes with the texts, numbers and places that they have")
    func values() throws {
        let node = try #require(
            Self.read(
                #" {"a": [1, -2.5e3, true, null, "no"], "b": {}, "c": "\u00fc\ud83d\ude00\n\/"} "#
            )
            .node)
        #expect(node.entries.map(\.key.text) == ["a", "b", "c"])
        let items = node.entries[0].value.items
        #expect(items.map(\.text) == ["1", "-2.5e3", "true", "null", "no"])
        #expect(items[0].integer == 1)
        #expect(items[1].double == -2500)
        #expect(items[2].boolean == true)
        #expect(items[3].isNull)
        #expect(!items[4].isPlain)
        #expect(items[4].span.start == 31)
        #expect(node.entries[1].value.entries.isEmpty)
        #expect(node.entries[2].value.text == "\u{FC}\u{1F600}\n/")
    }

    @Test("JSON files are read into the nodes of YAML with half of a surrogate pair replaced")
    func surrogates() throws {
        let node = try #require(Self.read(#"["\ud83d", "\ud83d\u0041", "\ude00x"]"#).node)
        #expect(node.items.map(\.text) == ["\u{FFFD}", "\u{FFFD}A", "\u{FFFD}x"])
    }

    @Test(
        "errors in JSON files have the place of the first wrong character",
        arguments: [
            ("{\"a\" 1}", "a.json:1:6"), ("[1, 2,]", "a.json:1:7"), ("{'a': 1}", "a.json:1:2"),
            ("[\"a\nb\"]", "a.json:1:4"), ("[\"\\u12\"]", "a.json:1:3"), ("[01x]", "a.json:1:2"),
            ("[1] 2", "a.json:1:5"), ("[+1]", "a.json:1:2"), ("[1", "a.json:1:2"),
        ])
    func errors(text: String, place: String) {
        let result = Self.read(text)
        #expect(result.node == nil)
        #expect(result.errors.hasPrefix("\(place): error: "), "\(result.errors)")
    }

    @Test("JSON files with bytes that are not UTF-8, repeated keys or too many levels are errors")
    func limits() {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let file = sources.add(
            path: "a.json", bytes: Array("[\"".utf8) + [0xFF] + Array("\"]".utf8))
        #expect(JSONFileReader.read(file, into: &bag) == nil)
        #expect(bag.all.map(\.code.id) == ["T0001"])
        #expect(Self.read("{\"a\": 1, \"a\": 2}").errors.contains("[T0005]"))
        #expect(Self.read(String(repeating: "[", count: 201)).errors.contains("[T0010]"))
    }
}
