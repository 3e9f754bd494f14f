import SpecDiagnostics
import TestSupport
import Testing

@Suite("YAML files and what is read from them")
struct YAMLGoldenTests {
    @Test("each file gives the tree and the diagnostics of its golden")
    func goldens() throws {
        let folder = GoldenFolder("YAML")
        var results: [String: String] = [:]
        for (name, bytes) in try folder.cases(endingIn: ".yaml") {
            let reading = ReadDocument(bytes, path: name + ".yaml")
            let renderer = TerminalRenderer(width: 80)
            results[name + ".txt"] = renderer.render(reading.bag, in: reading.sources)
            results[name + ".tree"] = reading.tree
        }
        try folder.expect(results, casesEndingIn: ".yaml")
    }

    @Test("verbatim scalars equal the source at their span")
    func verbatim() throws {
        for (_, bytes) in try GoldenFolder("YAML").cases(endingIn: ".yaml") {
            let reading = ReadDocument(bytes)
            var nodes = reading.root.map { [$0] } ?? []
            while let node = nodes.popLast() {
                if node.isVerbatim { #expect(reading.file.text(of: node.span) == node.text) }
                nodes += node.items + node.entries.flatMap { [$0.key, $0.value] }
            }
        }
    }

    @Test("each example of the catalogue shows its mistake and no other")
    func catalogue() {
        for code in DiagnosticCode.all where code.id.hasPrefix("T00") && !code.example.isEmpty {
            let codes = code.example.flatMap { ReadDocument($0.bytes, path: $0.path).codes }
            #expect(codes == [code.id], "\(code.id)")
        }
    }
}
