import SpecDiagnostics
import SpecSyntax
import TestSupport
import Testing

@Suite("hostile YAML")
struct HostileYAMLTests {
    @Test(
        "100,000 levels are refused at level 201",
        arguments: ["[", "{", "- ", "? ", "[{a: ", "{a: [", "&a [", "!t [", "- ? "])
    func deepNesting(_ opening: String) throws {
        let reading = ReadDocument(String(repeating: opening, count: 100_000))
        #expect(reading.root == nil)
        #expect(reading.codes.last == "T0010")
    }

    @Test("aliases of aliases are refused once they stand for too much")
    func billionLaughs() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...60 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let reading = ReadDocument(text)
        #expect(reading.codes == ["T0009"])
        #expect(reading.root != nil)
    }

    @Test("aliases that nest a little each are refused at 200 levels together")
    func aliasDepth() {
        var text = "a0: &a0 [x]\n"
        for level in 1...300 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let reading = ReadDocument(text)
        #expect(reading.codes == ["T0010"])
    }

    @Test("a line of 10 MB is read")
    func longLine() throws {
        let reading = ReadDocument(
            "a: \"" + String(repeating: "я", count: 5_000_000) + "\"\na: 2\n")
        #expect(reading.places == ["2:1 T0005"])
        #expect(reading.root?.entries.first?.value.text.utf8.count == 10_000_000)
    }

    @Test("megabytes of no-break spaces are read, in the middle of a text and at its end")
    func longSpaces() {
        let spaces = String(repeating: "\u{A0}", count: 2_000_000)
        #expect(ReadDocument("a: b\(spaces)c").places == [])
        #expect(ReadDocument("a: b\(spaces)").places == ["1:5 T0020"])
    }

    @Test("an error in a line of 10 MB gives a short message")
    func longLineRendered() async {
        await onThreadForLongTests {
            let reading = ReadDocument("{ " + String(repeating: "a: 1, ", count: 1_700_000) + "}")
            #expect(reading.bag.droppedCount > 1_000_000)
            let last = reading.bag.all[999]
            let text = TerminalRenderer().render(last, in: reading.sources)
            #expect(text.utf8.count < 1_000)
        }
    }

    @Test("a thousand mistakes in a line of megabytes are placed quickly")
    func longLinePlaces() {
        let reading = ReadDocument("{ " + String(repeating: "a: 1, ", count: 200_000) + "}")
        let text = LineRenderer().render(reading.bag, in: reading.sources)
        #expect(text.hasPrefix("api.yaml:1:9: error:"))
    }

    @Test("20,000 anchors and unknown aliases are not all compared with each other")
    func unknownAliases() {
        var text = ""
        for index in 0..<20_000 { text += "- [&a\(index) x, *b\(index)]\n" }
        let reading = ReadDocument(text)
        #expect(reading.bag.errorCount == 20_000)
    }

    @Test("a file beyond 16 MiB is refused")
    func tooLarge() {
        let reading = ReadDocument([UInt8](repeating: 0x20, count: 16 * 1_024 * 1_024 + 1))
        #expect(reading.codes == ["T0012"])
    }

    @Test("100,000 %TAG directives are refused without comparing each with all others")
    func manyDirectives() {
        let line = "%TAG !a! tag:example.com,2000:\n"
        let directives = String(repeating: line, count: 100_000)
        #expect(ReadDocument(directives).codes == ["T0017"])
        #expect(ReadDocument("a: 1\n...\n" + directives).codes == ["T0004"])
    }

    @Test("100,000 anchors, aliases and keys are read in linear time")
    func manyAnchors() {
        var text = ""
        for index in 0..<100_000 { text += "k\(index): [&a\(index) x, *a\(index)]\n" }
        let reading = ReadDocument(text)
        #expect(reading.codes == [])
        #expect(reading.root?.entries.count == 100_000)
    }

    @Test("a file cut at any byte gives diagnostics with spans, never a trap")
    func truncation() throws {
        for (_, bytes) in try GoldenFolder("YAML").cases(endingIn: ".yaml") where bytes.count < 400
        {
            for count in 0...bytes.count { check(Array(bytes[..<count])) }
        }
    }

    @Test("a file with any byte replaced gives diagnostics with spans, never a trap")
    func corruption() throws {
        let replacements: [UInt8] = [
            0x00, 0x09, 0x0A, 0x0D, 0x22, 0x3A, 0x5B, 0x7D, 0x80, 0xE2, 0xFF,
        ]
        for (name, bytes) in try GoldenFolder("YAML").cases(endingIn: ".yaml")
        where ["scalar-styles", "collections", "aliases", "multibyte"].contains(name) {
            for index in bytes.indices {
                for byte in replacements {
                    var changed = bytes
                    changed[index] = byte
                    check(changed)
                }
            }
        }
    }

    /// Reads and renders. Every span lies in the file, and nil implies an error.
    private func check(_ bytes: [UInt8]) {
        let reading = ReadDocument(bytes)
        #expect(reading.root != nil || reading.bag.hasErrors)
        for diagnostic in reading.bag.all {
            let spans = [diagnostic.span] + diagnostic.notes.compactMap(\.span)
            for span in spans {
                #expect(span.start >= 0 && span.start <= span.end && span.end <= bytes.count)
            }
        }
        _ = reading.tree
        let colored = TerminalRenderer(colors: true, width: 40)
        #expect(colored.render(reading.bag, in: reading.sources).isEmpty == reading.bag.isEmpty)
    }
}
